// What a setting is: a name, a parser and the words about it. Settings themselves stand in table.ts.
import type { Words } from "#words/en/catalogue.js";
import type { Said, Sentence } from "#words/said.js";

export type SettingName = keyof Words["settings"]["descriptions"];

/** The pages of the administration on which settings are edited. */
export const webSections = ["general", "branding", "registration", "moderation", "limits"] as const;
export type WebSection = (typeof webSections)[number];

export interface Setting<T = unknown> {
  /** What it does stands in words/<language>/settings.ts, by this name. */
  readonly name: SettingName;
  /** Throws Unfit. Paths are taken from `cwd`. */
  readonly parse: (text: string, cwd: string) => T;
  /** Goes through the same parser. `<NAME>` stands for the value of a setting further up the table. */
  readonly default?: string;
  /** A value that the parser takes; for secrets the path of a file, so that no sample secret is ever printed. */
  readonly example: string;
  /** Never shown, and may be given as the path of a file in NAME_FILE. */
  readonly secret?: boolean;
  /** The start of a secret that may be shown all the same, such as the scheme of an address. */
  readonly publicPart?: RegExp;
  /** Settings that must be given as well. */
  readonly needs?: readonly string[];
  /** Without this other setting the present one does nothing. */
  readonly usedWith?: string;
  /** Where administrators edit it, unless the environment or the config file gives it: what a person decides about the site. */
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

/** A Service called modshelf makes Kubernetes set names that look like ours. */
export const serviceLinksHint =
  "is set by Kubernetes for a Service called modshelf. Set enableServiceLinks: false for the pod, or rename the Service";

/** The example for a secret: where its file might lie. */
export const secretFile = (name: string) => `/run/secrets/${name}`;

/** A value that cannot be used. The message says what was expected and the shape of what came, never the value itself. */
export class Unfit extends Error {
  readonly said: Sentence;

  constructor(said: Sentence) {
    super(String(said));
    this.said = said;
  }
}

/** `expected` is plain English for settings that only the environment or a file gives. */
export function unfit(expected: string | ((shape: string) => Said), text: string): Unfit {
  const shape = shapeOf(text);
  return new Unfit(typeof expected === "string" ? `must be ${expected}, but is ${shape}` : expected(shape));
}

function shapeOf(text: string): string {
  if (/^-?\d+$/.test(text)) return text.startsWith("-") ? "a negative number" : `a number of ${count(text, "digit")}`;
  return `text of ${count(text, "character")}${/\s/.test(text) ? " with spaces" : ""}`;
}

const count = (text: string, unit: string) => `${text.length} ${unit}${text.length === 1 ? "" : "s"}`;
