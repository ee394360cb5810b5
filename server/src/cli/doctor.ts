// `modshelf doctor`: looks at everything that must be right and says what to mend. Changes nothing, prints no secret.

import { existsSync } from "node:fs";
import { type Config, ConfigError, readConfig } from "#config/config.js";
import { type Clock, systemClock } from "#lib/clock.js";
import { systemRandom } from "#lib/random.js";
import { version } from "#lib/version.js";
import { type Condition, type Named, ok, problem, runChecks, warning } from "#operations/checks/check.js";
import { machineChecks } from "#operations/checkup/machine.js";
import { siteChecks } from "#operations/checkup/site.js";
import { openDatabase } from "#platform/db/open.js";
import { findVault } from "#platform/secrets/open-vault.js";
import { applySettings } from "#platform/settings/live.js";
import { say } from "#words/said.js";
import { type Call, exitCodes } from "./command.js";
import { postgresChecks, reachChecks } from "./doctor/postgres.js";
import { databaseChecks, schemaChecks } from "./doctor/records.js";
import { sqliteChecks } from "./doctor/sqlite.js";
import { describeDatabase } from "./instance.js";

export async function runDoctor({ flags }: Call): Promise<number> {
  const findings = await examine();
  const isHealthy = findings.every(({ level }) => level !== "problem");
  console.log(flags.has("--json") ? JSON.stringify({ version, isHealthy, findings }, null, 2) : render(findings));
  return isHealthy ? exitCodes.ok : exitCodes.failed;
}

async function examine(): Promise<Named<Condition>[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const todo = "Correct it (docs/configuration.md); the rest was not checked.";
    return error.problems.map(({ name, message }) => ({
      check: "configuration",
      ...problem(`${name}: ${message}`, todo),
    }));
  }
  // The database comes first, because it has the settings of the website.
  const inDatabase = await examineDatabase(config);
  return [
    ...examineSettings(config),
    ...(await runChecks(machineChecks, config)),
    ...(await runChecks(siteChecks, config)),
    ...inDatabase,
  ];
}

function examineSettings({ warnings }: Config): Named<Condition>[] {
  const found = warnings.map((text) => warning(text, "See docs/configuration.md."));
  return (found.length > 0 ? found : [ok("Every setting can be used.")]).map((finding) => ({
    check: "configuration",
    ...finding,
  }));
}

/** Tests pass another clock for the check that compares clocks. */
export async function examineDatabase(config: Config, clock: Clock = systemClock): Promise<Named<Condition>[]> {
  const { database: place, dataDir } = config;
  if (place.engine === "sqlite" && !existsSync(place.path))
    return [{ check: "database", ...ok(say.checkup.folderMadeLater(place.path)) }];
  if (place.engine === "sqlite") {
    const found = await runChecks(sqliteChecks, { path: place.path, dataDir });
    // A file that cannot be read cannot be looked into.
    return hasProblem(found, "database file") ? found : [...found, ...(await examineRecords(config, clock, []))];
  }
  return examineRecords(config, clock, postgresChecks);
}

async function examineRecords(
  config: Config,
  clock: Clock,
  engineChecks: typeof postgresChecks,
): Promise<Named<Condition>[]> {
  const { database: place, storage } = config;
  const database = openDatabase(place, () => {});
  const subject = { db: database.db, clock, storage, config, name: describeDatabase(config) };
  try {
    const reached = await runChecks(place.engine === "postgres" ? reachChecks : [], subject);
    if (hasProblem(reached)) return reached;
    const found = [...reached, ...(await runChecks([...engineChecks, ...schemaChecks], subject))];
    const isCurrent = found.some(({ check, level }) => check === "schema" && level === "ok");
    if (isCurrent) await applySettings({ ...subject, vault: findVault(config, systemRandom) });
    return isCurrent ? [...found, ...(await runChecks(databaseChecks, subject))] : found;
  } finally {
    await database.close();
  }
}

const hasProblem = (findings: readonly Named<Condition>[], name?: string): boolean =>
  findings.some(({ check, level }) => level === "problem" && (name === undefined || check === name));

function render(findings: readonly Named<Condition>[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const indent = " ".repeat("problem".length + width + 4);
  const lines = findings.map(({ level, check, message, todo }) => {
    const text = [message, ...(todo ? [`→ ${todo}`] : [])].join("\n").replaceAll("\n", `\n${indent}`);
    return `${level.padEnd("problem".length)}  ${check.padEnd(width)}  ${text}`;
  });
  const count = (level: string, word: string) => {
    const number = findings.filter((finding) => finding.level === level).length;
    return `${number} ${word}${number === 1 ? "" : "s"}`;
  };
  return [...lines, "", `${count("problem", "problem")}, ${count("warning", "warning")}.`].join("\n");
}
