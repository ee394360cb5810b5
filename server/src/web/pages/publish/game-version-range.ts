// The game versions that a manifest means: its range, in the notation of its loader, applied to the known ones. The
// author sees this guess and can change it. And families ("0.5") and ranges of versions, which the form ticks as a
// whole.
import { compareVersionNumbers, parseRange } from "#content/resolve/version-ranges.js";

/** "0.5.13" belongs to 0.5. */
export const familyOf = (version: string): string => version.split(".").slice(0, 2).join(".");

/** The versions that were ticked, with all of each ticked family. An unknown family stays, and is refused by its name. */
export function withFamilies(
  ticked: readonly string[],
  families: readonly string[],
  known: readonly string[],
): string[] {
  const wanted = new Set(families);
  const found = known.filter((version) => wanted.has(familyOf(version)));
  for (const version of found) wanted.delete(familyOf(version));
  return [...new Set([...ticked, ...found, ...wanted])];
}

/** All versions from one to the other, in either order; `to` may be empty: the newest. An unknown end is refused later. */
export function withRange(ticked: readonly string[], from: string, to: string, known: readonly string[]): string[] {
  if (from === "") return [...ticked];
  const ends = [from, to || known[0]!];
  const [start, end] = ends.map((each) => known.indexOf(each)).sort((a, b) => a - b);
  const found = start === -1 ? ends : known.slice(start, end! + 1);
  return [...new Set([...ticked, ...found])];
}

type Test = (version: string) => boolean;

const number = "[0-9][A-Za-z0-9.+-]*";
const interval = new RegExp(`^([\\[(])\\s*(?:(${number})\\s*)?,\\s*(?:(${number})\\s*)?([\\])])$`);
const exact = new RegExp(`^=?v?(${number})$`);
const wildcard = /^(\d+(?:\.\d+)*)\.[xX*]$/;

/** Empty for "any" and for texts that are no range: ticking everything would claim more than the author did. */
export function gameVersionsIn(range: string | null, known: readonly string[]): string[] {
  const tests = (range ?? "").split("||").flatMap((part) => toTest(part.trim()) ?? []);
  return known.filter((version) => tests.some((test) => test(version)));
}

function toTest(text: string): Test | undefined {
  const prefix = wildcard.exec(text)?.[1];
  if (prefix !== undefined) return (version) => version === prefix || version.startsWith(`${prefix}.`);
  const whole = exact.exec(text)?.[1];
  if (whole !== undefined) return (version) => version === whole || compareVersionNumbers(version, whole) === 0;
  if (/^[\^~]/.test(text)) return about(text[0]!, text.slice(1).trim());
  const between = interval.exec(text);
  if (between) return within(between);
  return parseRange(text);
}

/** "^0.4.2" is below 0.5, "^1.4" below 2; "~0.4.2" is below 0.5. */
function about(sign: string, from: string): Test | undefined {
  if (!exact.test(from)) return undefined;
  const parts = (/^\d+(?:\.\d+)*/.exec(from)?.[0] ?? "").split(".").map(Number);
  const firstOpen = parts.findIndex((part) => part > 0);
  const at = sign === "~" ? Math.min(1, parts.length - 1) : firstOpen < 0 ? 0 : firstOpen;
  const below = [...parts.slice(0, at), parts[at]! + 1].join(".");
  return (version) => compareVersionNumbers(version, from) >= 0 && compareVersionNumbers(version, below) < 0;
}

function within([, open, from, to, close]: RegExpExecArray): Test {
  return (version) => {
    const low = from === undefined ? 1 : compareVersionNumbers(version, from);
    const high = to === undefined ? -1 : compareVersionNumbers(version, to);
    return (open === "[" ? low >= 0 : low > 0) && (close === "]" ? high <= 0 : high < 0);
  };
}
