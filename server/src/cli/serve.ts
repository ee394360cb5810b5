// `modshelf serve`: from nothing to a running server, and back at SIGTERM or SIGINT.
import { createApp, openResources } from "../app.js";
import { write } from "../changes/write.js";
import { readConfig } from "../config.js";
import { migrate, NewerSchema } from "../db/migrate.js";
import { DataFolderInUse, lockDataFolder } from "../db/server-lock.js";
import type { Resources } from "../http/resources.js";
import { hashPassword } from "../lib/passwords.js";
import { version } from "../lib/version.js";
import { installTaxonomy, TaxonomyError } from "../taxonomy/write.js";
import { createCode } from "../users/codes.js";
import { hasAdmin } from "../users/read.js";
import { createAccount } from "../users/write.js";
import { CommandFailure } from "./command.js";

const exitConfig = 78;
const bySystem = { credential: "server start" };

export async function serve(): Promise<number> {
  const config = readConfig();
  const unlock = config.database.engine === "sqlite" ? lock(config.dataDir) : () => {};
  const resources = await openResources(config);
  const { log } = resources;
  for (const warning of config.warnings) log.warn(warning);
  await prepare(resources);
  const app = await createApp(resources);
  await app.listen(config.http);
  const engine = config.database.engine;
  log.info(
    { version, url: config.http.url, dataDir: config.dataDir, engine },
    `Modshelf is running at ${config.http.url}`,
  );
  await offerSetup(resources);

  const signal = await stopSignal();
  log.info({ signal }, "Stopping");
  await app.stop();
  unlock();
  log.info("Stopped");
  return 0;
}

function lock(dataDir: string): () => void {
  try {
    return lockDataFolder(dataDir);
  } catch (error) {
    throw error instanceof DataFolderInUse ? new CommandFailure(error.message) : error;
  }
}

/** The schema, the taxonomy and the administrator that the environment names. */
async function prepare(resources: Resources): Promise<void> {
  const { config, db, clock, log } = resources;
  try {
    const run = await migrate(db, clock.now());
    if (run.length > 0) log.info({ migrations: run }, "The database is up to date");
    if (await installTaxonomy(resources, config.taxonomyFile))
      log.info({ source: config.taxonomyFile ?? "default" }, "The taxonomy is in force");
  } catch (error) {
    if (error instanceof TaxonomyError) throw new CommandFailure(error.message, exitConfig);
    if (error instanceof NewerSchema) throw new CommandFailure(error.message);
    throw error;
  }
  if (!config.admin || (await hasAdmin(db))) return;
  const { userName, email, password } = config.admin;
  const passwordHash = await hashPassword(password, resources.random);
  await write(resources, bySystem, (tx) =>
    createAccount(tx, { userName, email, emailVerified: false, passwordHash, role: "admin" }),
  );
  log.info({ userName }, "The administrator from the settings is made");
}

/** Everything works without an administrator; whoever reads this log may become the first. */
async function offerSetup(resources: Resources): Promise<void> {
  if (await hasAdmin(resources.db)) return;
  const code = await write(resources, bySystem, (tx) => createCode(tx, "setup", null));
  resources.log.info(
    `There is no administrator yet. Open this link within an hour to become the first: ${resources.config.http.url}/setup?code=${code}`,
  );
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    // A second signal finds no listener and ends the process at once.
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
}
