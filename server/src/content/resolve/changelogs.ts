// What happened between two versions of a project: their changelogs, newest first, within bounds. Pure.
import type { VersionEntry } from "#content/versions/entries.js";
import { fits, type Setup } from "./graph.js";
import type { ChangelogPart } from "./shapes.js";
import { toVersionSummary } from "./show.js";

/** Letters; texts beyond are cut. */
const longestText = 8192;
const longestList = 32 * 1024;
const mostVersions = 50;

/** What is left for all projects of one answer. */
export interface TextBudget {
  letters: number;
}

/** Those of the setup's loader and channels; the game version may have been another on the way. */
export function mergeChangelogs(
  versions: readonly VersionEntry[],
  [current, next]: readonly [VersionEntry, VersionEntry],
  { loader, channels }: Setup,
  budget: TextBudget,
): { changelogs: ChangelogPart[]; changelogsTruncated: boolean } {
  const changelogs: ChangelogPart[] = [];
  let left = longestList;
  let isCut = false;
  const between = versions.slice(versions.indexOf(next), Math.max(versions.indexOf(current), 0));
  for (const version of between.filter((each) => each === next || fits(each, { loader, channels }))) {
    const text = version.own.value;
    // The next older one says the same: once is enough.
    if (text.changelog === "" || text.isDuplicate) continue;
    const room = Math.min(longestText, left, budget.letters);
    if (room <= 0 || changelogs.length >= mostVersions) {
      isCut = true;
      break;
    }
    const shown = text.changelog.slice(0, room).toWellFormed();
    const truncated = shown.length < text.changelog.length;
    left -= shown.length;
    budget.letters -= shown.length;
    isCut ||= truncated;
    changelogs.push({ version: toVersionSummary(version), changelog: shown, truncated });
  }
  return { changelogs, changelogsTruncated: isCut };
}
