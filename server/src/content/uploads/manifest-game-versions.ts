// The game versions that a manifest means: its range, in the notation of its loader, applied to the known ones. It is a
// guess that the author sees and can change.
import { compareVersionNumbers, parseRange } from "#lib/version-ranges.js";

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
