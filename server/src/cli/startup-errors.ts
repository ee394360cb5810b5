// Reasons that keep a server from starting although it is intact: a damaged or unreachable database, an address that is
// in use.
import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Config } from "#config/config.js";
import { keyFileOf } from "#lib/key-file.js";
import { reasonOf } from "#lib/reason-of.js";
import { findKeyId, listUnreadable } from "#operations/secrets/rows.js";
import { isUnavailable } from "#platform/db/dialect.js";
import { checkSqliteFile, checkSqliteFileAside } from "#platform/db/sqlite-check.js";
import type { Resources } from "#platform/http/resources.js";
import { CommandFailure } from "./command.js";
import { describeDatabase, explainUnavailable } from "./instance.js";

const patienceMs = 10_000;
const retryMs = 250;

/** A database that is started together with the server is given time to come up. */
export async function waitForDatabase({ config, db, clock, log }: Resources): Promise<void> {
  const deadline = clock.now() + patienceMs;
  for (let isTold = false; ; isTold = true) {
    try {
      await sql`select 1`.execute(db);
      return;
    } catch (error) {
      if (!isUnavailable(error))
        throw new CommandFailure(`The database refuses us (${describeDatabase(config)}): ${reasonOf(error)}`);
      if (clock.now() >= deadline) throw new CommandFailure(explainUnavailable(config, error));
      if (!isTold)
        log.warn({ database: describeDatabase(config), reason: reasonOf(error) }, "Waiting for the database");
      await sleep(retryMs);
    }
  }
}

/** Gives advice if the secrets of the database are sealed with a key that is missing. */
export async function explainKey({ config, db, vault }: Pick<Resources, "config" | "db" | "vault">): Promise<string> {
  const { users, webhooks, settings } = await listUnreadable(db, vault);
  const place = config.secretKeys ? "MODSHELF_SECRET_KEY" : keyFileOf(config.dataDir);
  return (
    `The database holds secrets that are sealed with the key ${await findKeyId(db)}, which is not in ${place}: second factors ` +
    `of ${users.length} users, ${webhooks.length} webhooks, ${settings.length} settings. Put that key there, or give all servers the same ` +
    "MODSHELF_SECRET_KEY. If it is lost, see `modshelf secrets forget`."
  );
}

/** Says which setting to change when an address cannot be listened on. */
export function explainListening({ http, metrics }: Config, error: unknown): unknown {
  const { code, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  const isMetrics = port !== undefined && port === metrics.port;
  const [portName, hostName] = isMetrics
    ? ["MODSHELF_METRICS_PORT", "MODSHELF_METRICS_HOST"]
    : ["MODSHELF_PORT", "MODSHELF_HOST"];
  const where = `${address ?? http.host}, port ${port ?? http.port}`;
  const reasons: Record<string, string> = {
    EADDRINUSE: `Another program listens there already. Stop it, or set ${portName} to a free port.`,
    EACCES: `This account may not listen there. Set ${portName} to a port above 1023.`,
    EADDRNOTAVAIL: `This machine has no such address. Correct ${hostName}.`,
    ENOTFOUND: `There is no host of that name. Correct ${hostName}.`,
  };
  const reason = reasons[code ?? ""];
  return reason === undefined ? error : new CommandFailure(`The server cannot listen on ${where}. ${reason}`);
}

/** Reading a larger file would delay the start by more than a moment, so it is checked while the server runs. */
const largestCheckedFirst = 64 * 1024 * 1024;
/** Everything that the start reads comes first. */
const checkedAfterMs = 10_000;

export async function refuseDamaged({ config: { database }, log }: Resources): Promise<void> {
  if (database.engine !== "sqlite") return;
  const todo = "Run `modshelf doctor`, then restore a backup; keep the damaged file aside.";
  const { path } = database;
  if ((await stat(path)).size <= largestCheckedFirst) {
    const faults = await checkSqliteFile(path);
    if (faults.length > 0) throw new CommandFailure(`The database is damaged: ${faults.join("; ")}. ${todo}`);
    return;
  }
  const checkAside = () =>
    checkSqliteFileAside(path).then(
      (found) => {
        if (found.length > 0) log.fatal({ faults: found }, `The database is damaged. ${todo}`);
      },
      (error) => log.warn({ err: error }, "Whether the database is whole could not be found out"),
    );
  setTimeout(checkAside, checkedAfterMs).unref();
}
