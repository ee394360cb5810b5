// How the projects of a list fit the visitor's set-up. This is decided for single versions, because a project may have
// one version for the loader and another one for the game version.

import { fitsPlace } from "#content/resolve/graph.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import { channels } from "#content/shapes/version.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { type VersionEntry, versionEntries } from "#content/versions/entries.js";
import type { Resources } from "#platform/http/resources.js";
import type { Setup } from "#web/context/preferences.js";
import type { Fit } from "#web/parts/project-card.js";
import { downloadPath } from "./version-paths.js";

/** Undefined if no set-up is chosen. */
export async function findFits(
  resources: Resources,
  { gameVersion, loader }: Setup,
  projects: readonly ProjectListItem[],
): Promise<Map<string, Fit> | undefined> {
  if (gameVersion === "" && loader === "") return undefined;
  const versions = await versionEntries(resources).load(projects.map(({ id }) => id));
  const { sortGameVersions } = await getTaxonomy(resources);
  const fitOf = ({ id, slug }: ProjectListItem): Fit => {
    const offered = (versions.get(id) ?? []).filter(({ yanked }) => !yanked);
    const best = mostStable(offered.filter((each) => fitsPlace(each, { gameVersion, loader })));
    if (best) return { download: downloadPath(slug, best), needsOthers: best.needsOthers };
    const near = offered.filter((each) => fitsPlace(each, { loader }));
    if (near.length === 0 && offered.length > 0) return { notFor: loader };
    return { newest: sortGameVersions(near.flatMap(({ gameVersions }) => [...gameVersions]))[0] };
  };
  return new Map(projects.map((project) => [project.id, fitOf(project)]));
}

const mostStable = (versions: readonly VersionEntry[]): VersionEntry | undefined =>
  channels.flatMap((channel) => versions.find((version) => version.channel === channel) ?? [])[0];
