// The changelogs between two versions of a project, newest first and limited in length. Pure.
import type { VersionEntry } from "#content/versions/entries.js";
import { fits, type Setup } from "./graph.js";
import type { ChangelogPart } from "./shapes.js";
import { toVersionSummary } from "./show.js";

/** In characters; longer texts are cut. */
const longestText = 8192;
const longestList = 32 * 1024;
const mostVersions = 50;

/** The characters that are left for all projects of one answer. */
export interface TextBudget {
  letters: number;
}

/** Includes the versions for the setup's loader and channels; the game version may differ. */
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
    const { changelog, isDuplicate } = version;
    // The next older version has the same text, which is shown once.
    if (changelog === "" || isDuplicate) continue;
    const room = Math.min(longestText, left, budget.letters);
    if (room <= 0 || changelogs.length >= mostVersions) {
      isCut = true;
      break;
    }
    const shown = changelog.slice(0, room).toWellFormed();
    const truncated = shown.length < changelog.length;
    left -= shown.length;
    budget.letters -= shown.length;
    isCut ||= truncated;
    changelogs.push({ version: toVersionSummary(version), changelog: shown, truncated });
  }
  return { changelogs, changelogsTruncated: isCut };
}
