// Other projects on the page of a project: those that a modpack includes, similar ones, and others of the same author. They
// come from prepared projects and the search index in memory, so that they need no statement.
import { preparedOf } from "#content/catalog/prepared-catalog.js";
import type { PreparedProject } from "#content/records/prepared-project.js";
import type { Project } from "#content/shapes/project.js";
import { liveIndexOf } from "#discovery/search/live-index.js";
import type { SearchIndex } from "#discovery/search/search-index.js";
import { findByAuthor, findSimilar } from "#discovery/search/similar.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";
import { newestVersion, type PageView } from "#web/shared/project-view.js";
import { type GetTile, itemOf, type ProjectTile, peekTiles, tileOf } from "./project-tiles.js";

export type RelatedProject = Omit<ProjectTile, "author" | "isListed">;

export interface IncludedProject extends RelatedProject {
  /** Set if a certain version is included. */
  version?: { slug: string; number: string };
}

export interface RelatedProjects {
  /** The first ones of `includedCount`. */
  included: readonly IncludedProject[];
  includedCount: number;
  similar: readonly RelatedProject[];
  ofAuthor: readonly RelatedProject[];
}

/** The page of the version lists all of them. */
const mostIncluded = 20;
const mostSimilar = 6;
const mostOfAuthor = 4;
/** More are found, because the names of other authors can have the same words. */
const triedOfAuthor = 3 * mostOfAuthor;

export const authorOf = ({ organisation, members }: Project): string =>
  organisation?.slug ?? members.find(({ isOwner }) => isOwner)?.userName ?? "";

interface Found {
  included: readonly { projectId: string; versionId: string | null }[];
  similar: readonly string[];
  ofAuthor: readonly string[];
}

function find(resources: Resources, { entry, project, versions }: PageView): Found {
  // The version of most projects need not be read.
  const newest = project.type.includes("modpack") ? newestVersion(versions) : undefined;
  const embedded = newest?.dependencies.filter(({ type }) => type === "embedded") ?? [];
  const included = embedded.map(({ on_project_id, on_version_id }) => ({
    projectId: on_project_id,
    versionId: on_version_id,
  }));
  const index = entry.isPublic ? liveIndexOf(resources).known : undefined;
  if (!index) return { included, similar: [], ofAuthor: [] };
  const ofAuthor = findOfAuthor(resources, project.id, authorOf(project)) ?? [];
  const similar = listSimilar(resources, index, project).filter((id) => id !== project.id);
  return { included, similar, ofAuthor };
}

/** Other projects that may be of this author; undefined if the index is not ready. */
export function findOfAuthor(resources: Resources, projectId: string, author: string): string[] | undefined {
  const index = liveIndexOf(resources).known;
  return index && findByAuthor(index, projectId, author, triedOfAuthor);
}

/** About 3000 lists. */
const similarBytes = 2 * 1024 * 1024;
const listBytes = 600;
/** A project that is new to the index is shown as similar to others after this time. */
const similarMs = 10 * 60_000;
const similarOf = perServer((resources: Resources) =>
  resources.memory.createCache<string[]>({ name: "similarProjects", bytes: similarBytes, ageMs: similarMs }),
);

/** Finding them takes longer the larger the site is, and many projects have the same tags. */
function listSimilar(resources: Resources, index: SearchIndex, project: Project): string[] {
  const { type, categories, loaders } = project;
  const isIndexed = index.findSlot(project.id) !== undefined;
  const lists = similarOf(resources);
  const key = JSON.stringify([isIndexed, type[0], categories, loaders]);
  const known = lists.get(key);
  if (known) return known;
  // Some of them may be shown as projects of the author, and the project itself is left out.
  const found = findSimilar(index, project, isIndexed, mostSimilar + mostOfAuthor + 1);
  lists.set(key, found, listBytes);
  return found;
}

export async function listRelated(resources: Resources, view: PageView): Promise<RelatedProjects> {
  const found = find(resources, view);
  const included = await preparedOf(resources).load(idsOfIncluded(found));
  const peek = peekTiles(resources);
  const missing = [...found.ofAuthor, ...found.similar].filter((id) => peek(id) === undefined);
  const loaded = missing.length === 0 ? undefined : await preparedOf(resources).load(missing);
  const get: GetTile = (id) => {
    const project = loaded?.get(id);
    return project ? tileOf(project) : peek(id);
  };
  return toRelated(view, found, included, get);
}

/** The same without waiting; undefined if one of them is not prepared at present. */
export function peekRelated(resources: Resources, view: PageView): RelatedProjects | undefined {
  const found = find(resources, view);
  const included = new Map<string, PreparedProject>();
  const { places } = preparedOf(resources);
  for (const id of idsOfIncluded(found)) {
    const project = preparedOf(resources).peek(id);
    if (project) included.set(id, project);
    else if (!places.isHidden(places.find(id) ?? -1)) return undefined;
  }
  const peek = peekTiles(resources);
  let isReady = true;
  const related = toRelated(view, found, included, (id) => {
    const tile = peek(id);
    if (tile === undefined) isReady = false;
    return tile;
  });
  return isReady ? related : undefined;
}

const idsOfIncluded = ({ included }: Found): string[] =>
  included.slice(0, mostIncluded).map(({ projectId }) => projectId);

/** The index may still contain projects that are not listed any more. */
function toRelated(
  { project }: PageView,
  found: Found,
  includes: ReadonlyMap<string, PreparedProject>,
  get: GetTile,
): RelatedProjects {
  const author = authorOf(project);
  const getListed = (id: string) => {
    const tile = get(id);
    return tile?.isListed ? tile : undefined;
  };
  const theirs = take(found.ofAuthor, mostOfAuthor, (id) => {
    const tile = getListed(id);
    return tile?.author === author ? tile : undefined;
  });
  const shown = new Set(theirs.map(({ id }) => id));
  return {
    included: take(found.included, mostIncluded, ({ projectId, versionId }) => {
      const part = includes.get(projectId);
      return part && { ...itemOf(part), ...(versionId !== null && versionOf(part, versionId)) };
    }),
    includedCount: found.included.length,
    ofAuthor: theirs,
    similar: take(found.similar, mostSimilar, (id) => (shown.has(id) ? undefined : getListed(id))),
  };
}

const numberField = /"versionNumber":("(?:[^"\\]|\\.)*")/;

function versionOf(prepared: PreparedProject, versionId: string): Pick<IncludedProject, "version"> {
  const ordinal = prepared.findVersion(versionId);
  const number = ordinal < 0 ? undefined : numberField.exec(prepared.versionStart(ordinal))?.[1];
  return number === undefined
    ? {}
    : { version: { slug: prepared.versionSlug(ordinal), number: JSON.parse(number) as string } };
}

/** The first ones that are found, and no more than needed. */
function take<T, U>(all: readonly T[], most: number, find: (each: T) => U | undefined): U[] {
  const taken: U[] = [];
  for (const each of all) {
    if (taken.length === most) break;
    const found = find(each);
    if (found) taken.push(found);
  }
  return taken;
}
