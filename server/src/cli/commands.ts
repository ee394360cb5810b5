// Every command of `modshelf`, as data: the help, the reading of calls and the loading all come from here.
import { version } from "#lib/version.js";
import type { Command } from "./command.js";

export const commands: readonly Command[] = [
  {
    usage: "serve",
    summary: "Start the server, as without a command (also: npm start)",
    isServer: true,
    needsConfig: true,
    load: async () => {
      const { serve } = await import("./serve.js");
      return (config) => serve(config);
    },
  },
  {
    usage: "demo",
    summary: "Start the server, with sample content if the registry is empty (also: npm run demo)",
    isServer: true,
    needsConfig: true,
    load: async () => {
      const { serve } = await import("./serve.js");
      return (config) => serve(config, { isDemo: true });
    },
  },
  {
    usage: "migrate",
    summary: "Bring the database up to date; serve does that too",
    needsConfig: true,
    load: async () => (await import("./migrate.js")).runMigrations,
  },
  {
    usage: "doctor [--json]",
    summary: "Check the set-up and say what to mend; exit code 1 when something is wrong",
    flags: ["--json"],
    needsConfig: false,
    load: async () => (await import("./doctor.js")).runDoctor,
  },
  {
    usage: "verify [--deep] [--json]",
    summary: "Check that records and stored files agree, --deep reads every byte; exit code 1 when they do not",
    flags: ["--deep", "--json"],
    needsConfig: true,
    load: async () => (await import("./verify.js")).runVerify,
  },
  {
    usage: "repair [--apply] [--now]",
    summary: "Say what can be mended, --apply mends it; leftovers go after an hour, or --now while no server runs",
    flags: ["--apply", "--now"],
    needsConfig: true,
    load: async () => (await import("./repair.js")).runRepair,
  },
  {
    usage: "backup FOLDER [COUNT]",
    summary: "Save records and stored files in a folder, beside a running server; keep the last COUNT of them, or all",
    takes: [1, 2],
    needsConfig: true,
    load: async () => (await import("./backup.js")).runBackup,
  },
  {
    usage: "restore FOLDER",
    summary: "Put the last backup of a folder, or the one whose folder it is, into an empty instance",
    takes: [1, 1],
    needsConfig: true,
    load: async () => (await import("./backup.js")).runRestore,
  },
  {
    usage: "import --from URL --owner USER WHAT [OPTIONS]",
    summary:
      "Bring projects of another registry here; WHAT is --project REF, --user NAME, --organization NAME or --all (docs/moving.md)",
    flags: ["--all", "--yes", "--dry-run", "--json", "--create-users", "--overwrite", "--skip-unknown", "--review"],
    values: [
      ...["--from", "--kind", "--project", "--user", "--organization", "--owner", "--map-user"],
      ...["--rate", "--site", "--private-host"],
    ],
    details: [
      ["--from URL", "The registry: its interface is that of CRMM and Modshelf, or Modrinth's API v2"],
      ["--kind crmm|modrinth", "Which of them; unless given, both are tried"],
      ["--project REF", "A project by id or slug; may be repeated"],
      ["--user NAME", "The projects of a user there, who is the owner here"],
      ["--organization NAME", "The projects of an organization"],
      ["--all --yes", "Everything that the registry lists"],
      ["--owner USER", "The account here that owns projects whose owner has no account here"],
      ["--map-user SOURCE=LOCAL", "The account here of a user there; may be repeated"],
      ["--create-users", "Make accounts for members; no one can sign in to them before `modshelf admin reset`"],
      ["--skip-unknown", "Leave out loaders, game versions, categories and licenses that are unknown here"],
      ["--overwrite", "Replace what was changed here since the last import"],
      ["--review", "Submit projects for review as this site demands it, instead of publishing them"],
      ["--dry-run", "Only say what would be done"],
      ["--json", "Print the report as JSON"],
      ["--rate N", "Requests per second; 2 unless given"],
      ["--site URL", "The website of the registry, for links to it, if it is not that of --from"],
      ["--private-host HOST", "A host that may have a private address or no TLS; may be repeated"],
    ],
    needsConfig: true,
    load: async () => (await import("./import.js")).runImportCommand,
  },
  {
    usage: "search rebuild",
    summary: "Rebuild the search index from the projects; searching keeps working",
    needsConfig: true,
    load: async () => (await import("./search.js")).rebuildSearchIndex,
  },
  {
    usage: "changes renew",
    summary: "After an older backup was restored: make consumers of /api/changes start again",
    needsConfig: true,
    load: async () => (await import("./changes.js")).renewChanges,
  },
  {
    usage: "secrets forget [--apply]",
    summary:
      "After the key was lost: list the second factors and webhook secrets that cannot be read, --apply drops them",
    flags: ["--apply"],
    needsConfig: true,
    load: async () => (await import("./secrets.js")).forgetSecrets,
  },
  {
    usage: "config check [--json]",
    summary: "Check the settings without starting and show what is in effect, secrets masked",
    flags: ["--json"],
    needsConfig: false,
    load: async () => (await import("./config-check.js")).checkConfig,
  },
  {
    usage: "setup-link",
    summary: "Print a fresh link for making the first administrator",
    needsConfig: true,
    load: async () => (await import("./setup-link.js")).printSetupLink,
  },
  {
    usage: "admin create NAME EMAIL",
    summary: "Make an administrator; prints a one-time link to set the password with",
    takes: [2, 2],
    needsConfig: true,
    load: async () => (await import("./admin.js")).createAdmin,
  },
  {
    usage: "admin reset NAME|EMAIL",
    summary: "Print a one-time link to set a new password with; nothing changes until it is used",
    takes: [1, 1],
    needsConfig: true,
    load: async () => (await import("./admin.js")).resetPassword,
  },
  {
    usage: "admin reset-second-factor NAME|EMAIL",
    summary: "Take the codes of an authenticator app off an account whose owner has lost them",
    takes: [1, 1],
    needsConfig: true,
    load: async () => (await import("./admin.js")).resetSecondFactor,
  },
  {
    usage: "admin role NAME ROLE",
    summary: "Make a user a user, moderator or admin",
    takes: [2, 2],
    needsConfig: true,
    load: async () => (await import("./admin.js")).changeRole,
  },
  {
    usage: "admin suspend NAME [REASON]",
    summary: "Stop all sessions and tokens of a user at once",
    takes: [1, 100],
    needsConfig: true,
    load: async () => (await import("./admin.js")).suspendUser,
  },
  {
    usage: "admin unsuspend NAME",
    summary: "Undo that",
    takes: [1, 1],
    needsConfig: true,
    load: async () => (await import("./admin.js")).unsuspendUser,
  },
  { usage: "version", summary: "Print the version", needsConfig: false, load: async () => () => show(version) },
  { usage: "help", summary: "Print this", needsConfig: false, load: async () => () => show(renderHelp()) },
];

async function show(text: string): Promise<number> {
  console.log(text);
  return 0;
}

export function renderHelp(): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  const lines = commands.map(({ usage, summary }) => `  modshelf ${usage.padEnd(width)}  ${summary}`);
  return [
    `Modshelf ${version}: a registry and download host for game add-ons`,
    "",
    ...lines,
    "",
    "NAME may also be a user's id or email address. Words after -- are never read as options.",
    "Settings come from the environment or from modshelf.env; see docs/configuration.md.",
  ].join("\n");
}

export function renderUsage({ usage, summary, details = [] }: Command): string {
  const width = Math.max(...details.map(([option]) => option.length));
  return [
    `Usage: modshelf ${usage}`,
    `  ${summary}`,
    ...details.map(([option, meaning]) => `  ${option.padEnd(width)}  ${meaning}`),
  ].join("\n");
}
