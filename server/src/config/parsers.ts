// Parsers for plain values: numbers, sizes, words, names. Addresses are in addresses.ts, data locations in
// locations.ts.

import { toKey } from "#lib/key-file.js";
import { lengths } from "#lib/lengths.js";
import { say } from "#words/said.js";
import { type Bounds, type Expected, InvalidSetting, invalidSetting } from "./setting.js";

type Range = readonly [min: number, max: number];

const within = <Parse extends (text: string) => number>(bounds: Bounds, parse: Parse): Parse & { bounds: Bounds } =>
  Object.assign(parse, { bounds });

export const wholeNumber = ([min, max]: Range) =>
  within([String(min), String(max)], (text: string): number => {
    const value = Number(text);
    if (!/^\d{1,15}$/.test(text) || value < min || value > max) {
      throw invalidSetting((shape) => say.problems.settingNumber(min, max, shape), text);
    }
    return value;
  });

export const portNumber = wholeNumber([1, 65_535]);

export function secretKey(text: string): Buffer {
  const key = toKey(text);
  if (!key) throw invalidSetting("32 bytes as 64 hexadecimal digits or in base64", text);
  if (new Set(key).size < 8) throw new InvalidSetting("is not a random key: create one with `openssl rand -base64 32`");
  return key;
}

export const oneOf =
  <const Choice extends string>(...choices: Choice[]) =>
  (text: string): Choice => {
    const choice = choices.find((candidate) => candidate === text.toLowerCase());
    if (choice === undefined)
      throw invalidSetting((shape) => say.problems.settingChoice(choices.join(", "), shape), text);
    return choice;
  };

export function onOff(text: string): boolean {
  return oneOf("on", "off")(text) === "on";
}

export const listOf =
  <T>(parse: (text: string) => T) =>
  (text: string): T[] => [
    ...new Set(
      text
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(parse),
    ),
  ];

const units: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
};

/** Reads bytes from "512 MiB", "1.5GB" or a plain number. */
export const byteSize = (smallest: string, largest: string) =>
  within([smallest, largest], (text: string): number => {
    const size = toBytes(text);
    if (size === undefined || size < toBytes(smallest)! || size > toBytes(largest)!) {
      throw invalidSetting(
        (shape) => say.problems.settingSize(smallest, largest, "KB, MB, GB, KiB, MiB or GiB", shape),
        text,
      );
    }
    return size;
  });

/** As byteSize, or "off" for no limit. */
export const byteSizeOrOff = (smallest: string, largest: string, none: number) =>
  within([smallest, largest], (text: string): number =>
    text.toLowerCase() === "off" ? none : byteSize(smallest, largest)(text),
  );

function toBytes(text: string): number | undefined {
  const match = /^(\d{1,15}(?:\.\d{1,3})?) ?([a-z]{0,3})$/i.exec(text);
  const unit = units[match?.[2]?.toLowerCase() ?? "?"];
  return unit === undefined ? undefined : Math.round(Number(match?.[1]) * unit);
}

export const matching =
  (pattern: RegExp, expected: Expected) =>
  (text: string): string => {
    if (!pattern.test(text)) throw invalidSetting(expected, text);
    return text;
  };

/** Later segments may start with a digit: groups such as io.github.4name exist. */
export const groupId = matching(
  /^(?=.{1,128}$)[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z0-9_][A-Za-z0-9_-]*)*$/,
  "a Maven group id: words of letters, digits, _ and - joined by single dots, at most 128 characters",
);

export const userName = matching(/^[A-Za-z0-9_-]{2,32}$/, "2 to 32 letters, digits, _ or -");

export const word = matching(/^[\x21-\x7e]{1,512}$/, (shape) => say.problems.settingWord(512, shape));

/** In lower case, as Node reports header names. */
export const headerName = (text: string): string =>
  matching(
    /^[A-Za-z][A-Za-z0-9-]{0,63}$/,
    "the name of a header: letters, digits and -, at most 64",
  )(text).toLowerCase();

const address = `[^\\s@<>",;]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?`;

export function emailAddress(text: string): string {
  if (text.length > lengths.email[1] || !new RegExp(`^${address}$`).test(text))
    throw invalidSetting("an email address", text);
  return text;
}

export const sender = matching(new RegExp(`^(?=.{1,320}$)(?:${address}|[^<>@]+ <${address}>)$`), (shape) =>
  say.problems.settingSender(shape),
);

/** Common placeholders for secrets, reduced to their letters. */
const sampleWords = new Set(
  `admin adminadmin adminpassword changeit changeme changemenow changemeplease changethis default dummy example examplepassword
  examplesecret examplekey exampletoken fixme foobar insecure letmein modshelf mypassword mysecret passphrase passwd password
  passwordhere passwort placeholder pleasechange pleasechangeme qwerty qwertyuiop replaceme replacethis sample secret secretkey secrettoken secretpassword
  supersecret supersecretpassword test testing testpassword testtest token topsecret unsafe yourkey yourkeyhere yourpassword yourpasswordhere
  yoursecret yoursecrethere yoursecretkey yourtoken yourtokenhere`.split(/\s+/),
);

export function isSample(text: string): boolean {
  const letters = text.toLowerCase().replace(/[^a-z]/g, "");
  return sampleWords.has(letters) || /^(.)\1*$/su.test(text) || "01234567890123456789".includes(text);
}

function refuseSample(text: string): string {
  if (isSample(text)) throw new InvalidSetting(say.problems.settingSample);
  return text;
}

export function password(text: string): string {
  const [min, max] = lengths.password;
  if ([...text].length < min || [...text].length > max)
    throw invalidSetting((shape) => say.problems.settingLength(min, max, shape), text);
  return refuseSample(text);
}

export const secretWord = (text: string) => refuseSample(word(text));

/** The minimum length protects against guessing: the token is sent in a header. */
export const bearerToken = (text: string) =>
  refuseSample(matching(/^[\x21-\x7e]{16,512}$/, "16 to 512 ASCII characters without spaces")(text));
