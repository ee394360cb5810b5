// From the texts of the form to a checked version: known loaders and game versions, dependencies that exist. What the
// author left out is taken from the archive's manifest.
import { sql } from "kysely";
import { inList } from "../db/dialect.js";
import type { Channel, Db, DependencyType } from "../db/tables.js";
import { type Issue, invalid } from "../errors.js";
import type { Viewer } from "../http/viewer.js";
import { visibleTo } from "../projects/policy.js";
import type { Taxonomy } from "../taxonomy/taxonomy.js";
import { dependencyTypes } from "./shapes.js";

export interface VersionTexts {
  title?: string;
  changelog?: string;
  featured?: string;
  releaseChannel?: Channel;
  versionNumber?: string;
  loaders?: string | string[];
  gameVersions?: string | string[];
  dependencies?: string | unknown[];
}

export interface DependencyInput {
  projectId: string;
  versionId: string | null;
  type: DependencyType;
}

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

/** Metadata of the archive, as far as it can fill gaps. */
export interface ArchiveHints {
  name?: string | undefined;
  version?: string | undefined;
  loaders: readonly string[];
}

export interface InputContext {
  db: Db;
  viewer: Viewer;
  taxonomy: Taxonomy;
  project: { id: string; types: readonly string[] };
  maxDependencies: number;
}

const numberForm = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/;

/** Only what was given; absent fields stay absent. All problems are reported together. */
export async function parseVersionTexts(context: InputContext, texts: VersionTexts): Promise<Partial<VersionFields>> {
  const issues: Issue[] = [];
  const fields: Partial<VersionFields> = {};
  if (texts.title !== undefined) fields.title = texts.title;
  if (texts.changelog !== undefined) fields.changelog = texts.changelog;
  if (texts.featured !== undefined) fields.featured = texts.featured === "true";
  if (texts.releaseChannel !== undefined) fields.channel = texts.releaseChannel;
  if (texts.versionNumber !== undefined) fields.versionNumber = texts.versionNumber;
  if (texts.loaders !== undefined)
    fields.loaders = checkLoaders(context, parseNames("loaders", texts.loaders, issues), issues);
  if (texts.gameVersions !== undefined)
    fields.gameVersions = checkGameVersions(context, parseNames("gameVersions", texts.gameVersions, issues), issues);
  if (texts.dependencies !== undefined)
    fields.dependencies = await checkDependencies(context, texts.dependencies, issues);
  if (issues.length > 0) throw invalid(...issues);
  return fields;
}

/** A whole version: gaps filled from the archive, then from defaults; what is still missing is named. */
export function completeFields(
  { taxonomy, project }: InputContext,
  given: Partial<VersionFields>,
  hints: ArchiveHints,
): VersionFields {
  const hinted = hints.version !== undefined && numberForm.test(hints.version) ? hints.version : undefined;
  const versionNumber = given.versionNumber ?? hinted;
  const title =
    given.title ?? (hints.name && versionNumber ? `${hints.name} ${versionNumber}`.slice(0, 64) : versionNumber);
  const loaders =
    given.loaders ?? hints.loaders.filter((loader) => taxonomy.loadersAllowed(project.types, [loader]).ok);
  const missing = Object.entries({ versionNumber, title, gameVersions: given.gameVersions })
    .filter(([, value]) => value === undefined)
    .map(([path]) => ({ path, message: "is missing, and the archive does not say it" }));
  if (missing.length > 0 || !versionNumber || !title || !given.gameVersions) throw invalid(...missing);
  if (title.length < 2) throw invalid({ path: "title", message: "must be at least 2 characters long" });
  return {
    title,
    versionNumber,
    gameVersions: given.gameVersions,
    loaders: [...loaders],
    changelog: given.changelog ?? "",
    featured: given.featured ?? false,
    channel: given.channel ?? "release",
    dependencies: given.dependencies ?? [],
  };
}

/** A JSON array of names, or the array itself from a JSON body. */
function parseNames(path: string, given: string | string[], issues: Issue[]): string[] {
  const value = typeof given === "string" ? parseJson(given) : given;
  if (Array.isArray(value) && value.length <= 1000 && value.every((item) => typeof item === "string"))
    return [...new Set(value)];
  issues.push({ path, message: "must be a JSON array of texts" });
  return [];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON at all: the caller says what was expected.
    return undefined;
  }
}

