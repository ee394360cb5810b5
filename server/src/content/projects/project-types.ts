// Parses the types of a project from a form or a list, and checks that each is known and that the taxonomy allows them
// together.

import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { invalid } from "#platform/errors.js";
import { say } from "#words/said.js";

/** A list, its JSON text (forms can only send text), or a single type. */
export function parseTypes(given: string | readonly string[]): string[] {
  if (typeof given !== "string") return [...given];
  if (!given.trimStart().startsWith("[")) return [given];
  const parsed = tryJson(given);
  if (Array.isArray(parsed) && parsed.every((item) => typeof item === "string")) return parsed;
  throw invalid({ path: "type", message: say.problems.projectTypes });
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON; the caller reports it.
    return undefined;
  }
}

/** The types without duplicates, if a project may have them together. */
export function getTypes(taxonomy: Taxonomy, given: readonly string[]): string[] {
  const verdict = taxonomy.allowedTypeCombination(given);
  if (!verdict.ok) throw invalid({ path: "type", message: verdict.reason });
  return [...new Set(given)];
}
