// Checks that a schema cannot express: names that refer to other entries must exist, and names must be unique. The
// value may break the schema elsewhere; one run then reports both kinds of mistakes.
import { type Said, say } from "#words/said.js";
import { spdxLicenses } from "./licenses.js";
import { reservedPaths } from "./terms.js";
import { type Path, quote } from "./yaml-source.js";

interface Found {
  text: string;
  path: Path;
}

interface BrokenReference {
  path: Path;
  message: Said;
}

type LineOf = (path: Path) => number;

/** The strings at a path; "*" matches every item of a list. */
function select(value: unknown, pattern: Path, path: Path = []): Found[] {
  const [step, ...rest] = pattern;
  if (step === undefined) return typeof value === "string" ? [{ text: value, path }] : [];
  if (typeof value !== "object" || value === null) return [];
  if (step !== "*") return select((value as Record<string | number, unknown>)[step], rest, [...path, step]);
  return Array.isArray(value) ? value.flatMap((item, index) => select(item, rest, [...path, index])) : [];
}

/** Names that differ only in case count as duplicates: users confuse them, and some URLs ignore case. */
function* findRepeated(names: Found[], lineOf: LineOf): Generator<BrokenReference> {
  const first = new Map<string, Path>();
  for (const { text, path } of names) {
    const earlier = first.get(text.toLowerCase());
    if (!earlier) first.set(text.toLowerCase(), path);
    else yield { path, message: say.taxonomy.nameTwice(quote(text), lineOf(earlier)) };
  }
}

function* findUnknown(
  names: Found[],
  known: string[],
  missing: (name: string, hint: Said) => Said,
): Generator<BrokenReference> {
  const all = new Set(known);
  for (const { text, path } of names) {
    if (!all.has(text)) yield { path, message: missing(quote(text), didYouMean(text, known)) };
  }
}

function* findWrongLicenses(value: unknown, lineOf: LineOf): Generator<BrokenReference> {
  const additional = select(value, ["licenses", "additional", "*", "id"]);
  const featured = select(value, ["licenses", "featured", "*"]);
  const { spdx = true } = Object((value as { licenses?: unknown }).licenses);
  const listed = spdx === false ? [] : spdxLicenses.map(({ licenseId }) => licenseId);
  yield* findRepeated(additional, lineOf);
  yield* findRepeated(featured, lineOf);
  yield* findUnknown(featured, [...listed, ...additional.map(({ text }) => text)], say.taxonomy.noLicense);
  const listedInAnyCase = new Set(listed.map((id) => id.toLowerCase()));
  for (const { text, path } of additional) {
    if (listedInAnyCase.has(text.toLowerCase())) {
      yield { path, message: say.taxonomy.onSpdxList(quote(text)) };
    }
  }
}

/** The paths of lists; without one, it is the name and an s. */
function* findTakenPaths(value: object, lineOf: LineOf): Generator<BrokenReference> {
  const { projectTypes } = value as { projectTypes?: unknown };
  const seen = new Set<string>();
  const paths = (Array.isArray(projectTypes) ? projectTypes : []).flatMap((type, index) => {
    const [name] = select(type, ["name"], ["projectTypes", index]);
    const [given] = select(type, ["path"], ["projectTypes", index]);
    // A repeated name has been reported already.
    if (!name || seen.has(name.text.toLowerCase())) return [];
    seen.add(name.text.toLowerCase());
    return given ?? { ...name, text: `${name.text}s` };
  });
  yield* findRepeated(paths, lineOf);
  for (const { text, path } of paths)
    if (reservedPaths.has(text)) yield { path, message: say.taxonomy.pathReserved(quote(text)) };
}

/** A generator, so that the caller can stop early: each wrong name costs a search for similar names. */
export function* findBrokenReferences(value: unknown, lineOf: LineOf): Generator<BrokenReference> {
  if (typeof value !== "object" || value === null) return;
  const types = select(value, ["projectTypes", "*", "name"]);
  const typeNames = types.map(({ text }) => text);

  yield* findRepeated(types, lineOf);
  yield* findTakenPaths(value, lineOf);
  yield* findRepeated(select(value, ["loaders", "*", "name"]), lineOf);
  yield* findRepeated(select(value, ["categories", "*", "name"]), lineOf);
  yield* findRepeated(select(value, ["gameVersions", "*", "value"]), lineOf);
  for (const pattern of [["combinations"], ["loaders", "projectTypes"], ["categories", "projectTypes"]]) {
    const [section = "", ...inner] = pattern;
    const lists = (value as Record<string, unknown>)[section];
    yield* findUnknown(select(value, [section, "*", ...inner, "*"]), typeNames, say.taxonomy.noProjectType);
    for (const index of Array.isArray(lists) ? lists.keys() : []) {
      yield* findRepeated(select(value, [section, index, ...inner, "*"]), lineOf);
    }
  }
  yield* findWrongLicenses(value, lineOf);
}

/** Suggests the most similar choice, or lists all choices if none is similar. */
export function didYouMean(text: string, choices: string[]): Said {
  const wanted = text.toLowerCase();
  const [nearest] = choices
    .map((choice) => ({ choice, distance: distanceTo(wanted, choice.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.ceil(wanted.length / 3))
    .sort((a, b) => a.distance - b.distance);
  if (nearest) return say.taxonomy.didYouMean(quote(nearest.choice));
  return choices.length > 0 && choices.length <= 16
    ? say.taxonomy.chooseFrom(choices.join(", "))
    : say.taxonomy.checkSpelling;
}

/**
 * Levenshtein distance, but a choice that starts with the text is nearer than any other except an exact match. Long
 * texts match nothing.
 */
function distanceTo(a: string, b: string): number {
  if (a !== b && a.length > 2 && b.startsWith(a)) return 0.5;
  if (a.length > 64 || Math.abs(a.length - b.length) > 8) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length]!;
}
