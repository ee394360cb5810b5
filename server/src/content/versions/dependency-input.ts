// The dependencies that an author names: projects he can see, by id or slug, and versions of theirs. One entry a project.
import { sql } from "kysely";
import { visibleTo } from "#content/projects/policy.js";
import { dependencyTypes } from "#content/shapes/version.js";
import { inList } from "#platform/db/dialect.js";
import type { Db, DependencyType } from "#platform/db/tables.js";
import type { Issue } from "#platform/errors.js";
import type { Viewer } from "#platform/http/viewer.js";
import { parseList } from "./lists.js";
import { isNotQuarantined } from "./standing-rows.js";

export interface DependencyInput {
  projectId: string;
  versionId: string | null;
  type: DependencyType;
}

interface Context {
  db: Db;
  viewer: Viewer;
  project: { id: string };
  maxDependencies: number;
}

const path = "dependencies";

/** Undefined where nothing was given. Of several entries for one project the last counts. */
export async function checkDependencies(
  context: Context,
  given: string | readonly unknown[] | undefined,
  issues: Issue[],
): Promise<DependencyInput[] | undefined> {
  const list = parseList(given);
  if (list === "absent") return undefined;
  const items = list?.map(toDependency);
  if (!items?.every((item) => item !== undefined)) {
    const form = `{projectId, versionId, dependencyType: ${dependencyTypes.join(" | ")}}`;
    issues.push({ path, message: `must be a JSON array of ${form}` });
    return undefined;
  }
  if (items.length > context.maxDependencies) {
    issues.push({ path, message: `must be at most ${context.maxDependencies}` });
    return undefined;
  }
  const known = await findTargets(context, items);
  for (const item of items) {
    const problem = problemOf(context, item, known);
    if (problem) issues.push({ path, message: problem });
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

/** Shown again in refusals, and compared with ids and slugs: nothing else need be let in. */
const isRef = (value: unknown): value is string => typeof value === "string" && /^[\w.+-]{1,64}$/.test(value);

interface Targets {
  /** Ids by reference. */
  projects: ReadonlyMap<string, string>;
  /** The project of each version. */
  versions: ReadonlyMap<string, string>;
}

function problemOf(context: Context, { projectId, versionId }: DependencyInput, known: Targets): string | undefined {
  const target = known.projects.get(projectId);
  if (target === undefined) return `there is no project ${projectId}`;
  if (target === context.project.id) return "a version cannot depend on its own project";
  if (versionId === null || known.versions.get(versionId) === target) return undefined;
  return `there is no version ${versionId} of ${projectId}`;
}

/** Two statements, however many dependencies. */
async function findTargets({ db, viewer }: Context, wanted: readonly DependencyInput[]): Promise<Targets> {
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
