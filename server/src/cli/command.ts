// The type of a command, parsing of its arguments, and its failures.
import type { Config } from "#config/config.js";

/** Codes of sysexits.h, which service managers know. */
export const exitCodes = { ok: 0, failed: 1, usage: 64, config: 78 } as const;

/** The words of the call are off; the usage is shown. */
export class UsageError extends Error {
  readonly command: Command | undefined;

  constructor(message: string, command?: Command) {
    super(message);
    this.command = command;
  }
}

/** A problem that the operator can solve; the message says how. */
export class CommandFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

export interface Call {
  args: readonly string[];
  flags: ReadonlySet<string>;
  /** The values of the options that take one, in the order of the call. */
  values: ReadonlyMap<string, readonly string[]>;
}

interface Described {
  /** The words of the command, in lower case, then its arguments: "admin create NAME EMAIL". */
  usage: string;
  summary: string;
  takes?: readonly [least: number, most: number];
  flags?: readonly string[];
  /** Options that take a value: "--from URL" or "--from=URL". They may be repeated. */
  values?: readonly string[];
  /** The meaning of its options, for its own help. */
  details?: readonly (readonly [option: string, meaning: string])[];
  /** The command runs until it is stopped, and then exits even if something still keeps the process alive. */
  isServer?: true;
}

/** Loaded when called: a broken setting is reported before the whole server has been read from disk. */
export type Command = Described &
  (
    | { needsConfig: true; load(): Promise<(config: Config, call: Call) => Promise<number>> }
    | { needsConfig: false; load(): Promise<(call: Call) => Promise<number>> }
  );

const wordsOf = ({ usage }: Command): string[] => usage.split(" ").filter((word) => /^[a-z][a-z-]*$/.test(word));

export type ReadCall = { help: true; command: Command | undefined } | { help: false; command: Command; call: Call };

/** Parses the arguments of `modshelf`. Arguments after `--` are never options. */
export function readCall(commands: readonly Command[], words: readonly string[]): ReadCall {
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  const takesValue = new Set(commands.flatMap(({ values = [] }) => values));
  const options: string[] = [];
  const plain: string[] = [];
  const given: [option: string, value: string | undefined][] = [];
  for (let at = 0; at < end; at++) {
    const [option, joined] = splitOption(words[at]!);
    if (takesValue.has(option)) given.push([option, joined ?? (at + 1 < end ? words[++at] : undefined)]);
    else (option.startsWith("--") || option === "-h" ? options : plain).push(words[at]!);
  }
  plain.push(...words.slice(end + 1));
  const command = commands.find((one) => wordsOf(one).every((word, index) => plain[index] === word));
  if (options.includes("--help") || options.includes("-h")) return { help: true, command };
  if (!command) throw new UsageError(explainUnknown(commands, plain));
  const known = new Set([...(command.flags ?? []), ...(command.values ?? [])]);
  const unknown = [...options, ...given.map(([option]) => option)].find((option) => !known.has(option));
  if (unknown) throw new UsageError(`There is no option ${unknown} here.`, command);
  const empty = given.find(([, value]) => !value);
  if (empty) throw new UsageError(`${empty[0]} needs a value.`, command);
  const args = plain.slice(wordsOf(command).length);
  const [least, most] = command.takes ?? [0, 0];
  if (args.length < least) throw new UsageError("Something is missing.", command);
  if (args.length > most) throw new UsageError(`"${args[most]}" is one word too many.`, command);
  const values = new Map(
    [...Map.groupBy(given, ([option]) => option)].map(([option, all]) => [option, all.map(([, value]) => value!)]),
  );
  return { help: false, command, call: { args, flags: new Set(options), values } };
}

/** "--from=URL" in its two parts. */
function splitOption(word: string): [option: string, value: string | undefined] {
  const at = word.startsWith("--") ? word.indexOf("=") : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function explainUnknown(commands: readonly Command[], [first = "", second]: readonly string[]): string {
  const group = commands.filter((command) => wordsOf(command)[0] === first);
  if (group.length === 0) return `There is no command "${first}".`;
  const choices = group.map((command) => wordsOf(command)[1]).join(", ");
  return second === undefined
    ? `${first} takes one of: ${choices}.`
    : `${first} takes one of: ${choices}; not "${second}".`;
}
