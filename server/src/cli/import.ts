// `modshelf import`: projects of another registry, beside a running server or without one.
import { createInterface } from "node:readline/promises";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { findAccountByLogin } from "#accounts/users/read.js";
import type { Config } from "#config/config.js";
import { closeResources, openResources } from "#operations/assembly/resources.js";
import { OtherImport } from "#operations/importing/alone.js";
import type { ImportOptions, LocalUser } from "#operations/importing/context.js";
import { openSource, parseSourceUrl, sourceKinds } from "#operations/importing/open-source.js";
import { type ImportReport, renderReport } from "#operations/importing/report.js";
import { runImport, UnknownNames } from "#operations/importing/run.js";
import { BadAnswer, type Selection, type SourceKind, Unreachable } from "#operations/importing/source.js";
import { placeholderId } from "#platform/db/placeholder.js";
import type { Db } from "#platform/db/tables.js";
import { applySettings } from "#platform/settings/live.js";
import { type Call, CommandFailure, exitCodes, UsageError } from "./command.js";
import { byCommandLine, withInstance } from "./instance.js";

/** Some objects were refused; all others were imported. */
const someRefused = 2;
const usualRate = 2;

export async function runImportCommand(config: Config, call: Call): Promise<number> {
  const { flags } = call;
  const from = parseSourceUrl(need(call, "--from"));
  if (!from) throw new UsageError("--from must be an http or https URL.");
  const selection = readSelection(call);
  const rate = readRate(one(call, "--rate"));
  const kind = readKind(one(call, "--kind")) ?? from.kind;
  const ownerName = need(call, "--owner");
  if (selection.by === "all" && !flags.has("--dry-run")) await confirm(new URL(from.base).host, flags.has("--yes"));

  // Refuses an old schema or a missing database with the same words as other commands.
  const { owner, mapped } = await withInstance(config, async ({ db }) => {
    const owner = await getUser(db, ownerName);
    return { owner, mapped: await readMapped(db, call, selection, owner) };
  });
  const options: ImportOptions = {
    ...{ selection, owner, mapped },
    ...{ createUsers: flags.has("--create-users"), overwrite: flags.has("--overwrite") },
    ...{ skipUnknown: flags.has("--skip-unknown"), dryRun: flags.has("--dry-run"), review: flags.has("--review") },
    siteUrl: (one(call, "--site") ?? siteOf(from.base)).replace(/(?<!\/)\/+$/, ""),
  };
  const resources = await openResources(config, { log: pino({ level: "silent" }) });
  try {
    // Limits, the scanner and the review may be set on the web.
    await applySettings(resources);
    const client = {
      ...{ base: from.base, rate, clock: resources.clock, pause },
      privateHosts: new Set(call.values.get("--private-host")),
      onWait: (ms: number, why: string) => console.error(`Waiting ${Math.ceil(ms / 1000)} s: ${why}.`),
    };
    const opened = await openSource(client, kind);
    const report = await runImport(resources, byCommandLine, opened, options, (line) => console.error(line));
    return print(report, flags.has("--json"));
  } catch (error) {
    throw explain(error);
  } finally {
    await closeResources(resources);
  }
}

function print(report: ImportReport, isJson: boolean): number {
  console.log(isJson ? JSON.stringify(report, null, 2) : renderReport(report).join("\n"));
  return report.refused.length > 0 ? someRefused : exitCodes.ok;
}

function explain(error: unknown): unknown {
  if (error instanceof Unreachable)
    return new CommandFailure(
      `${error.message}\nEverything until here is kept; run the same command again to continue.`,
    );
  if (error instanceof BadAnswer || error instanceof OtherImport) return new CommandFailure(error.message);
  if (!(error instanceof UnknownNames)) return error;
  return new CommandFailure(
    [
      "Nothing was imported, because this registry does not know these names (with the number of projects):",
      ...error.names.map((name) => `  ${name}`),
      "Add them to the taxonomy, for example by a preset under Admin → Taxonomy, or leave them out with --skip-unknown.",
    ].join("\n"),
  );
}

const one = ({ values }: Call, option: string): string | undefined => {
  const given = values.get(option) ?? [];
  if (given.length > 1) throw new UsageError(`${option} can be given once.`);
  return given[0];
};

function need(call: Call, option: string): string {
  const value = one(call, option);
  if (value === undefined) throw new UsageError(`${option} is missing.`);
  return value;
}

function readSelection(call: Call): Selection {
  const refs = call.values.get("--project") ?? [];
  const user = one(call, "--user");
  const organization = one(call, "--organization");
  const found: Selection[] = [
    ...(refs.length > 0 ? [{ by: "projects" as const, refs }] : []),
    ...(user === undefined ? [] : [{ by: "user" as const, name: user }]),
    ...(organization === undefined ? [] : [{ by: "organization" as const, name: organization }]),
    ...(call.flags.has("--all") ? [{ by: "all" as const }] : []),
  ];
  if (found.length !== 1) throw new UsageError("Say one of --project, --user, --organization and --all.");
  return found[0]!;
}

function readRate(text: string | undefined): number {
  const rate = text === undefined ? usualRate : Number(text);
  if (!(rate >= 0.01 && rate <= 100)) throw new UsageError("--rate is the number of requests per second, up to 100.");
  return rate;
}

function readKind(text: string | undefined): SourceKind | undefined {
  const kind = sourceKinds.find((each) => each === text);
  if (text !== undefined && !kind) throw new UsageError(`--kind is one of ${sourceKinds.join(", ")}.`);
  return kind;
}

/** The website of "https://api.mods.example" is usually "https://mods.example". */
const siteOf = (base: string): string => base.replace(/^(https?:\/\/)api\./, "$1");

/** A whole site is not imported by mistake. */
async function confirm(host: string, isConfirmed: boolean): Promise<void> {
  if (isConfirmed) return;
  const advice = `Say --yes to import all of ${host}.`;
  if (!process.stdin.isTTY) throw new UsageError(advice);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`Type ${host} to import all of its projects: `);
  terminal.close();
  if (answer.trim() !== host) throw new CommandFailure(`Nothing was imported. ${advice}`);
}

async function getUser(db: Db, name: string): Promise<LocalUser> {
  const account = await findAccountByLogin(db, name);
  if (!account || account.id === placeholderId) throw new CommandFailure(`There is no user "${name}" here.`);
  return { id: account.id, userName: account.user_name };
}

/** The user whose projects are imported is the owner here: the operator has said so. */
async function readMapped(
  db: Db,
  call: Call,
  selection: Selection,
  owner: LocalUser,
): Promise<ImportOptions["mapped"]> {
  const mapped = new Map<string, LocalUser>();
  if (selection.by === "user") mapped.set(selection.name.toLowerCase(), owner);
  for (const pair of call.values.get("--map-user") ?? []) {
    const [there = "", here = "", ...rest] = pair.split("=");
    if (!there || !here || rest.length > 0) throw new UsageError("--map-user needs SOURCE=LOCAL, two usernames.");
    mapped.set(there.toLowerCase(), await getUser(db, here));
  }
  return mapped;
}
