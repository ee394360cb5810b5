// The command line: `modshelf serve` and the operator's tools. Only this file ends the process.
import { runAdmin } from "./cli/admin.js";
import { CommandFailure, UsageError } from "./cli/command.js";
import { runDoctor } from "./cli/doctor.js";
import { runMigrate } from "./cli/migrate.js";
import { serve } from "./cli/serve.js";
import { ConfigError } from "./config.js";
import { version } from "./lib/version.js";

const help = `modshelf ${version}: a registry and download host for game add-ons

  modshelf serve                          Start the server (also: npm start)
  modshelf migrate                        Bring the database up to date; serve does that too
  modshelf doctor [--json]                Check the set-up and say what to mend
  modshelf admin create NAME EMAIL        Make an administrator; prints a code to set the password with
  modshelf admin reset NAME|EMAIL         Print a one-time code to set a new password with
  modshelf admin role NAME ROLE           Make a user a user, moderator or admin
  modshelf admin suspend NAME [REASON]    Stop all sessions and tokens of a user at once
  modshelf admin unsuspend NAME           Undo that
  modshelf version | help

Settings come from the environment or from modshelf.env; see docs/configuration.md.`;

const commands: Record<string, (args: string[]) => Promise<number>> = {
  serve,
  migrate: runMigrate,
  doctor: runDoctor,
  admin: runAdmin,
  version: async () => print(version),
  help: async () => print(help),
};

/** From sysexits.h, which service managers know: usage, configuration. */
const exitUsage = 64;
const exitConfig = 78;

function print(text: string): number {
  console.log(text);
  return 0;
}

function explain(error: unknown): number {
  if (error instanceof ConfigError) {
    console.error(
      `The configuration has ${error.problems.length} problem(s):\n${error.message}\nSee docs/configuration.md.`,
    );
    return exitConfig;
  }
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${help}`);
    return exitUsage;
  }
  if (error instanceof CommandFailure) {
    console.error(error.message);
    return error.exitCode;
  }
  console.error(error);
  return 1;
}

const [name = "help", ...args] = process.argv.slice(2);
const command = commands[name.replace(/^--/, "")];
try {
  if (!command) throw new UsageError(`There is no command "${name}".`);
  process.exitCode = await command(args);
} catch (error) {
  process.exitCode = explain(error);
}
