// The type of a setting: a name, a parser and details. The settings themselves are listed in table.ts.
import type { Words } from "#words/en/catalogue.js";
import type { Said, Sentence } from "#words/said.js";

export type SettingName = keyof Words["settings"]["descriptions"];

/** The pages of the administration on which settings are edited. */
export const webSections = [
  "general",
  "branding",
  "registration",
  "sign-in",
  "moderation",
  "mail",
  "limits",
  "scanner",
  "backup",
] as const;
export type WebSection = (typeof webSections)[number];

/** The least and the most that a parser accepts, for people. */
export type Bounds = readonly [least: string, most: string];

export interface Setting<T = unknown> {
  /** Its description is in words/<language>/settings.ts, under this name. */
  readonly name: SettingName;
  /** Throws InvalidSetting. Relative paths are resolved against `cwd`. */
  readonly parse: ((text: string, cwd: string) => T) & { readonly bounds?: Bounds };
  /** Goes through the same parser. `<NAME>` is replaced by the value of an earlier setting in the table. */
  readonly default?: string;
  /** A value that the parser accepts; for secrets the path of a file, so that no sample secret is ever printed. */
  readonly example: string;
  /** Never shown, and can be given as the path of a file in NAME_FILE. */
  readonly secret?: boolean;
  /** The start of a secret that may be shown, such as the scheme of a URL. */
  readonly publicPart?: RegExp;
  /** Settings that must be set as well. */
  readonly needs?: readonly string[];
  /** This setting has no effect without that other setting. */
  readonly usedWith?: string;
  /** The page where administrators edit it, unless the environment or the config file sets it. */
  readonly web?: WebSection;
}

export interface Problem {
  readonly name: string;
  readonly message: string;
}

export const setting = <T, const Details extends Omit<Setting, "name" | "parse">>(
  name: SettingName,
  parse: Setting<T>["parse"],
  details: Details,
) => ({ name, parse, ...details });

/** For a Service called modshelf, Kubernetes sets names that look like ours. */
export const serviceLinksHint =
  "is set by Kubernetes for a Service called modshelf. Set enableServiceLinks: false for the pod, or rename the Service";

/** The example for a secret: a path where its file could be. */
export const secretFile = (name: string) => `/run/secrets/${name}`;

/** An invalid value. The message says what was expected and the shape of the value, never the value itself. */
export class InvalidSetting extends Error {
  readonly said: Sentence;

  constructor(said: Sentence) {
    super(String(said));
    this.said = said;
  }
}

/** Plain English for settings that come only from the environment or a file. */
export type Expected = string | ((shape: string) => Said);

export function invalidSetting(expected: Expected, text: string): InvalidSetting {
  const shape = shapeOf(text);
  return new InvalidSetting(typeof expected === "string" ? `must be ${expected}, but is ${shape}` : expected(shape));
}

function shapeOf(text: string): string {
  if (/^-?\d+$/.test(text)) return text.startsWith("-") ? "a negative number" : `a number of ${count(text, "digit")}`;
  return `text of ${count(text, "character")}${/\s/.test(text) ? " with spaces" : ""}`;
}

const count = (text: string, unit: string) => `${text.length} ${unit}${text.length === 1 ? "" : "s"}`;
