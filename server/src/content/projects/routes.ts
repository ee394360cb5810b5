// Projects, reading: one function a route.

import { findProfile } from "#accounts/users/read.js";
import { projectAnswer } from "#content/catalog/answers.js";
import { catalogOf } from "#content/catalog/catalog.js";
import type { ProjectEntry } from "#content/catalog/project-entries.js";
import { listProjectIds } from "#content/catalog/project-ids.js";
import { joinArray, joinMap } from "#content/catalog/ready-bytes.js";
import { type VersionEntry, withoutDuplicate } from "#content/catalog/version-entries.js";
import { showVersionsTo } from "#content/catalog/visible.js";
import { parseChannels } from "#content/versions/channels.js";
import { matches } from "#content/versions/policy.js";
import { fail } from "#platform/errors.js";
import type { ReadyAnswer } from "#platform/http/answers.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { parseIds } from "#platform/http/id-list.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import * as contract from "./contract.js";
import {
  getVisibleProject,
  listProjectIdsOfUser,
  listRandomProjectIds,
  listVisibleProjects,
  toProjectFor,
} from "./read.js";

export const projectRoutes: Route[] = [
  route(contract.getProject, async ({ params, query, viewer }, resources) => {
    const entry = await getVisibleProject(resources, viewer, params.ref);
    const withVersions = query.includeVersions === "true";
    if (viewer.kind === "anonymous" && !withVersions) return projectAnswer(entry);
    const project = await toProjectFor(resources, viewer, entry);
    if (!withVersions) return { success: true as const, project };
    const versions = (await catalogOf(resources).getVersions([entry.id])).get(entry.id) ?? [];
    const wanted = query.featuredOnly === "true" ? versions.filter((version) => version.featured) : versions;
    const shown = await showVersionsTo(resources.db, viewer, wanted);
    return {
      success: true as const,
      project: { ...project, versions: wanted.map((version) => withoutDuplicate(shown(version))) },
    };
  }),

  route(contract.checkProject, async ({ params, viewer }, resources) => {
    const { id } = await getVisibleProject(resources, viewer, params.ref);
    return { id };
  }),

  route(contract.getProjects, async ({ query, viewer }, resources) => {
    const entries = await listVisibleProjects(resources, viewer, await listProjectIds(resources, parseIds(query.ids)));
    const include = includeKind(query.include);
    if (!include) return joinArray(entries.map((entry) => entry.listItem));
    const versions = await filteredVersions(resources, entries, query);
    const limit = query["version-info-limit"] ?? 15;
    const shown = await showVersionsTo(resources.db, viewer, [...versions.values()].flat());
    return entries.map((entry) => {
      const mine = versions.get(entry.id) ?? [];
      const item = entry.listItem.value;
      if (include === "version-info")
        return { ...item, versions: mine.slice(0, limit).map((version) => shown(version).bulk.value) };
      const key = include === "version-list" ? ("versionNumber" as const) : ("slug" as const);
      return { ...item, versions: mine.map((version) => version.bulk.value[key]) };
    });
  }),

  route(contract.getRandomProjects, async ({ query, viewer }, resources) => {
    const ids = await listRandomProjectIds(resources.db, query.count ?? 20);
    const entries = await listVisibleProjects(resources, viewer, ids);
    return entries.map((entry) => {
      // interface §2: author and isOrgOwned are absent in this list.
      const { author: _author, isOrgOwned: _isOrgOwned, ...item } = entry.listItem.value;
      return item;
    });
  }),

  route(contract.getProjectsVersions, async ({ query, viewer }, resources) => {
    const entries = await listVisibleProjects(resources, viewer, await listProjectIds(resources, parseIds(query.ids)));
    const versions = await filteredVersions(resources, entries, query);
    const limit = query.limit ?? 15;
    const lists = new Map(entries.map(({ id }) => [id, (versions.get(id) ?? []).slice(0, limit)]));
    const shown = await showVersionsTo(resources.db, viewer, [...lists.values()].flat());
    return joinMap(lists, (mine) => joinArray(mine.map((version) => shown(version).bulk)));
  }),

  route(contract.getOwnProjects, async ({ query, viewer }, resources) =>
    projectsOfUser(resources, viewer, viewer.user.id, query.listedOnly === "true"),
  ),

  route(contract.getUserProjects, async ({ params, query, viewer }, resources) => {
    const user = await findProfile(resources.db, params.ref);
    if (!user) throw fail.userNotFound();
    return projectsOfUser(resources, viewer, user.id, query.listedOnly === "true");
  }),
];

async function projectsOfUser(
  resources: Resources,
  viewer: Viewer,
  userId: string,
  listedOnly: boolean,
): Promise<ReadyAnswer> {
  const ids = await listProjectIdsOfUser(resources.db, viewer, userId, listedOnly);
  const entries = await catalogOf(resources).getProjects(ids);
  return joinArray(ids.flatMap((id) => entries.get(id)?.listItem ?? []));
}

type IncludeKind = "version-info" | "version-list" | "version-slug";
/** Given several, the fullest wins; other values are ignored. */
const includeKinds: readonly IncludeKind[] = ["version-info", "version-list", "version-slug"];

function includeKind(include: string | string[] | undefined): IncludeKind | undefined {
  const given = new Set([include ?? []].flat());
  return includeKinds.find((kind) => given.has(kind));
}

interface FilterQuery {
  gameVersion?: string;
  loader?: string;
  releaseChannel?: string;
}

/** Versions that fit, by project. What its author has withdrawn is not offered: these lists are where updates are found. */
async function filteredVersions(
  resources: Resources,
  entries: readonly ProjectEntry[],
  { gameVersion, loader, releaseChannel }: FilterQuery,
): Promise<Map<string, VersionEntry[]>> {
  const filter = {
    channels: parseChannels(releaseChannel),
    gameVersions: gameVersion ? [gameVersion] : undefined,
    loader,
  };
  const versions = await catalogOf(resources).getVersions(entries.map((entry) => entry.id));
  return new Map(
    [...versions].map(([id, list]) => [id, list.filter((version) => !version.yanked && matches(version, filter))]),
  );
}
