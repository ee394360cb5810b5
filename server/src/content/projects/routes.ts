// Routes that read projects.

import { findProfile } from "#accounts/users/read.js";
import { joinArray } from "#content/catalog/ready-bytes.js";
import { ItemsOfProjects } from "#content/records/list-items.js";
import { listItemsAnswer, projectAnswer } from "#content/records/prepared-answers.js";
import type { Version } from "#content/shapes/version.js";
import { fail } from "#platform/errors.js";
import type { ReadyAnswer } from "#platform/http/answers.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { parseIds } from "#platform/http/id-list.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import * as contract from "./contract.js";
import { projectEntries } from "./entries.js";
import {
  findPrepared,
  getVisibleProject,
  listPrepared,
  listProjectIds,
  listProjectIdsOfUser,
  listRandomProjectIds,
  listVisibleProjects,
  toProjectFor,
} from "./read.js";

export interface VersionQuery {
  gameVersion?: string;
  loader?: string;
  releaseChannel?: string;
}

/**
 * The versions that answers about projects can include. Passed in by app.ts, because projects may not import versions.
 */
export interface IncludedVersions {
  listAll(resources: Resources, viewer: Viewer, projectId: string): Promise<Version[]>;
  /** By project, newest first. */
  listFitting(
    resources: Resources,
    viewer: Viewer,
    projectIds: readonly string[],
    query: VersionQuery,
    limit?: number,
  ): Promise<Map<string, Version[]>>;
}

export const projectRoutes = (included: IncludedVersions): Route[] => [
  route(contract.getProject, async ({ params, query, viewer }, resources) => {
    const withVersions = query.includeVersions === "true";
    if (viewer.kind === "anonymous" && !withVersions) {
      const project = await findPrepared(resources, params.ref);
      if (!project) throw fail.projectNotFound();
      return projectAnswer(() => project.core, project.source);
    }
    const entry = await getVisibleProject(resources, viewer, params.ref);
    const project = await toProjectFor(resources, viewer, entry);
    if (!withVersions) return { success: true as const, project };
    const all = await included.listAll(resources, viewer, entry.id);
    const versions = query.featuredOnly === "true" ? all.filter((version) => version.featured) : all;
    return { success: true as const, project: { ...project, versions } };
  }),

  route(contract.checkProject, async ({ params, viewer }, resources) => {
    const { id } = await getVisibleProject(resources, viewer, params.ref);
    return { id };
  }),

  route(contract.getProjects, async ({ query, viewer }, resources) => {
    const include = includeKind(query.include);
    if (viewer.kind === "anonymous" && !include)
      return listItemsAnswer(new ItemsOfProjects(await listPrepared(resources, parseIds(query.ids))));
    const entries = await listVisibleProjects(resources, viewer, await listProjectIds(resources, parseIds(query.ids)));
    if (!include) return joinArray(entries.map((entry) => entry.listItem));
    const ids = entries.map(({ id }) => id);
    const limit = include === "version-info" ? (query["version-info-limit"] ?? 15) : undefined;
    const versions = await included.listFitting(resources, viewer, ids, query, limit);
    return entries.map((entry) => {
      const mine = versions.get(entry.id) ?? [];
      const item = entry.listItem.value;
      if (include === "version-info") return { ...item, versions: mine };
      const key = include === "version-list" ? ("versionNumber" as const) : ("slug" as const);
      return { ...item, versions: mine.map((version) => version[key]) };
    });
  }),

  route(contract.getRandomProjects, async ({ query, viewer }, resources) => {
    const ids = await listRandomProjectIds(resources, query.count ?? 20);
    const entries = await listVisibleProjects(resources, viewer, ids);
    return entries.map((entry) => {
      // interface §2: author and isOrgOwned are absent in this list, and with them the name of the organization.
      const { author: _author, isOrgOwned: _isOrgOwned, orgName: _orgName, ...item } = entry.listItem.value;
      return item;
    });
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
  const entries = await projectEntries(resources).load(ids);
  return joinArray(ids.flatMap((id) => entries.get(id)?.listItem ?? []));
}

type IncludeKind = "version-info" | "version-list" | "version-slug";
/** If several are given, the fullest one wins; other values are ignored. */
const includeKinds: readonly IncludeKind[] = ["version-info", "version-list", "version-slug"];

function includeKind(include: string | string[] | undefined): IncludeKind | undefined {
  const given = new Set([include ?? []].flat());
  return includeKinds.find((kind) => given.has(kind));
}
