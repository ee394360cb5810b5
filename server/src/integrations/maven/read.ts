// Finds the object at a path of the repository, for this caller.

import type { ProjectEntry } from "#content/projects/entries.js";
import { listVisibleProjects } from "#content/projects/read.js";
import { type FileEntry, type VersionEntry, versionEntries } from "#content/versions/entries.js";
import { findVersion } from "#content/versions/policy.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import type { Address } from "./address.js";
import { chooseDependencyVersion, extensionOf, findNamedFile } from "./policy.js";
import { type PomDependency, toMetadataXml, toPomXml } from "./xml.js";

export type Artifact =
  | { kind: "document"; text: string }
  | { kind: "file"; project: ProjectEntry; version: VersionEntry; file: FileEntry };

/** The project must be one that the caller may see. */
export async function findArtifact(
  resources: Resources,
  viewer: Viewer,
  project: ProjectEntry,
  { artifact, version: ref, fileName }: Address,
): Promise<Artifact | undefined> {
  const versions = (await versionEntries(resources).load([project.id])).get(project.id) ?? [];
  if (ref === undefined)
    return fileName === "maven-metadata.xml" ? toMetadata(resources, artifact, versions) : undefined;
  const version = findVersion(versions, ref);
  if (!version) return undefined;
  if (fileName === `${artifact}-${ref}.pom`) return toPom(resources, viewer, project, version, { artifact, ref });
  const file = findNamedFile(version, fileName, { artifact, version: ref });
  return file && { kind: "file", project, version, file };
}

/** A withdrawn version is still available by name, but is not listed. */
function toMetadata({ config }: Resources, artifactId: string, all: readonly VersionEntry[]): Artifact | undefined {
  const versions = all.filter((version) => !version.yanked);
  const [newest] = versions;
  if (!newest) return undefined;
  const release = versions.find(({ channel }) => channel === "release") ?? newest;
  const text = toMetadataXml({
    groupId: config.mavenGroup,
    artifactId,
    latest: newest.slug,
    release: release.slug,
    versions: versions.map(({ slug }) => slug).reverse(),
    lastUpdated: newest.datePublished,
  });
  return { kind: "document", text };
}

/** Uses artifact and version as requested: a client compares the document with its own coordinates. */
async function toPom(
  resources: Resources,
  viewer: Viewer,
  { project }: ProjectEntry,
  version: VersionEntry,
  asked: { artifact: string; ref: string },
): Promise<Artifact> {
  const { config } = resources;
  const text = toPomXml({
    groupId: config.mavenGroup,
    artifactId: asked.artifact,
    version: asked.ref,
    packaging: extensionOf(version.files[0]!.name),
    name: project.name,
    description: project.summary,
    url: `${config.http.url}/project/${project.slug}`,
    license: project.licenseName === "" ? undefined : { name: project.licenseName, url: project.licenseUrl },
    dependencies: await listPomDependencies(resources, viewer, version),
  });
  return { kind: "document", text };
}

/** Required and optional dependencies that the caller can see; embedded ones are in the file already. */
async function listPomDependencies(
  resources: Resources,
  viewer: Viewer,
  version: VersionEntry,
): Promise<PomDependency[]> {
  const named = version.dependencies.filter(({ type }) => type === "required" || type === "optional");
  const ids = [...new Set(named.map(({ on_project_id }) => on_project_id))];
  const projects = await listVisibleProjects(resources, viewer, ids);
  const versions = await versionEntries(resources).load(projects.map(({ id }) => id));
  return projects
    .flatMap(({ id, slug }) => {
      const dependency = named.find(({ on_project_id }) => on_project_id === id)!;
      const chosen = chooseDependencyVersion(version, dependency.on_version_id, versions.get(id) ?? []);
      if (!chosen) return [];
      return {
        groupId: resources.config.mavenGroup,
        artifactId: slug,
        version: chosen.slug,
        type: extensionOf(chosen.files[0]!.name),
        optional: dependency.type === "optional",
      };
    })
    .sort((a, b) => (a.artifactId < b.artifactId ? -1 : 1));
}
