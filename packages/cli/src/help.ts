// The help: the list of commands, and the page of one.
import { commonOptions } from "./arguments.js";
import type { Command, Options } from "./command.js";
import { bold, toTable } from "./terminal.js";

export const listCommands = (commands: readonly Command[]): string[] => [
  "shelf installs, updates, verifies and publishes game add-ons of a Modshelf registry.",
  "",
  bold("Commands"),
  ...toTable(commands.map(({ name, summary }) => [`  ${name}`, summary])),
  "",
  "shelf help COMMAND explains a command. shelf --version prints the version.",
];

export const explain = (command: Command): string[] => [
  `shelf ${command.name} ${command.usage}`.trimEnd(),
  "",
  command.summary,
  ...(command.details ?? []),
  "",
  bold("Options"),
  ...toTable(Object.entries({ ...command.options, ...commonOptions } as Options).map(explainOption)),
];

const explainOption = ([name, { short, value, help }]: [string, Options[string]]): string[] => [
  `  ${short ? `-${short}, ` : "    "}--${name}${value ? ` ${value}` : ""}`,
  help,
];
