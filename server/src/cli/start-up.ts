// The steps of the start that do not need the application: the primary process of a server with workers does not load it.
import type { Logger } from "pino";
import type { Config } from "#config/config.js";
import { reasonOf } from "#lib/reason-of.js";
import { version } from "#lib/version.js";
import { DataFolderInUse, lockDataFolder } from "#platform/db/server-lock.js";
import { createLog } from "#platform/http/log-lines.js";
import type { Resources } from "#platform/http/resources.js";
import { CommandFailure } from "./command.js";
import { describeDatabase } from "./instance.js";
import { terminalLines } from "./terminal-log.js";

/** People at a terminal get lines for people; everything else, JSON. */
export const openLog = ({ log }: Config, fields?: object): Logger =>
  createLog(log.level, process.stdout.isTTY ? terminalLines(process.stdout) : undefined, fields);

/** Node.js exits with code 1 after an unhandled error, because the state is unknown; this also logs the reason. */
export function logBugs(log: Logger): void {
  process.on("uncaughtExceptionMonitor", (error, origin) => {
    log.fatal({ err: error, origin }, "An error was not caught; the server ends");
  });
}

/** Returns how to unlock. */
export function lockData({ database, dataDir }: Config): () => void {
  if (database.engine !== "sqlite") return () => {};
  try {
    return lockDataFolder(dataDir);
  } catch (error) {
    throw error instanceof DataFolderInUse ? new CommandFailure(error.message) : cannotOpen(error);
  }
}

/** Waits until the data are open, and says what to do if they cannot be opened. */
export const orExplain = (opening: Promise<Resources>): Promise<Resources> =>
  opening.catch((error) => {
    throw cannotOpen(error);
  });

const cannotOpen = (error: unknown) =>
  new CommandFailure(`The data cannot be opened: ${reasonOf(error)}. Run \`modshelf doctor\` to see how to fix it.`);

/** `setupLink` is undefined if there is an administrator. */
export function announce(
  { config, log }: Pick<Resources, "config" | "log">,
  listening: string,
  setupLink: string | undefined,
): void {
  const { url, workers } = config.http;
  const database = describeDatabase(config);
  log.info(
    { version, url, listening, dataDir: config.dataDir, database, ...(workers > 1 && { workers }) },
    `Modshelf is running at ${url}`,
  );
  // The server works without an administrator; a reader of this log may become the first.
  if (setupLink)
    log.warn(`There is no administrator yet. Open this link within an hour to become the first: ${setupLink}`);
}
