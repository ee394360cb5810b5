// The command line: finds the command, runs it, and turns errors into a message and an exit code.
import { CommandFailure, exitCodes, readCall, UsageError } from "#cli/command.js";
import { commands, renderHelp, renderUsage } from "#cli/commands.js";
import { ConfigError, readConfig } from "#config/config.js";
import { Failure } from "#platform/errors.js";

async function run(words: string[]): Promise<number> {
  const { command, ...found } = readCall(commands, words);
  if (found.help || !command) {
    console.log(command ? renderUsage(command) : renderHelp());
    return exitCodes.ok;
  }
  try {
    if (!command.needsConfig) return await (await command.load())(found.call);
    const config = readConfig();
    const code = await (await command.load())(config, found.call);
    if (command.isServer) process.exit(code);
    return code;
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(error.message, command) : error;
  }
}

function explain(error: unknown): number {
  if (error instanceof ConfigError) {
    const count = error.problems.length === 1 ? "a problem" : `${error.problems.length} problems`;
    console.error(`The configuration has ${count}:\n${error.message}\nSee docs/configuration.md.`);
    return exitCodes.config;
  }
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${error.command ? renderUsage(error.command) : renderHelp()}`);
    return exitCodes.usage;
  }
  if (error instanceof CommandFailure) {
    console.error(error.message);
    return error.exitCode;
  }
  // A refusal of the service itself, such as a taken name: its sentence is the whole message.
  console.error(error instanceof Failure ? error.message : error);
  return exitCodes.failed;
}

// Files of this process and its children are accessible only for its own user, with any mode of the folder.
process.umask(0o077);

// The reader of the output may stop reading, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

// `npx modshelf` starts a registry.
const [first = "serve", ...rest] = process.argv.slice(2);
try {
  process.exitCode = await run([first === "--version" ? "version" : first, ...rest]);
} catch (error) {
  process.exitCode = explain(error);
}
