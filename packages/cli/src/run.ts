// Runs one command line from the first word to the exit code. It does not know the process, so that tests can call it.
import { type Client, createClient } from "modshelf-client";
import { Accounts, findConfigFile, mayCarryToken, toHost } from "./accounts.js";
import { checkWords, parse } from "./arguments.js";
import type { Answer, Command, Context } from "./command.js";
import { commands } from "./commands.js";
import { describe, exitCodes, Failure } from "./failures.js";
import { explain, listCommands } from "./help.js";
import { chooseFetch } from "./http-fetch.js";
import { findNearest } from "./nearest.js";
import { red, Terminal, type TerminalOptions } from "./terminal.js";
import { version } from "./version.js";

export interface Surroundings extends Pick<TerminalOptions, "input" | "output" | "errors"> {
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
}

export async function run(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const isJson = args.includes("--json");
  const terminal = openTerminal(args, surroundings, isJson);
  try {
    const { data, lines, exitCode = exitCodes.ok } = await answer(args, terminal, surroundings);
    if (isJson) terminal.printJson(data);
    else terminal.print(lines);
    return exitCode;
  } catch (error) {
    if (surroundings.signal.aborted) {
      terminal.warn("Interrupted. Nothing is half done.");
      return exitCodes.interrupted;
    }
    const { message, advice, code, requestId, exitCode } = describe(error);
    terminal.annotate(advice ? `${message}\n${advice}` : message);
    if (isJson) terminal.printJson({ error: { code, message, advice, requestId } });
    else {
      terminal.warn(red(message));
      if (advice) terminal.warn(advice);
      if (requestId) terminal.warn(`The registry's operator can find the request by its id: ${requestId}`);
    }
    return exitCode;
  }
}

async function answer(args: readonly string[], terminal: Terminal, surroundings: Surroundings): Promise<Answer> {
  const [first, ...rest] = args;
  if (first === "--version") return { data: { version }, lines: [version] };
  if (first === undefined || first === "--help" || first === "-h" || first === "help") return help(rest);
  const command = findCommand(first);
  const { options, words } = parse(command, rest);
  if (options.help) return help([command.name]);
  checkWords(command, words);
  return command.run(await makeContext(options as Common, words, terminal, surroundings));
}

function findCommand(name: string): Command {
  const command = commands.find((one) => one.name === name);
  if (!command) throw new Failure(`There is no command "${name}".`, { advice: suggest(name), code: "usage" });
  return command;
}

function suggest(name: string): string {
  const nearest = findNearest(
    name,
    commands.map((command) => command.name),
  );
  return nearest ? `Did you mean: shelf ${nearest}` : "See all with: shelf help";
}

function help([name]: readonly string[]): Answer {
  const shown = name === undefined || name.startsWith("-") ? commands : [findCommand(name)];
  const data = shown.map(({ name, usage, summary, options }) => ({ name, usage, summary, options }));
  return { data, lines: shown === commands ? listCommands(commands) : explain(shown[0]!) };
}

function openTerminal(args: readonly string[], { input, output, errors, env }: Surroundings, isJson: boolean) {
  const withColor = !env.NO_COLOR && !args.includes("--no-color") && env.TERM !== "dumb";
  const isQuiet = args.includes("--quiet") || args.includes("-q");
  const isInteractive = input.isTTY === true && errors.isTTY === true && !env.CI && !isJson;
  const isInRunner = env.GITHUB_ACTIONS === "true";
  return new Terminal({ input, output, errors, isJson, isQuiet, withColor, isInteractive, isInRunner });
}

interface Common extends Record<string, unknown> {
  host: string | undefined;
  timeout: string | undefined;
}

async function makeContext(
  options: Common,
  words: readonly string[],
  terminal: Terminal,
  { env, signal, input }: Surroundings,
): Promise<Context> {
  const accounts = new Accounts(findConfigFile(env));
  const stored = await accounts.read();
  const named = options.host || env.SHELF_HOST;
  const findHost = (): string => {
    const chosen = named || stored.host;
    if (chosen !== undefined) return toHost(chosen);
    throw new Failure("No registry is chosen.", {
      advice: "Choose one with: shelf host use https://mods.example.org",
      code: "noHost",
    });
  };
  // In a build, a secret that does not exist is an empty text.
  const findAccountToken = (host: string) => stored.accounts[host]?.token;
  const findToken = (host: string) => env.SHELF_TOKEN || findAccountToken(host);
  const connect: Context["connect"] = (host, token, fetch = chooseFetch(env)) =>
    createClient({
      host,
      fetch,
      userAgent: `shelf/${version}`,
      timeout: readTimeout(options.timeout),
      ...tokenFor(host, token),
    });
  let registry: Client | undefined;
  return {
    options: options as Context["options"],
    ...{ words, commands, accounts, terminal, env, signal, input, findToken, findAccountToken, connect },
    hostOption: options.host ? toHost(options.host) : undefined,
    namedHost: named ? toHost(named) : undefined,
    get host() {
      return findHost();
    },
    get registry() {
      const host = findHost();
      registry ??= connect(host, findToken(host));
      return registry;
    },
  };
}

function tokenFor(host: string, token: string | undefined): { token?: string } {
  if (!token) return {};
  if (mayCarryToken(host)) return { token };
  throw new Failure(`Your token is not sent to ${host}, because others could read it on the way.`, {
    advice: "Use the address with https://.",
    code: "insecureHost",
  });
}

function readTimeout(text: string | undefined): number {
  const seconds = Number(text ?? 30);
  if (seconds > 0 && seconds <= 86_400) return 1000 * seconds;
  throw new Failure(`"${text}" is not a number of seconds.`, {
    advice: "Use a number such as --timeout 60.",
    code: "usage",
  });
}
