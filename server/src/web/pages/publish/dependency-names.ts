// Dependencies as people name them, by slug and number, and as they are stored, by id.

import { findProjectIds, listVisibleProjects } from "#content/projects/read.js";
import type { Version } from "#content/shapes/version.js";
import { versionEntries } from "#content/versions/entries.js";
import { findVersion } from "#content/versions/policy.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import type { DependencyValue } from "./prefill.js";
import type { Names } from "./version-input.js";

export async function nameDependencies(resources: Resources, viewer: Viewer, version: Version): Promise<Names> {
  const ids = version.dependencies.map(({ projectId }) => projectId);
  const projects = await listVisibleProjects(resources, viewer, ids);
  const versions = await versionEntries(resources).load(projects.map(({ id }) => id));
  return {
    projects: new Map(projects.map(({ id, slug }) => [id, slug])),
    versions: new Map([...versions.values()].flat().map(({ id, slug }) => [id, slug])),
  };
}

/** The projects among them that do not exist, or that the author cannot see. */
export async function listUnknown(
  resources: Resources,
  viewer: Viewer,
  dependencies: readonly DependencyValue[],
): Promise<ReadonlySet<string>> {
  const refs = dependencies.slice(0, resources.config.limits.dependencies).map(({ project }) => project);
  const ids = await findProjectIds(resources, refs);
  const visible = await listVisibleProjects(resources, viewer, [...new Set(ids.values())]);
  const known = new Set(visible.map(({ id }) => id));
  return new Set(refs.filter((ref) => !known.has(ids.get(ref) ?? "")));
}

/**
 * Replaces version numbers by ids. Unknown ones stay as they were typed, so that the refusal names them; a list that is
 * too long is left as it is, before anything is looked up.
 */
export async function withVersionIds(
  resources: Resources,
  viewer: Viewer,
  dependencies: readonly DependencyValue[],
): Promise<readonly DependencyValue[]> {
  if (dependencies.length > resources.config.limits.dependencies) return dependencies;
  const refs = dependencies.flatMap(({ project, version }) => (version === "" ? [] : [project]));
  const ids = await findProjectIds(resources, refs);
  const visible = await listVisibleProjects(resources, viewer, [...new Set(ids.values())]);
  const versions = await versionEntries(resources).load(visible.map(({ id }) => id));
  return dependencies.map((dependency) => {
    const known = versions.get(ids.get(dependency.project) ?? "");
    const version = known && findVersion(known, dependency.version);
    return version ? { ...dependency, version: version.id } : dependency;
  });
}
