// Turns a form or a JSON body into the fields of a version: known loaders and game versions, dependencies on projects
// that the author may see. Missing fields are taken from the archive's manifest.

import { sql } from "kysely";
import { visibleTo } from "#content/projects/policy.js";
import { dependencyTypes, versionNumberPattern } from "#content/shapes/version.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { ArchiveHints } from "#content/uploads/examine.js";
import { fromJson } from "#lib/json.js";
import { lengths } from "#lib/lengths.js";
import { inList } from "#platform/db/dialect.js";
import type { Channel, Db, DependencyType, Row } from "#platform/db/tables.js";
import { type Issue, invalid } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn, Viewer } from "#platform/http/viewer.js";
import { type Said, say } from "#words/said.js";
import type { VersionParts } from "./edit-contract.js";
import { isNotQuarantined } from "./policy.js";

export interface VersionFields {
  title: string;
  changelog: string;
  featured: boolean;
  channel: Channel;
  versionNumber: string;
  loaders: string[];
  gameVersions: string[];
  dependencies: DependencyInput[];
}

export interface InputContext {
  db: Db;
  viewer: Viewer;
  taxonomy: Taxonomy;
  project: { id: string; types: readonly string[] };
  maxDependencies: number;
  /** Projects that the version's pack contains. Clients send them back with the other dependencies; they stay anyway. */
  embedded?: ReadonlySet<string> | undefined;
}

export async function inputContext(
  resources: Resources,
  viewer: SignedIn,
  project: Row<"projects">,
): Promise<InputContext> {
  return {
    db: resources.db,
    viewer,
    taxonomy: await getTaxonomy(resources),
    project: { id: project.id, types: fromJson(project.types) },
    maxDependencies: resources.config.limits.dependencies,
  };
}

/** Only the given fields. All problems are reported together. */
export async function parseVersionParts(context: InputContext, parts: VersionParts): Promise<Partial<VersionFields>> {
  const issues: Issue[] = [];
  const loaders = checkLoaders(context, parts.loaders, issues);
  const gameVersions = checkGameVersions(context, parts.gameVersions, issues);
  const dependencies = await checkDependencies(context, parts.dependencies, issues);
  if (issues.length > 0) throw invalid(...issues);
  return {
    ...(parts.title !== undefined && { title: parts.title }),
    ...(parts.changelog !== undefined && { changelog: parts.changelog ?? "" }),
    ...(parts.featured !== undefined && { featured: String(parts.featured) === "true" }),
    ...(parts.releaseChannel !== undefined && { channel: parts.releaseChannel }),
    ...(parts.versionNumber !== undefined && { versionNumber: parts.versionNumber }),
    ...(loaders && { loaders }),
    ...(gameVersions && { gameVersions }),
    ...(dependencies && { dependencies }),
  };
}

/**
 * All fields of a version: missing ones are taken from the archive, then from defaults; those still missing are
 * reported.
 */
export function completeFields(
  { taxonomy, project }: InputContext,
  given: Partial<VersionFields>,
  hints: ArchiveHints,
): VersionFields {
  const versionNumber = given.versionNumber ?? usableNumber(hints.version);
  const { gameVersions } = given;
  if (versionNumber === undefined || gameVersions === undefined) {
    const missing = Object.entries({ versionNumber, gameVersions }).filter(([, value]) => value === undefined);
    throw invalid(...missing.map(([path]) => ({ path, message: say.problems.notInArchive })));
  }
  return {
    title: titleFrom(hints.name, versionNumber),
    loaders: hints.loaders.filter((loader) => taxonomy.loadersAllowed(project.types, [loader]).ok),
    changelog: "",
    featured: false,
    channel: "release",
    dependencies: [],
    ...given,
    versionNumber,
    gameVersions,
  };
}

const numberForm = new RegExp(versionNumberPattern);

const usableNumber = (version: string | undefined): string | undefined =>
  version !== undefined && version.length <= lengths.versionNumber[1] && numberForm.test(version) ? version : undefined;

function titleFrom(name: string | undefined, versionNumber: string): string {
  const [least, most] = lengths.versionTitle;
  // Cuts by code points, not by UTF-16 units.
  const room = most - versionNumber.length - 1;
  const short = [...(name ?? "").replace(/\s+/g, " ").trim()].slice(0, Math.max(0, room)).join("").trim();
  if (short !== "") return `${short} ${versionNumber}`;
  return versionNumber.length >= least ? versionNumber : `Version ${versionNumber}`;
}

const longestName = 64;

/** A list of names without duplicates; undefined if it is absent or invalid. */
function parseNames(path: string, given: VersionParts["loaders"], issues: Issue[]): string[] | undefined {
  const list = parseList(given);
  if (list === "absent") return undefined;
  const isName = (item: unknown): item is string => typeof item === "string" && item.length <= longestName;
  if (list?.every(isName)) return [...new Set(list)];
  issues.push({ path, message: say.problems.jsonArray("short texts") });
  return undefined;
}

function checkLoaders({ taxonomy, project }: InputContext, given: VersionParts["loaders"], issues: Issue[]) {
  const loaders = parseNames("loaders", given, issues);
  const verdict = taxonomy.loadersAllowed(project.types, loaders ?? []);
  if (!verdict.ok) issues.push({ path: "loaders", message: verdict.reason });
  return loaders;
}

