// The dependencies of a version, with the names of those that the visitor may see.

import type { ProjectEntry } from "#content/projects/entries.js";
import { listVisibleProjects } from "#content/projects/read.js";
import { dependencyTypes } from "#content/shapes/version.js";
import { type VersionEntry, versionEntries } from "#content/versions/entries.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";

export interface NamedDependency {
  id: string;
  type: (typeof dependencyTypes)[number];
  /** Undefined if the visitor may not see it. */
  project: ProjectEntry | undefined;
  /** Set if the dependency is on one specific version. */
  version: VersionEntry | undefined;
}

/** The most important ones first. The contents of a pack have a list of their own. */
export async function listNamedDependencies(
  resources: Resources,
  viewer: Viewer,
  version: VersionEntry,
): Promise<NamedDependency[]> {
  const dependencies = version.dependencies.filter(({ from_pack }) => from_pack === 0);
  if (dependencies.length === 0) return [];
  const ids = [...new Set(dependencies.map(({ on_project_id }) => on_project_id))];
  const projects = new Map((await listVisibleProjects(resources, viewer, ids)).map((entry) => [entry.id, entry]));
  const versions = await versionEntries(resources).load([...projects.keys()]);
  return dependencies
    .map(({ id, type, on_project_id, on_version_id }) => ({
      id,
      type,
      project: projects.get(on_project_id),
      version: versions.get(on_project_id)?.find((version) => version.id === on_version_id),
    }))
    .sort((a, b) => dependencyTypes.indexOf(a.type) - dependencyTypes.indexOf(b.type));
}