function checkLoaders({ taxonomy, project }: InputContext, loaders: string[], issues: Issue[]): string[] {
  const verdict = taxonomy.loadersAllowed(project.types, loaders);
  if (!verdict.ok) issues.push({ path: "loaders", message: verdict.reason });
  return loaders;
}

function checkGameVersions({ taxonomy }: InputContext, values: string[], issues: Issue[]): string[] {
  const unknown = values.filter((value) => !taxonomy.isGameVersion(value)).map((value) => value.slice(0, 64));
  if (unknown.length > 0)
    issues.push({
      path: "gameVersions",
      message: `unknown: ${unknown.slice(0, 10).join(", ")}; see /api/tags/game-versions`,
    });
  else if (values.length === 0 && !issues.some(({ path }) => path === "gameVersions"))
    issues.push({ path: "gameVersions", message: "must name at least one" });
  return taxonomy.sortGameVersions(values);
}

/** Each must be a project the author sees, and a version of that project. One entry a project; the last one counts. */
async function checkDependencies(
  context: InputContext,
  given: string | unknown[],
  issues: Issue[],
): Promise<DependencyInput[]> {
  const path = "dependencies";
  const value = typeof given === "string" ? parseJson(given) : given;
  const items = Array.isArray(value) ? value.map(toDependency) : undefined;
  if (!items || items.some((item) => item === undefined)) {
    issues.push({
      path,
      message: `must be a JSON array of {projectId, versionId, dependencyType: ${dependencyTypes.join(" | ")}}`,
    });
    return [];
  }
  if (items.length > context.maxDependencies) {
    issues.push({ path, message: `must be at most ${context.maxDependencies}` });
    return [];
  }
  const wanted = [...new Map(items.map((item) => [item!.projectId, item!])).values()];
  if (wanted.length === 0) return [];
  const known = await findTargets(context, wanted);
  for (const { projectId, versionId } of wanted) {
    const target = known.projects.get(projectId);
    if (!target) issues.push({ path, message: `there is no project ${projectId}` });
    else if (target === context.project.id)
      issues.push({ path, message: "a version cannot depend on its own project" });
    else if (versionId !== null && known.versions.get(versionId) !== target)
      issues.push({ path, message: `there is no version ${versionId} of ${projectId}` });
  }
  const resolved = wanted.map((item) => ({ ...item, projectId: known.projects.get(item.projectId) ?? item.projectId }));
  return [...new Map(resolved.map((item) => [item.projectId, item])).values()];
}

function toDependency(item: unknown): DependencyInput | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const { projectId, versionId = null, dependencyType } = item as Record<string, unknown>;
  const type = dependencyTypes.find((known) => known === dependencyType);
  const isRef = (value: unknown): value is string =>
    typeof value === "string" && value.length > 0 && value.length <= 64 && !value.includes("\0");
  if (!isRef(projectId) || !type || (versionId !== null && versionId !== "" && !isRef(versionId))) return undefined;
  return { projectId, versionId: versionId || null, type };
}

/** Two statements, however many dependencies. Projects by id or slug, versions by id. */
async function findTargets({ db, viewer }: InputContext, wanted: readonly DependencyInput[]) {
  const refs = wanted.map((item) => item.projectId);
  const slugs = refs.map((ref) => ref.toLowerCase());
  const projectRows = await db
    .selectFrom("projects")
    .select(["projects.id", "projects.slug"])
    .where((or) => or.or([inList(db, sql.ref("projects.id"), refs), inList(db, sql.ref("projects.slug"), slugs)]))
    .where(visibleTo(viewer))
    .execute();
  const bySlug = new Map(projectRows.map((row) => [row.slug, row.id]));
  const ids = new Set(projectRows.map((row) => row.id));
  const projects = new Map(
    refs.flatMap((ref) => {
      const id = ids.has(ref) ? ref : bySlug.get(ref.toLowerCase());
      return id === undefined ? [] : [[ref, id] as const];
    }),
  );
  const versionIds = wanted.flatMap((item) => item.versionId ?? []);
  const versionRows = await db
    .selectFrom("versions")
    .select(["id", "project_id"])
    .where(inList(db, sql.ref("id"), versionIds))
    .execute();
  return { projects, versions: new Map(versionRows.map((row) => [row.id, row.project_id])) };
}
