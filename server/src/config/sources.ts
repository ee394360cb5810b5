// Collects the given settings before they are parsed: environment, config file, files named by NAME_FILE.
import { resolve } from "node:path";
import { readConfigFile } from "./config-file.js";
import { isKnownName, isSettingVariable, toShownName, unknownNameMessage } from "./names.js";
import { configFileSetting } from "./service-settings.js";
import type { Problem, Setting } from "./setting.js";
import { listedSettings } from "./table.js";
import { readTextFile } from "./text-file.js";

export type Environment = Readonly<Record<string, string | undefined>>;
/** `web`: set by an administrator on the site and stored in the database. */
export type Source = "environment" | "file" | "web";

/** `text` is absent if it should have come from a file that cannot be read. */
export interface Given {
  readonly source: Source;
  readonly text?: string;
}

export interface Gathered {
  readonly given: ReadonlyMap<string, Given>;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

export function gather(env: Environment, cwd: string): Gathered {
  const file = readConfigFile(toText(env[configFileSetting]), cwd);
  const problems: Problem[] = [];
  const given = new Map<string, Given>();
  for (const setting of listedSettings) {
    const found =
      findGiven(setting, "environment", env, cwd, problems) ?? findGiven(setting, "file", file.values, cwd, problems);
    if (found) given.set(setting.name, found);
  }
  const unknown = Object.keys(env).filter(
    (name) => isSettingVariable(name) && !isKnownName(name) && toText(env[name]) !== undefined,
  );
  problems.push(
    ...file.problems,
    ...unknown.map((name) => ({ name: toShownName(name), message: unknownNameMessage(name) })),
  );
  return { given, problems, warnings: file.warnings };
}

function findGiven(
  { name, secret }: Setting,
  source: Source,
  values: Environment,
  cwd: string,
  problems: Problem[],
): Given | undefined {
  const text = toText(values[name], secret);
  const fileName = `${name}_FILE`;
  const path = secret ? toText(values[fileName]) : undefined;
  if (path === undefined) return text === undefined ? undefined : { source, text };
  if (text !== undefined) {
    problems.push({ name, message: `is given twice, also by ${fileName}. Remove one of the two.` });
    return { source };
  }
  const read = readTextFile(resolve(cwd, path));
  const content = "text" in read ? read.text.replace(/[\r\n]+$/, "") : "";
  if (content.trim() !== "") return { source, text: content };
  const fault = "fault" in read ? read.fault : "that file is empty";
  problems.push({
    name: fileName,
    message: `must name a file that holds the secret, but ${fault}. Correct the path or the file.`,
  });
  return { source };
}

/** Blank means unset. Secrets keep their spaces, which may be part of them. */
function toText(raw: string | undefined, secret = false): string | undefined {
  if (raw === undefined || raw.trim() === "") return undefined;
  return secret ? raw : raw.trim();
}
