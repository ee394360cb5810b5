// The `ids` parameter of bulk reads: a plain comma-separated list (interface §4).

import { invalid } from "#platform/errors.js";
import { say } from "#words/said.js";

export const maxIds = 100;

/** Each id once, in the order of the request. */
export function parseIds(text: string, path = "ids"): string[] {
  const ids = [
    ...new Set(
      text
        .split(",")
        .map((id) => id.trim())
        .filter((id) => id !== ""),
    ),
  ];
  if (ids.length === 0) throw invalid({ path, message: say.problems.atLeastOneId });
  if (ids.length > maxIds) throw invalid({ path, message: say.problems.mostIds(maxIds) });
  return ids;
}
