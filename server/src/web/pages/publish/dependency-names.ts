// Dependencies as people name them, by slug and number, and as they are stored, by id.
import { catalogOf } from "../../../catalog/catalog.js";
import type { Resources } from "../../../http/resources.js";
import type { Viewer } from "../../../http/viewer.js";
import { listVisibleProjects } from "../../../projects/read.js";
import { findVersion } from "../../../versions/policy.js";
import type { Version } from "../../../versions/shapes.js";
import type { DependencyValue } from "./prefill.js";
import type { Names } from "./version-input.js";

export async function nameDependencies(resources: Resources, viewer: Viewer, version: Version): Promise<Names> {
  const ids = version.dependencies.map(({ projectId }) => projectId);
  const projects = await listVisibleProjects(resources, viewer, ids);
  const versions = await catalogOf(resources).getVersions(projects.map(({ id }) => id));
  return {
    projects: new Map(projects.map(({ id, slug }) => [id, slug])),
    versions: new Map([...versions.values()].flat().map(({ id, slug }) => [id, slug])),
  };
}

/** Numbers become ids. What nobody knows stays as it was typed, to be refused by name. */
export async function withVersionIds(
  resources: Resources,
  viewer: Viewer,
  dependencies: readonly DependencyValue[],
): Promise<DependencyValue[]> {
  const catalog = catalogOf(resources);
  const named: DependencyValue[] = [];
  for (const dependency of dependencies) {
    const id = dependency.version === "" ? undefined : await catalog.findId(dependency.project);
    const [project] = id === undefined ? [] : await listVisibleProjects(resources, viewer, [id]);
    const versions = project ? (await catalog.getVersions([project.id])).get(project.id) : undefined;
    const version = versions && findVersion(versions, dependency.version);
    named.push(version ? { ...dependency, version: version.id } : dependency);
  }
  return named;
}
