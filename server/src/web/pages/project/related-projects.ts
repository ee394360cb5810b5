// Other projects on the page of a project: those that a modpack includes, similar ones, and others of the same author. They
// come from prepared projects and the search index in memory, so that they need no statement.
import { preparedOf } from "#content/catalog/prepared-catalog.js";
import type { PreparedProject } from "#content/records/prepared-project.js";
import type { Project, ProjectListItem } from "#content/shapes/project.js";
import { liveIndexOf } from "#discovery/search/live-index.js";
import { findByAuthor, findSimilar } from "#discovery/search/similar.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";
import { newestVersion, type PageView } from "#web/shared/project-view.js";

export type RelatedProject = Pick<ProjectListItem, "id" | "slug" | "name" | "icon" | "summary">;

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
  const ofAuthor = findByAuthor(index, project.id, authorOf(project), triedOfAuthor);
  return { included, similar: findSimilar(index, project, mostSimilar + mostOfAuthor), ofAuthor };
}

/** Returns undefined for a project that is not prepared at present, and null for one that is not listed. */
type Get = (id: string) => KnownProject | null | undefined;

interface KnownProject extends RelatedProject {
  author: string | undefined;
}

/** The same popular projects are on many pages. */
const tileBytes = 4 * 1024 * 1024;
const tilesOf = perServer((resources: Resources) =>
  resources.memory.createCache<{ known: KnownProject; edition: number }>({ name: "projectTiles", bytes: tileBytes }),
);

function toKnown(project: PreparedProject): KnownProject | null {
  if (!project.details.isListed) return null;
  const { id, slug, name, icon, summary, author } = itemOf(project);
  return { id, slug, name, icon, summary, author };
}

const itemOf = (project: PreparedProject): ProjectListItem =>
  JSON.parse(project.pieceText("listItem")) as ProjectListItem;

function peekKnown(resources: Resources): Get {
  const prepared = preparedOf(resources);
  const { places } = prepared;
  const tiles = tilesOf(resources);
  const { isFollowing } = resources.changeLog;
  return (id) => {
    const edition = places.editionOf(id);
    const kept = isFollowing ? tiles.get(id) : undefined;
    if (kept && kept.edition === edition) return kept.known;
    const project = prepared.peek(id);
    if (!project) return places.isHidden(places.find(id) ?? -1) ? null : undefined;
    const known = toKnown(project);
    if (known && edition !== undefined)
      tiles.set(
        id,
        { known, edition },
        200 + 2 * (known.name.length + known.summary.length + (known.icon?.length ?? 0)),
      );
    return known;
  };
}

export async function listRelated(resources: Resources, view: PageView): Promise<RelatedProjects> {
  const found = find(resources, view);
  const included = await preparedOf(resources).load(idsOfIncluded(found));
  const peek = peekKnown(resources);
  const missing = [...found.ofAuthor, ...found.similar].filter((id) => peek(id) === undefined);
  const loaded = missing.length === 0 ? undefined : await preparedOf(resources).load(missing);
  const get: Get = (id) => {
    const project = loaded?.get(id);
    return project ? toKnown(project) : peek(id);
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
  const peek = peekKnown(resources);
  let isReady = true;
  const related = toRelated(view, found, included, (id) => {
    const known = peek(id);
    if (known === undefined) isReady = false;
    return known;
  });
  return isReady ? related : undefined;
}

const idsOfIncluded = ({ included }: Found): string[] =>
  included.slice(0, mostIncluded).map(({ projectId }) => projectId);

/** The index may still contain projects that are hidden by now. */
function toRelated(
  { project }: PageView,
  found: Found,
  includes: ReadonlyMap<string, PreparedProject>,
  get: Get,
): RelatedProjects {
  const author = authorOf(project);
  const theirs = take(found.ofAuthor, mostOfAuthor, (id) => {
    const known = get(id);
    return known?.author === author ? known : undefined;
  });
  const shown = new Set(theirs.map(({ id }) => id));
  return {
    included: take(found.included, mostIncluded, ({ projectId, versionId }) => {
      const part = includes.get(projectId);
      return part && { ...itemOf(part), ...(versionId !== null && versionOf(part, versionId)) };
    }),
    includedCount: found.included.length,
    ofAuthor: theirs,
    similar: take(found.similar, mostSimilar, (id) => (shown.has(id) ? undefined : (get(id) ?? undefined))),
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
