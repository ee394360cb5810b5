// The optional config file: lines of NAME=value with the names of the environment variables.
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { isKnownName, isSettingVariable, toShownName, unknownNameMessage } from "./names.js";
import { configFileSetting } from "./service-settings.js";
import type { Problem } from "./setting.js";
import { listedSettings } from "./table.js";
import { readTextFile } from "./text-file.js";

export const defaultFile = "modshelf.env";

export interface ConfigFile {
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

export function readConfigFile(path: string | undefined, cwd: string): ConfigFile {
  const read = readTextFile(resolve(cwd, path ?? defaultFile));
  if ("text" in read) {
    const values = parseEnv(read.text);
    return { values, problems: listBrokenLines(read.text), warnings: read.isOpenToAll ? listOpenSecrets(values) : [] };
  }
  if (path === undefined && read.isAbsent) return { values: {}, problems: [], warnings: [] };
  const what = path === undefined ? `is unset, so ${defaultFile} is read` : "must name a text file that can be read";
  return {
    values: {},
    problems: [{ name: configFileSetting, message: `${what}, but ${read.fault}. Correct the path or the file.` }],
    warnings: [],
  };
}

/** Finds lines that the parser would ignore silently. A value cannot span lines, so each line is checked separately. */
function listBrokenLines(text: string): Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [, name = "", value = ""] = /^\s*(?:export\s+)?([^\s=#"'`]+)\s*=\s*(.*)$/.exec(line) ?? [];
    if (isSettingVariable(name)) {
      const fault = seen.has(name)
        ? "is set twice in the config file. Remove one of the two."
        : findLineFault(name, value);
      if (fault) problems.push({ name: toShownName(name), message: fault });
      seen.add(name);
      continue;
    }
    // The line is not quoted: the path may name a file of secrets by mistake.
    const message = `names a file whose line ${index + 1} does not set a MODSHELF_ name as NAME=value. Correct or remove it.`;
    problems.push({ name: configFileSetting, message });
  }
  return problems;
}

function findLineFault(name: string, value: string): string | undefined {
  if (name === configFileSetting) return "cannot be set in the config file itself. Set it in the environment.";
  if (!isKnownName(name)) return unknownNameMessage(name);
  if (!/^(?!["'`])[^#]*[^\s#]#/.test(value)) return undefined;
  return "contains an unquoted # in the config file; the rest would be lost. Put the value in double quotes.";
}

function listOpenSecrets(values: ConfigFile["values"]): string[] {
  return listedSettings
    .filter(({ name, secret }) => secret && values[name])
    .map(
      ({ name }) => `${name}: is in a config file that every user of this machine can read; restrict its permissions.`,
    );
}
