// Unknown names of settings, and what the operator probably meant.
import { serviceLinksHint } from "./setting.js";
import { listedSettings } from "./table.js";

const prefix = "MODSHELF_";

const knownNames: ReadonlySet<string> = new Set(
  listedSettings.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name])),
);

export const isKnownName = (name: string) => knownNames.has(name);

export const isSettingVariable = (name: string) => name.toUpperCase().startsWith(prefix);

/** Names come from outside, so they are shown on one line and shortened. */
export const toShownName = (name: string) => name.slice(0, 80).replace(/[^\x21-\x7e]/g, "?");

export function unknownNameMessage(name: string): string {
  if (/_SERVICE_(?:HOST|PORT)(?:_|$)|_PORT_\d+_(?:TCP|UDP)/.test(name)) {
    return `${serviceLinksHint}.`;
  }
  const plain = name.replace(/_FILE$/, "");
  if (knownNames.has(plain)) return `is not a setting, because only secrets may come from files. Set ${plain} itself.`;
  const meant = findNearest(name);
  return meant
    ? `is not a setting. Did you mean ${meant}?`
    : "is not a setting. Remove it, or look up the right name in docs/configuration.md.";
}

function findNearest(name: string): string | undefined {
  const typed = withoutPrefix(name);
  if (typed.length > 64) return undefined;
  const ranked = [...knownNames]
    .map((known) => ({ known, distance: editDistance(typed, withoutPrefix(known)) }))
    .filter(({ known, distance }) => distance <= Math.min(3, (known.length - prefix.length) / 2))
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.known;
}

const withoutPrefix = (name: string) => (isSettingVariable(name) ? name.slice(prefix.length) : name).toUpperCase();

/** The Levenshtein distance, one row of the matrix at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
