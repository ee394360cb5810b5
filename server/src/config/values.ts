// Parses the given settings by the table and collects all problems instead of stopping at the first.
import type { Sentence } from "#words/said.js";
import { findConflicts, listWarnings } from "./rules.js";
import { InvalidSetting, type Problem, type Setting } from "./setting.js";
import { type Environment, type Gathered, gather, type Source } from "./sources.js";
import { type Draft, listedSettings, table, type Values } from "./table.js";

export interface Effective {
  readonly setting: Setting;
  readonly source: Source | "default";
  /** As given, or the default with other settings filled in. */
  readonly text: string;
}

export type Reading = { readonly effective: readonly Effective[]; readonly warnings: readonly string[] } & (
  | { readonly values: Values; readonly problems?: undefined }
  | { readonly values?: undefined; readonly problems: readonly Problem[] }
);

export function readSettings(env: Environment, cwd: string): Reading {
  return judge(gather(env, cwd), cwd);
}

/** Adds the settings of administrators. The environment and the file win over them, and invalid ones are ignored. */
export function judgeWith(gathered: Gathered, web: ReadonlyMap<string, string>, cwd: string): Reading {
  const given = new Map(gathered.given);
  for (const setting of listedSettings) {
    const text = web.get(setting.name);
    if (!setting.web || text === undefined || given.has(setting.name)) continue;
    if (findFault(setting, text, cwd) === undefined) given.set(setting.name, { source: "web", text });
  }
  // A setting of the web without those that it needs would keep the server from starting.
  for (const { name, needs = [] } of listedSettings)
    if (given.get(name)?.source === "web" && needs.some((needed) => !given.has(needed))) given.delete(name);
  return judge({ ...gathered, given }, cwd);
}

function judge({ given, problems: found, warnings }: Gathered, cwd: string): Reading {
  const problems = [...found];
  const effective: Effective[] = [];
  const parsed = new Map<string, unknown>();
  for (const setting of listedSettings) {
    const answer = given.get(setting.name);
    const text = answer ? answer.text : fillIn(setting.default, parsed);
    effective.push({ setting, source: answer?.source ?? "default", text: text ?? "" });
    if (text === undefined) continue;
    const value = parseOne(setting, text, cwd, problems);
    if (value !== undefined) parsed.set(setting.name, value);
  }
  const draft = toDraft(parsed);
  problems.push(...findConflicts(draft, given));
  if (problems.length > 0) return { effective, warnings, problems };
  // Without a problem every setting with a default has a value, which is the only difference between Values and Draft.
  return { effective, warnings: [...warnings, ...listWarnings(draft as Values, given)], values: draft as Values };
}

/** Why a value is invalid; undefined if it is valid. */
export function findFault(setting: Setting, text: string, cwd: string): Sentence | undefined {
  try {
    parseText(setting, text, cwd);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidSetting) return error.said;
    throw error;
  }
}

function parseText({ parse }: Setting, text: string, cwd: string): unknown {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the check looks for them
  if (/[\x00-\x1f\x7f]/.test(text)) throw new InvalidSetting("contains a line break or another control character");
  return parse(text, cwd);
}

function parseOne(setting: Setting, text: string, cwd: string, problems: Problem[]): unknown {
  const { name, secret, example } = setting;
  const todo = secret
    ? `Give another value in ${name}, or in a file named by ${name}_FILE.`
    : `For example: ${name}=${example}`;
  try {
    return parseText(setting, text, cwd);
  } catch (error) {
    if (!(error instanceof InvalidSetting)) throw error;
    problems.push({ name, message: `${error.message}. ${todo}` });
    return undefined;
  }
}

/** Undefined if the default depends on a setting that is invalid. */
function fillIn(template: string | undefined, parsed: ReadonlyMap<string, unknown>): string | undefined {
  const names = template?.match(/<MODSHELF_\w+>/g) ?? [];
  if (names.some((name) => !parsed.has(name.slice(1, -1)))) return undefined;
  return template?.replace(/<(MODSHELF_\w+)>/g, (_, name) => String(parsed.get(name)));
}

function toDraft(parsed: ReadonlyMap<string, unknown>): Draft {
  const groups = Object.entries(table).map(([group, settings]) => [
    group,
    Object.fromEntries(Object.entries<Setting>(settings).map(([key, { name }]) => [key, parsed.get(name)])),
  ]);
  // Object.entries loses the types of the table; each value came from the parser of its own setting.
  return Object.fromEntries(groups) as Draft;
}
