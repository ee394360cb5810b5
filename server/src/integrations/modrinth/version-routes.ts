// Reads of versions in Modrinth's form, by id, number and list.
import { preparedOf } from "#content/catalog/prepared-catalog.js";
import { findPrepared } from "#content/projects/read.js";
import type { PreparedProject } from "#content/records/prepared-project.js";
import type { VersionEntry } from "#content/versions/entries.js";
import { matches, toSetFilter, type VersionFilter } from "#content/versions/policy.js";
import {
  findProjectsOfVersions,
  getVisibleVersion,
  listVersionsByIds,
  listVisibleVersions,
  showVersionsTo,
} from "#content/versions/read.js";
import { fail } from "#platform/errors.js";
import { type Parsed, type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { answer, type Draft, draftList, draftOne } from "./drafts.js";
import { type Item, type VersionForm, versionItem } from "./items.js";
import { parseFilter, parseIdTexts } from "./lists.js";
import { channelsOf, toModrinthVersion } from "./mapping.js";
import type { ModrinthVersion } from "./shapes.js";
import * as contract from "./version-contract.js";

export const modrinthVersionRoutes: Route[] = [
  route(contract.modrinthGetProjectVersions, async ({ params, query, viewer }, resources) => {
    if (viewer.kind === "anonymous") {
      const project = await getPrepared(resources, params.ref);
      return answer(resources, draftVersions(resources, project, toListQuery(query)));
    }
    const { filter, isWanted, page, form } = toListQuery(query);
    const { versions } = await listVisibleVersions(resources, viewer, params.ref);
    const fitting = versions.filter(
      (version) => !version.yanked && isWanted(version.featured) && matches(version, filter),
    );
    return toVersions(resources, viewer, page(fitting), form);
  }),

  // "latest" means nothing here: it could be the number of a version.
  route(contract.modrinthGetProjectVersion, async ({ params, viewer }, resources) => {
    if (params.version === "latest") throw fail.versionNotFound();
    if (viewer.kind === "anonymous") {
      const project = await getPrepared(resources, params.ref);
      const ordinal = project.findVersion(params.version);
      if (ordinal < 0) throw fail.versionNotFound();
      return answer(resources, draftOne(versionItem(project, ordinal)));
    }
    const { version } = await getVisibleVersion(resources, viewer, params.ref, params.version);
    return oneVersion(resources, viewer, version);
  }),

  route(contract.modrinthGetVersion, async ({ params, viewer }, resources) => {
    if (viewer.kind !== "anonymous")
      return oneVersion(resources, viewer, (await listVersionsByIds(resources, viewer, [params.version]))[0]);
    const [item] = await listItems(resources, [params.version]);
    if (!item) throw fail.versionNotFound();
    return answer(resources, draftOne(item));
  }),

  route(contract.modrinthGetVersions, async ({ query, viewer }, resources) => {
    const ids = parseIdTexts(query.ids);
    if (viewer.kind === "anonymous") return answer(resources, draftList(await listItems(resources, ids)));
    return toVersions(resources, viewer, await listVersionsByIds(resources, viewer, ids));
  }),
];

type VersionsQuery = Parsed<(typeof contract.modrinthGetProjectVersions)["query"]>;

export interface ListQuery {
  filter: VersionFilter;
  /** Whether a version with this mark is wanted. */
  isWanted(featured: boolean): boolean;
  page<T>(all: readonly T[]): T[];
  form: VersionForm;
}

/** Everything is filtered before the page is cut; Modrinth cuts the page before it looks at `featured`. */
export function toListQuery(query: VersionsQuery): ListQuery {
  const { featured, version_type, limit = Number.POSITIVE_INFINITY, offset = 0 } = query;
  return {
    filter: {
      loaders: new Set(parseFilter("loaders", query.loaders)),
      gameVersions: parseFilter("game_versions", query.game_versions),
      channels: version_type && new Set(channelsOf(version_type)),
    },
    isWanted: (mark) => featured === undefined || String(mark) === featured,
    page: (all) => all.slice(offset, offset + limit),
    form: { changelog: query.include_changelog !== "false" },
  };
}

/** For callers who see only public projects. */
export function draftVersions(
  resources: Resources,
  project: PreparedProject,
  { filter, isWanted, page, form }: ListQuery,
): Draft {
  const [set, { sets }] = [toSetFilter(filter), preparedOf(resources)];
  const ordinals: number[] = [];
  for (let next = project.findNextFitting(set, sets, 0); next >= 0; next = project.findNextFitting(set, sets, next + 1))
    if (isWanted(project.hasFlag(next, "featured"))) ordinals.push(next);
  return draftList(page(ordinals).map((ordinal) => versionItem(project, ordinal, form)));
}

async function getPrepared(resources: Resources, ref: string): Promise<PreparedProject> {
  const project = await findPrepared(resources, ref);
  if (!project) throw fail.projectNotFound();
  return project;
}

/** Versions of public projects by id, in that order; one statement. */
async function listItems(resources: Resources, ids: readonly string[]): Promise<Item[]> {
  const owners = await findProjectsOfVersions(resources.db, ids);
  const projects = await preparedOf(resources).load([...new Set(owners.values())]);
  return ids.flatMap((id) => {
    const project = projects.get(owners.get(id) ?? "");
    const ordinal = project?.findVersion(id) ?? -1;
    return project && ordinal >= 0 ? [versionItem(project, ordinal)] : [];
  });
}

export async function oneVersion(
  resources: Resources,
  viewer: Viewer,
  version: VersionEntry | undefined,
): Promise<ModrinthVersion> {
  if (!version) throw fail.versionNotFound();
  return (await toVersions(resources, viewer, [version]))[0]!;
}

/** With the dependencies that the caller may see. */
async function toVersions(
  { db }: Resources,
  viewer: Viewer,
  versions: readonly VersionEntry[],
  form?: VersionForm,
): Promise<ModrinthVersion[]> {
  const shown = await showVersionsTo(db, viewer, versions);
  return versions.map((version) => toModrinthVersion(shown(version).bulk.value, form));
}

export async function toVersionMap(
  { db }: Resources,
  viewer: Viewer,
  versions: ReadonlyMap<string, VersionEntry>,
): Promise<Map<string, ModrinthVersion>> {
  const shown = await showVersionsTo(db, viewer, versions.values());
  return new Map(Array.from(versions, ([key, version]) => [key, toModrinthVersion(shown(version).bulk.value)]));
}
