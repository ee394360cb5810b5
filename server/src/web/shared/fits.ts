// Whether projects and versions fit the visitor's set-up. This is decided for single versions, because a project may
// have one version for the loader and another one for the game version.

import type { ProjectListItem } from "#content/shapes/project.js";
import { channels } from "#content/shapes/version.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { type VersionEntry, versionEntries } from "#content/versions/entries.js";
import type { Resources } from "#platform/http/resources.js";
import { hasSetup, type Setup } from "#web/context/preferences.js";
import type { Fit } from "#web/parts/project-card.js";
import { downloadPath } from "./version-paths.js";

/**
 * The set-up with only those loaders that a project of these types can have: a shader is never for the loader of mods, so
 * it is not compared with it.
 */
export const setupFor = (setup: Setup, taxonomy: Taxonomy, types: readonly string[]): Setup => ({
  ...setup,
  loaders: setup.loaders.filter((loader) =>
    types.some((type) => taxonomy.loadersFor(type).some(({ name }) => name === loader)),
  ),
});

/** One of the loaders is enough; a version without loaders works with each of them. */
export const fitsSetup = (
  { gameVersions, loaders }: Pick<VersionEntry, "gameVersions" | "loaders">,
  setup: Setup,
): boolean =>
  (setup.gameVersion === "" || gameVersions.has(setup.gameVersion)) &&
  (setup.loaders.length === 0 || loaders.size === 0 || setup.loaders.some((loader) => loaders.has(loader)));

/** Undefined if no set-up is chosen. */
export async function findFits(
  resources: Resources,
  setup: Setup,
  projects: readonly ProjectListItem[],
): Promise<Map<string, Fit> | undefined> {
  if (!hasSetup(setup)) return undefined;
  const versions = await versionEntries(resources).load(projects.map(({ id }) => id));
  const taxonomy = await getTaxonomy(resources);
  const fitOf = ({ id, slug, type }: ProjectListItem): Fit => {
    const mine = setupFor(setup, taxonomy, type);
    const offered = (versions.get(id) ?? []).filter(({ yanked }) => !yanked);
    const best = mostStable(offered.filter((each) => fitsSetup(each, mine)));
    if (best) return { download: downloadPath(slug, best), needsOthers: best.needsOthers, channel: best.channel };
    const near = offered.filter((each) => fitsSetup(each, { ...mine, gameVersion: "" }));
    if (near.length === 0 && offered.length > 0) return { notFor: mine.loaders };
    return { newest: taxonomy.sortGameVersions(near.flatMap(({ gameVersions }) => [...gameVersions]))[0] };
  };
  return new Map(projects.map((project) => [project.id, fitOf(project)]));
}

const mostStable = (versions: readonly VersionEntry[]): VersionEntry | undefined =>
  channels.flatMap((channel) => versions.find((version) => version.channel === channel) ?? [])[0];
