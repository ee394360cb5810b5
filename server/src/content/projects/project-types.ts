// The types that a project is given: text from a form or a list, each known, and together allowed by the taxonomy.

import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { invalid } from "#platform/errors.js";
import { say } from "#words/said.js";

/** A list, its JSON text (forms can send nothing else), or one type by itself. */
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
    // Not JSON, and so no list; the caller says so.
    return undefined;
  }
}

/** The same types, each once, if a project may have them together. */
export function getTypes(taxonomy: Taxonomy, given: readonly string[]): string[] {
  const verdict = taxonomy.allowedTypeCombination(given);
  if (!verdict.ok) throw invalid({ path: "type", message: verdict.reason });
  return [...new Set(given)];
}
