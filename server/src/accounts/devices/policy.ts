// How long codes and tokens live, and what a user code looks like.
import type { Random } from "#lib/random.js";

const minute = 60_000;
export const requestLifeMs = 15 * minute;
export const intervalMs = 5000;
/** Clocks and networks vary, so a call may come a little early. */
export const leastIntervalMs = intervalMs - 1000;
/** As long as the longest that the form for tokens offers without a date. */
export const tokenLifeDays = 365;

/** Letters that are not mistaken for each other. Without vowels they form no words. */
const letters = "BCDFGHJKLMNPQRSTVWXZ";
const codeLength = 8;
const fairBelow = 256 - (256 % letters.length);

export function newUserCode(random: Random): string {
  let code = "";
  while (code.length < codeLength)
    for (const byte of random.bytes(16))
      if (byte < fairBelow && code.length < codeLength) code += letters[byte % letters.length];
  return code;
}

/** As programs and pages show it. */
export const showUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** The code from what a person types, in any case and with any separators; undefined if it cannot be one. */
export function readUserCode(text: string): string | undefined {
  const code = text
    .slice(0, 40)
    .toUpperCase()
    .replace(/[\s\p{P}]/gu, "");
  return code.length === codeLength && [...code].every((letter) => letters.includes(letter)) ? code : undefined;
}
