// Reads the command line: the command, its options and its words.
import { parseArgs } from "node:util";
import type { Command, Options } from "./command.js";
import { Failure } from "./failures.js";

/** Every command has these. */
export const commonOptions = {
  host: {
    type: "string",
    value: "URL",
    help: "The registry. Default: SHELF_HOST, or the one chosen with shelf host use.",
  },
  json: { type: "boolean", help: "Print one JSON document for programs." },
  quiet: { type: "boolean", short: "q", help: "Print no progress." },
  "no-color": { type: "boolean", help: "Print without colors, as with the variable NO_COLOR." },
  timeout: { type: "string", value: "SECONDS", help: "How long a silent connection is waited for. Default: 30." },
  help: { type: "boolean", short: "h", help: "Explain the command." },
} as const satisfies Options;

export interface Parsed {
  options: Record<string, string | boolean | string[] | undefined>;
  words: string[];
}

export function parse(command: Command, args: readonly string[]): Parsed {
  const all: Options = { ...commonOptions, ...command.options };
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(all).map(([name, { type, short, multiple = false }]) => [
          name,
          { type, multiple, ...(short && { short }) },
        ]),
      ),
    });
    const options = Object.fromEntries(
      Object.entries(all).map(([name, { type, multiple }]) => [
        name,
        values[name] ?? (type === "boolean" ? false : multiple ? [] : undefined),
      ]),
    );
    return { options: options as Parsed["options"], words: positionals };
  } catch (error) {
    const [sentence = ""] = (error as Error).message.split(". ");
    throw usageFailure(command, `${sentence.replace(/\.$/, "")}.`);
  }
}

/** Whether there are as many words as the command takes. */
export function checkWords(command: Command, words: readonly string[]): void {
  const [least, most] = command.words;
  if (words.length < least) throw usageFailure(command, "Something is missing.");
  if (words.length > most) throw usageFailure(command, `"${words[most]}" is too much.`);
}

export const usageFailure = (command: Pick<Command, "name" | "usage">, message: string): Failure =>
  new Failure(message, { advice: `Usage: shelf ${command.name} ${command.usage}`.trimEnd(), code: "usage" });
