// Routes that read versions.

import { preparedOf } from "#content/catalog/prepared-catalog.js";
import { alone, joinArray, joinMap, wrap } from "#content/catalog/ready-bytes.js";
import { type SentFile, sendFile } from "#content/downloads/send-file.js";
import type { ProjectEntry } from "#content/projects/entries.js";
import { findPrepared, listPrepared, listProjectIds, listVisibleProjects } from "#content/projects/read.js";
import type { VersionQuery } from "#content/projects/routes.js";
import { versionAnswer, versionListsAnswer, versionsAnswer } from "#content/records/prepared-answers.js";
import type { PreparedProject } from "#content/records/prepared-project.js";
import { fail } from "#platform/errors.js";
import type { ReadyAnswer } from "#platform/http/answers.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { parseIds } from "#platform/http/id-list.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { parseChannels } from "./channels.js";
import * as contract from "./contract.js";
import type { FileEntry, VersionEntry } from "./entries.js";
import { findFile, toSetFilter } from "./policy.js";
import {
  getVisibleVersion,
  type LatestFilter,
  listFittingVersions,
  listVersionsByIds,
  listVisibleVersions,
  showVersionsTo,
  toLatestFilter,
} from "./read.js";

export const versionRoutes: Route[] = [
  route(contract.getVersions, async ({ params, query, viewer }, resources) => {
    const onlyFeatured = query.featured === "true";
    if (viewer.kind === "anonymous") {
      const project = await getPrepared(resources, params.ref);
      return versionsAnswer(project, onlyFeatured ? project.listFeatured() : undefined);
    }
    const { versions } = await listVisibleVersions(resources, viewer, params.ref);
    const wanted = onlyFeatured ? versions.filter((version) => version.featured) : versions;
    const shown = await showVersionsTo(resources.db, viewer, wanted);
    return wrap("data", joinArray(wanted.map((version) => shown(version).own)));
  }),

  route(contract.getLatestVersion, async ({ params, query, viewer }, resources) => {
    if (viewer.kind === "anonymous") return preparedVersion(resources, params.ref, "latest", query);
    const { version } = await getVisibleVersion(resources, viewer, params.ref, "latest", query);
    return oneVersion(resources, viewer, version);
  }),

  route(contract.getVersion, async ({ params, viewer }, resources) => {
    if (viewer.kind === "anonymous") return preparedVersion(resources, params.ref, params.version);
    const { version } = await getVisibleVersion(resources, viewer, params.ref, params.version);
    return oneVersion(resources, viewer, version);
  }),

  route(contract.downloadPrimaryFile, async (call, resources) => {
    const { params, query, viewer } = call;
    const { project, version } = await getVisibleVersion(resources, viewer, params.ref, params.version, query);
    return sendFile(call, resources, toSent(project, version, version.files[0]), "no-cache");
  }),

  route(contract.downloadFile, async (call, resources) => {
    const { params, query, viewer } = call;
    const { project, version } = await getVisibleVersion(resources, viewer, params.ref, params.version, query);
    return sendFile(call, resources, toSent(project, version, findFile(version, params.fileName)), "no-cache");
  }),

  route(contract.getVersionById, async ({ params, viewer }, resources) => {
    const [version] = await listVersionsByIds(resources, viewer, [params.version]);
    if (!version) throw fail.versionNotFound();
    return alone((await showVersionsTo(resources.db, viewer, [version]))(version).bulk);
  }),

  route(contract.getVersionsByIds, async ({ query, viewer }, resources) => {
    const versions = await listVersionsByIds(resources, viewer, parseIds(query.ids));
    const shown = await showVersionsTo(resources.db, viewer, versions);
    return joinArray(versions.map((version) => shown(version).bulk));
  }),

  route(contract.getProjectsVersions, async ({ query, viewer }, resources) => {
    if (viewer.kind === "anonymous") return preparedLists(resources, parseIds(query.ids), query);
    const projects = await listVisibleProjects(resources, viewer, await listProjectIds(resources, parseIds(query.ids)));
    const ids = projects.map(({ id }) => id);
    const versions = await listFittingVersions(resources, ids, query);
    const lists = new Map(ids.map((id) => [id, (versions.get(id) ?? []).slice(0, query.limit ?? defaultLimit)]));
    const shown = await showVersionsTo(resources.db, viewer, [...lists.values()].flat());
    return joinMap(lists, (mine) => joinArray(mine.map((version) => shown(version).bulk)));
  }),
];

async function getPrepared(resources: Resources, ref: string): Promise<PreparedProject> {
  const project = await findPrepared(resources, ref);
  if (!project) throw fail.projectNotFound();
  return project;
}

const defaultLimit = 15;

async function preparedLists(
  resources: Resources,
  refs: readonly string[],
  { limit = defaultLimit, gameVersion, loader, releaseChannel }: VersionQuery & { limit?: number },
): Promise<ReadyAnswer> {
  const gameVersions = gameVersion ? [gameVersion] : [];
  const filter = toSetFilter({ channels: parseChannels(releaseChannel), gameVersions, loader });
  const { sets } = preparedOf(resources);
  return versionListsAnswer(
    (await listPrepared(resources, refs)).map((project) => {
      const ordinals: number[] = [];
      for (let next = 0; ordinals.length < limit; next = ordinals.at(-1)! + 1) {
        const found = project.findNextFitting(filter, sets, next);
        if (found < 0) break;
        ordinals.push(found);
      }
      return { project, ordinals };
    }),
  );
}

/** The same for anonymous callers as getVisibleVersion is for others. */
async function preparedVersion(
  resources: Resources,
  ref: string,
  version: string,
  query: LatestFilter = {},
): Promise<ReadyAnswer> {
  const filter = toLatestFilter(query);
  const project = await getPrepared(resources, ref);
  const ordinal =
    version === "latest"
      ? project.findFitting(toSetFilter(filter), preparedOf(resources).sets)
      : project.findVersion(version);
  if (ordinal < 0) throw fail.versionNotFound();
  return versionAnswer(project.source, project.blockOf(ordinal));
}

async function oneVersion({ db }: Resources, viewer: Viewer, version: VersionEntry): Promise<ReadyAnswer> {
  return wrap("data", (await showVersionsTo(db, viewer, [version]))(version).own);
}

const toSent = (project: ProjectEntry, version: VersionEntry, file: FileEntry | undefined): SentFile => {
  if (!file) throw fail.fileNotFound();
  return { projectId: project.id, versionId: version.id, file, isPublic: project.isPublic };
};
