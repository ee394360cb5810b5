// Finds versions that the caller may see, and the form in which they see them.
import { sql } from "kysely";
import type { ProjectEntry } from "#content/projects/entries.js";
import { getVisibleProject, listVisibleIds, listVisibleProjects } from "#content/projects/read.js";
import type { IncludedVersions, VersionQuery } from "#content/projects/routes.js";
import type { Version } from "#content/shapes/version.js";
import { inList } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { parseChannels } from "./channels.js";
import { type ShownVersion, type VersionEntry, versionEntries } from "./entries.js";
import { findLatest, findVersion, isNotQuarantined, matches, type VersionFilter } from "./policy.js";

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
  const versions = (await versionEntries(resources).load([project.id])).get(project.id) ?? [];
  return { project, versions };
}

/** Without a channel, latest means release (interface §4). */
export const toLatestFilter = ({ gameVersion, loader, releaseChannel }: LatestFilter): VersionFilter => ({
  channels: parseChannels(releaseChannel || "release"),
  gameVersions: gameVersion ? [gameVersion] : undefined,
  loader,
});

/** By id or slug, or "latest" with filters. */
export async function getVisibleVersion(
  resources: Resources,
  viewer: Viewer,
  ref: string,
  version: string,
  filter: LatestFilter = {},
): Promise<{ project: ProjectEntry; version: VersionEntry }> {
  const latest = toLatestFilter(filter);
  const { project, versions } = await listVisibleVersions(resources, viewer, ref);
  const found = version === "latest" ? findLatest(versions, latest) : findVersion(versions, version);
  if (!found) throw fail.versionNotFound();
  return { project, version: found };
}

/** Versions by id, in that order, without those that the caller may not see. */
export async function listVersionsByIds(
  resources: Resources,
  viewer: Viewer,
  ids: readonly string[],
): Promise<VersionEntry[]> {
  const projectIds = [...new Set((await findProjectsOfVersions(resources.db, ids)).values())];
  const projects = await listVisibleProjects(resources, viewer, projectIds);
  const versions = await versionEntries(resources).load(projects.map(({ id }) => id));
  const byId = new Map([...versions.values()].flat().map((version) => [version.id, version]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The id of the project of each of these versions, whether or not the caller may see it. */
export async function findProjectsOfVersions(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("versions")
    .select(["id", "project_id"])
    .where(inList(db, sql.ref("id"), ids))
    .where(isNotQuarantined)
    .execute();
  return new Map(rows.map((row) => [row.id, row.project_id]));
}

/**
 * The matching versions of each project. Withdrawn versions are left out, because these lists are used to find updates.
 */
export async function listFittingVersions(
  resources: Resources,
  projectIds: readonly string[],
  { gameVersion, loader, releaseChannel }: VersionQuery,
): Promise<Map<string, VersionEntry[]>> {
  const filter = {
    channels: parseChannels(releaseChannel),
    gameVersions: gameVersion ? [gameVersion] : undefined,
    loader,
  };
  const versions = await versionEntries(resources).load(projectIds);
  return new Map(
    [...versions].map(([id, list]) => [id, list.filter((version) => !version.yanked && matches(version, filter))]),
  );
}

/** The versions that answers about projects include (app.ts). */
export const includedVersions: IncludedVersions = {
  async listAll(resources, viewer, projectId) {
    const versions = (await versionEntries(resources).load([projectId])).get(projectId) ?? [];
    const shown = await showVersionsTo(resources.db, viewer, versions);
    return versions.map((version) => withoutDuplicate(shown(version)));
  },

  async listFitting(resources, viewer, projectIds, query, limit) {
    const lists = await listFittingVersions(resources, projectIds, query);
    const shown = await showVersionsTo(resources.db, viewer, [...lists.values()].flat());
    const toVersion = (version: VersionEntry): Version => shown(version).bulk.value;
    return new Map([...lists].map(([id, list]) => [id, list.slice(0, limit).map(toVersion)]));
  },
};

/** A version inside another answer: isDuplicate appears only in the list and the single version (interface §2). */
export function withoutDuplicate({ own }: ShownVersion): Version {
  const { isDuplicate: _, ...version } = own.value;
  return version;
}

/** The form in which the caller sees each of these versions: with dependencies on projects that they may see. */
export async function showVersionsTo(
  db: Db,
  viewer: Viewer,
  versions: Iterable<VersionEntry>,
): Promise<(version: VersionEntry) => ShownVersion> {
  const hidden = new Set<string>();
  if (viewer.kind !== "anonymous")
    for (const { hiddenProjects } of versions) for (const id of hiddenProjects) hidden.add(id);
  const visible = new Set(await listVisibleIds(db, viewer, [...hidden]));
  return (version) => (version.hiddenProjects.some((id) => visible.has(id)) ? version.shownWith(visible) : version);
}

export type SameVersion = Pick<Row<"versions">, "slug" | "version_number">;

/** The oldest visible version of the project with this primary file. */
export const findSameFile = (db: Db, projectId: string, sha512: string): Promise<SameVersion | undefined> =>
  db
    .selectFrom("version_files as file")
    .innerJoin("versions", "versions.primary_file_id", "file.id")
    .select(["versions.slug", "versions.version_number"])
    .where("file.sha512", "=", Buffer.from(sha512, "hex"))
    .where("file.project_id", "=", projectId)
    .where(isNotQuarantined)
    .orderBy("versions.date_published")
    .orderBy("versions.id")
    .limit(1)
    .executeTakeFirst();
