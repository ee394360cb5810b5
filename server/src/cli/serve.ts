// `modshelf serve`: from nothing to a running server, and back at SIGTERM or SIGINT.
import { setTimeout as pause } from "node:timers/promises";
import { hashPassword } from "#accounts/users/passwords.js";
import { hasAdmin } from "#accounts/users/read.js";
import { createAccount } from "#accounts/users/write.js";
import { type App, closeResources, createApp, openResources, routes } from "#app.js";
import type { Config } from "#config/config.js";
import { installTaxonomy } from "#content/taxonomy/write.js";
import { reasonOf } from "#lib/reason-of.js";
import { version } from "#lib/version.js";
import { findTaxonomyFault } from "#operations/checkup/taxonomy-file.js";
import { settleSecrets } from "#operations/secrets/rows.js";
import { write } from "#platform/changes/write.js";
import { DataFolderInUse, lockDataFolder } from "#platform/db/server-lock.js";
import { Failure } from "#platform/errors.js";
import { compileEarly } from "#platform/http/early-validators.js";
import { createLog } from "#platform/http/log-lines.js";
import type { Resources } from "#platform/http/resources.js";
import { stopLimits } from "#platform/http/stop-limits.js";
import { CommandFailure, exitCodes } from "./command.js";
import { describeDatabase, migrateOrExplain } from "./instance.js";
import { reloadOnHangup } from "./reloading.js";
import { createSetupLink } from "./setup-link.js";
import { explainKey, explainListening, refuseDamaged, waitForDatabase } from "./startup-errors.js";
import { terminalLines } from "./terminal-log.js";

const byServer = { credential: "server start" };

/** `furnish` runs when everything answers, before the server says that it is running. */
export async function serve(
  config: Config,
  furnish: (resources: Resources) => Promise<void> = async () => {},
): Promise<number> {
  const fault = findTaxonomyFault(config.taxonomyFile);
  if (fault) throw new CommandFailure(fault, exitCodes.config);
  // From here on a signal that arrives during the start stops the server as soon as it has started.
  const signal = stopSignal();
  const { resources, unlock } = await open(config);
  logBugs(resources);
  const app = await prepare(resources)
    .then(() => createApp(resources))
    .catch(async (error) => {
      await closeResources(resources);
      throw error;
    });
  await listen(app, resources, furnish);
  const stopReloading = reloadOnHangup(resources);
  const compiling = compileEarly(routes.map(({ endpoint }) => endpoint));
  resources.log.info({ signal: await signal }, "Stopping");
  stopReloading();
  compiling.stop();
  const deadline = pause(stopLimits(config).allMs, "late");
  if ((await Promise.race([app.stop(), deadline])) === "late") {
    const active = process.getActiveResourcesInfo();
    resources.log.error({ active }, "Something keeps the server from stopping; it is cut off");
    return exitCodes.failed;
  }
  unlock();
  resources.log.info("Stopped");
  return exitCodes.ok;
}

/** People at a terminal get lines for people; everything else, JSON. */
const openLog = ({ log }: Config) =>
  createLog(log.level, process.stdout.isTTY ? terminalLines(process.stdout) : undefined);

async function open(config: Config): Promise<{ resources: Resources; unlock: () => void }> {
  try {
    const unlock = config.database.engine === "sqlite" ? lockDataFolder(config.dataDir) : () => {};
    return { resources: await openResources(config, { log: openLog(config) }), unlock };
  } catch (error) {
    if (error instanceof DataFolderInUse) throw new CommandFailure(error.message);
    throw new CommandFailure(
      `The data cannot be opened: ${reasonOf(error)}. Run \`modshelf doctor\` to see how to fix it.`,
    );
  }
}

/** Node.js exits with code 1 after an unhandled error, because the state is unknown; this also logs the reason. */
function logBugs({ log }: Resources): void {
  process.on("uncaughtExceptionMonitor", (error, origin) => {
    log.fatal({ err: error, origin }, "An error was not caught; the server ends");
  });
}

/** The schema, the taxonomy and the administrator that the environment names. */
async function prepare(resources: Resources): Promise<void> {
  const { config, db, log } = resources;
  for (const warning of config.warnings) log.warn(warning);
  await refuseDamaged(resources);
  await waitForDatabase(resources);
  const run = await migrateOrExplain(resources);
  if (run.length > 0) log.info({ migrations: run }, "The database is up to date");
  if (!(await settleSecrets(resources, byServer))) throw new CommandFailure(await explainKey(resources));
  if (await installTaxonomy(resources, config.taxonomyFile))
    log.info({ source: config.taxonomyFile ?? "default" }, "The taxonomy is in force");
  if (config.admin && !(await hasAdmin(db))) await createAdmin(resources, config.admin);
}

async function createAdmin(resources: Resources, admin: NonNullable<Config["admin"]>): Promise<void> {
  const { userName, email } = admin;
  const passwordHash = await hashPassword(admin.password, resources.random);
  try {
    await write(resources, byServer, (tx) =>
      createAccount(tx, { userName, email, emailVerified: true, passwordHash, role: "admin" }),
    );
    resources.log.info({ userName }, "The administrator from the settings is made");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // Another node, started at the same time, was faster.
    if (await hasAdmin(resources.db)) return;
    const name = error.code === "emailTaken" ? "MODSHELF_ADMIN_EMAIL" : "MODSHELF_ADMIN_USER";
    throw new CommandFailure(`${name}: The first administrator cannot be made. ${error.message}`, exitCodes.config);
  }
}

async function listen(app: App, resources: Resources, furnish: (resources: Resources) => Promise<void>): Promise<void> {
  const { config, log } = resources;
  let listening: string;
  try {
    listening = await app.listen(config.http);
  } catch (error) {
    await app.stop();
    throw explainListening(config, error);
  }
  await furnish(resources).catch(async (error) => {
    await app.stop();
    throw error;
  });
  log.info(
    { version, url: config.http.url, listening, dataDir: config.dataDir, database: describeDatabase(config) },
    `Modshelf is running at ${config.http.url}`,
  );
  // The server works without an administrator; a reader of this log may become the first.
  const link = await createSetupLink(resources, byServer);
  if (link) log.warn(`There is no administrator yet. Open this link within an hour to become the first: ${link}`);
}

/**
 * A signal to a whole process group or container arrives several times: from its sender, from npm and from the program that
 * started this one.
 */
const echoMs = 1000;

function stopSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  const signals = ["SIGTERM", "SIGINT"] as const;
  const hear = (signal: NodeJS.Signals) => {
    // Another signal, or the same one later, finds no listener and ends the process immediately.
    for (const one of signals) if (one !== signal) process.off(one, hear);
    setTimeout(() => process.off(signal, hear), echoMs).unref();
    resolve(signal);
  };
  for (const one of signals) process.on(one, hear);
  // scripts/modshelf.mjs, which started this process and waits for it, was killed.
  process.once("disconnect", () => resolve("SIGTERM"));
  process.channel?.unref();
  return promise;
}