function checkGameVersions({ taxonomy }: InputContext, given: VersionParts["gameVersions"], issues: Issue[]) {
  const path = "gameVersions";
  const values = parseNames(path, given, issues);
  if (!values) return undefined;
  const unknown = values.filter((value) => !taxonomy.isGameVersion(value));
  if (unknown.length > 0)
    issues.push({ path, message: say.problems.unknown(unknown.slice(0, 10).join(", "), "/api/tags/game-versions") });
  else if (values.length === 0) issues.push({ path, message: say.problems.atLeastOne });
  return taxonomy.sortGameVersions(values);
}

export interface DependencyInput {
  projectId: string;
  versionId: string | null;
  type: DependencyType;
}

/** Undefined if absent. If a project is named several times, the last entry counts. */
async function checkDependencies(
  context: InputContext,
  given: string | readonly unknown[] | undefined,
  issues: Issue[],
): Promise<DependencyInput[] | undefined> {
  const list = parseList(given);
  if (list === "absent") return undefined;
  const isOfPack = (item: DependencyInput | undefined) =>
    item?.type === "embedded" && context.embedded?.has(item.projectId);
  const items = list?.map(toDependency).filter((item) => !isOfPack(item));
  if (!items?.every((item) => item !== undefined)) {
    const form = `{projectId, versionId, dependencyType: ${dependencyTypes.join(" | ")}}`;
    issues.push({ path: "dependencies", message: say.problems.jsonArray(form) });
    return undefined;
  }
  if (items.length > context.maxDependencies) {
    issues.push({ path: "dependencies", message: say.problems.atMost(context.maxDependencies) });
    return undefined;
  }
  if (items.length === 0) return [];
  const known = await findTargets(context, items);
  for (const item of items) {
    const problem = problemOf(context, item, known);
    if (problem) issues.push({ path: "dependencies", message: problem });
  }
  const resolved = items.map((item) => ({ ...item, projectId: known.projects.get(item.projectId) ?? "" }));
  return [...new Map(resolved.map((item) => [item.projectId, item])).values()];
}

function toDependency(item: unknown): DependencyInput | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const { projectId, versionId, dependencyType } = item as Record<string, unknown>;
  const type = dependencyTypes.find((known) => known === dependencyType);
  if (!isRef(projectId) || !type || (versionId && !isRef(versionId))) return undefined;
  return { projectId, versionId: isRef(versionId) ? versionId : null, type };
}

/** Strict, because the value is repeated in error messages and is only compared with ids and slugs. */
const isRef = (value: unknown): value is string => typeof value === "string" && /^[\w.+-]{1,64}$/.test(value);

interface Targets {
  /** Project ids by reference. */
  projects: ReadonlyMap<string, string>;
  /** Project ids by version id. */
  versions: ReadonlyMap<string, string>;
}

function problemOf(context: InputContext, { projectId, versionId }: DependencyInput, known: Targets): Said | undefined {
  const target = known.projects.get(projectId);
  if (target === undefined) return say.problems.noProjectNamed(projectId);
  if (target === context.project.id) return say.problems.ownProject;
  if (versionId === null || known.versions.get(versionId) === target) return undefined;
  return say.problems.noVersionOf(versionId, projectId);
}

/** Needs two statements, however many dependencies there are. */
async function findTargets({ db, viewer }: InputContext, wanted: readonly DependencyInput[]): Promise<Targets> {
  const refs = wanted.map((item) => item.projectId);
  const slugs = refs.map((ref) => ref.toLowerCase());
  const projects = await db
    .selectFrom("projects")
    .select(["projects.id", "projects.slug"])
    .where((or) => or.or([inList(db, sql.ref("projects.id"), refs), inList(db, sql.ref("projects.slug"), slugs)]))
    .where(visibleTo(viewer))
    .execute();
  const byRef = new Map(projects.flatMap(({ id, slug }) => [[slug, id] as const, [id, id] as const]));
  const versions = await db
    .selectFrom("versions")
    .select(["id", "project_id"])
    .where(
      inList(
        db,
        sql.ref("id"),
        wanted.flatMap((item) => item.versionId ?? []),
      ),
    )
    .where(isNotQuarantined)
    .execute();
  return {
    projects: new Map(
      refs.flatMap((ref) => {
        const id = byRef.get(ref) ?? byRef.get(ref.toLowerCase());
        return id === undefined ? [] : [[ref, id] as const];
      }),
    ),
    versions: new Map(versions.map((row) => [row.id, row.project_id])),
  };
}

const longestList = 1000;

/**
 * A list as clients send it: an array in a JSON body, its JSON text in a form. "absent" also for an empty text or null,
 * which some clients send for no value; undefined for anything that is not a list.
 */
export function parseList(given: string | readonly unknown[] | undefined): readonly unknown[] | "absent" | undefined {
  if (given === undefined || given === "") return "absent";
  const list = typeof given === "string" ? parseJson(given) : given;
  if (list === null) return "absent";
  return Array.isArray(list) && list.length <= longestList ? list : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON; the caller reports it.
    return undefined;
  }
}
