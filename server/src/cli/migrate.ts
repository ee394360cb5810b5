// `modshelf migrate`: the names of the migrations that were needed go to stdout.
import type { Config } from "#config/config.js";
import { exitCodes } from "./command.js";
import { migrateOrExplain, withInstance } from "./instance.js";

export async function runMigrations(config: Config): Promise<number> {
  const run = await withInstance(config, migrateOrExplain, { schema: "any" });
  for (const name of run) console.log(name);
  console.error(run.length === 0 ? "The database was up to date already." : "The database is up to date.");
  return exitCodes.ok;
}
