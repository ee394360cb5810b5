// What a command is: its words for the help, its options, and what it does.
import type { Readable } from "node:stream";
import type { Client, Fetch } from "modshelf-client";
import type { Accounts } from "./accounts.js";
import type { Terminal } from "./terminal.js";

export interface Option {
  type: "string" | "boolean";
  short?: string;
  /** May be given several times. */
  multiple?: boolean;
  /** The word for the value in the help, such as DIR. */
  value?: string;
  help: string;
}
export type Options = Record<string, Option>;

type ValueOf<O extends Option> = O["type"] extends "boolean"
  ? boolean
  : O["multiple"] extends true
    ? string[]
    : string | undefined;
export type ValuesOf<O extends Options> = { [K in keyof O]: ValueOf<O[K]> };

export interface Context<O extends Options = Options> {
  options: ValuesOf<O>;
  /** The words that are not options. */
  words: readonly string[];
  /** The registry's address. Fails if none was chosen. */
  readonly host: string;
  /** A client for the host, with the account that is signed in there. */
  readonly registry: Client;
  /** The registry after --host. */
  readonly hostOption: string | undefined;
  /** The registry that --host or SHELF_HOST names. */
  readonly namedHost: string | undefined;
  /** SHELF_TOKEN, or the token of the account that is signed in there. */
  findToken(host: string): string | undefined;
  /** The same without SHELF_TOKEN, for a registry that the user did not choose, such as that of a lock file. */
  findAccountToken(host: string): string | undefined;
  /** A client for any registry, with this token. `fetch` replaces the usual function. */
  connect(host: string, token: string | undefined, fetch?: Fetch): Client;
  /** All commands, for those that describe them. */
  commands: readonly Command[];
  accounts: Accounts;
  terminal: Terminal;
  /** The standard input. */
  input: Readable;
  env: Readonly<Record<string, string | undefined>>;
  /** Ends when the user interrupts the program. */
  signal: AbortSignal;
}

/** What a command found out or did. One of the two forms is printed. */
export interface Answer {
  /** With --json: the one document on the standard output. */
  data: unknown;
  /** Otherwise: lines for people. */
  lines: readonly string[];
  /** 0 unless a check found differences; failures are thrown. */
  exitCode?: number;
}

export interface Command<O extends Options = Options> {
  name: string;
  /** What follows the name, such as "PROJECT... [-d DIR]". */
  usage: string;
  /** One sentence for the list of commands. */
  summary: string;
  /** Further sentences for the command's own help. */
  details?: readonly string[];
  options: O;
  /** How many words it takes. */
  words: readonly [least: number, most: number];
  run(context: Context<O>): Promise<Answer>;
}

/** Keeps the types of the options for `run`. */
export const defineCommand = <const O extends Options>(command: Command<O>): Command => command as unknown as Command;
