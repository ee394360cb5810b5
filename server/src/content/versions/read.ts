// Finding versions that the caller may see.
import { catalogOf } from "#content/catalog/catalog.js";
import type { ProjectEntry } from "#content/catalog/project-entries.js";
import type { VersionEntry } from "#content/catalog/version-entries.js";
import { getVisibleProject } from "#content/projects/read.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { parseChannels } from "./channels.js";
import { findLatest, findVersion } from "./policy.js";

export interface LatestFilter {
  gameVersion?: string;
  loader?: string;
  releaseChannel?: string;
}

export async function listVisibleVersions(
  resources: Resources,
  viewer: Viewer,
  ref: string,
): Promise<{ project: ProjectEntry; versions: readonly VersionEntry[] }> {
  const project = await getVisibleProject(resources, viewer, ref);
  const versions = (await catalogOf(resources).getVersions([project.id])).get(project.id) ?? [];
  return { project, versions };
}

/** By id or slug, or "latest" with filters; without a channel latest means release (interface §4). */
export async function getVisibleVersion(
  resources: Resources,
  viewer: Viewer,
  ref: string,
  version: string,
  filter: LatestFilter = {},
): Promise<{ project: ProjectEntry; version: VersionEntry }> {
  const channels = parseChannels(filter.releaseChannel || "release");
  const { project, versions } = await listVisibleVersions(resources, viewer, ref);
  const gameVersions = filter.gameVersion ? [filter.gameVersion] : undefined;
  const found =
    version === "latest"
      ? findLatest(versions, { channels, gameVersions, loader: filter.loader })
      : findVersion(versions, version);
  if (!found) throw fail.versionNotFound();
  return { project, version: found };
}
