// The content of a project's badges. Withdrawn and quarantined versions are ignored.

import type { ProjectEntry } from "#content/projects/entries.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { parseChannels } from "#content/versions/channels.js";
import { type VersionEntry, versionEntries } from "#content/versions/entries.js";
import { findLatest } from "#content/versions/policy.js";
import type { Resources } from "#platform/http/resources.js";
import { type Badge, shortNumber, shortRange } from "./badge.js";
import type { BadgeKind } from "./contract.js";

const colors = { good: "#2d7a3e", plain: "#0b6aa2", early: "#a35200", none: "#6e6e6e" } as const;

export async function makeBadge(resources: Resources, entry: ProjectEntry, kind: BadgeKind): Promise<Badge> {
  const { project } = entry;
  if (kind === "downloads") return { label: kind, message: shortNumber(project.downloads), color: colors.good };
  if (kind === "license") return named(kind, project.licenseId || project.licenseName);
  const versions = (await versionEntries(resources).load([entry.id])).get(entry.id) ?? [];
  const offered = versions.filter((version) => !version.yanked);
  if (kind === "version") return versionBadge(offered);
  const { sortGameVersions, loaderLabel } = await getTaxonomy(resources);
  if (kind === "loaders") return named(kind, [...union(offered, "loaders")].map(loaderLabel).sort().join(" | "));
  return named("game versions", shortRange(sortGameVersions([...union(offered, "gameVersions")])));
}

const named = (label: string, message: string): Badge =>
  message === "" ? { label, message: "none", color: colors.none } : { label, message, color: colors.plain };

const union = (versions: readonly VersionEntry[], key: "loaders" | "gameVersions"): Set<string> =>
  new Set(versions.flatMap((version) => [...version[key]]));

/** The newest release; if there is none yet, the newest version. */
function versionBadge(versions: readonly VersionEntry[]): Badge {
  const release = findLatest(versions, { channels: parseChannels("release") });
  const shown = release ?? findLatest(versions, {});
  if (!shown) return named("version", "");
  return { label: "version", message: shown.versionNumber, color: release ? colors.plain : colors.early };
}
