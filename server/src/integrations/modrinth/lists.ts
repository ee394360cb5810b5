// JSON arrays in the parameters of a URL, as Modrinth's clients write them: ids=["a","b"].
import { invalid } from "#platform/errors.js";
import { say } from "#words/said.js";

/** More than our own routes take: launchers send all projects of an installation at once. */
export const mostIds = 500;
const mostFilters = 100;
const longestText = 64;

/** Each text once. An empty list is one; anything else than an array of short texts is refused. */
export function parseTexts(path: string, text: string, most: number): string[] {
  const list = readJson(text);
  const isText = (each: unknown): each is string => typeof each === "string" && each.length <= longestText;
  if (!Array.isArray(list) || !list.every(isText))
    throw invalid({ path, message: say.problems.jsonArray('short texts, such as ["a","b"]') });
  const texts = [...new Set(list)];
  if (texts.length > most) throw invalid({ path, message: say.problems.tooManyItems(most) });
  return texts;
}

export const parseIdTexts = (text: string): string[] => parseTexts("ids", text, mostIds);

/** A filter that is absent or empty lets everything pass. */
export const parseFilter = (path: string, text: string | undefined): string[] =>
  text === undefined || text === "" ? [] : parseTexts(path, text, mostFilters);

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON; the caller says what was expected.
    return undefined;
  }
}
