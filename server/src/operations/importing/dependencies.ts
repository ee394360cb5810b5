// Dependencies between imported projects, by the table of what was imported.
import type { Context } from "./context.js";
import { dependencyTypeOf } from "./fit.js";
import { findImported } from "./records.js";
import type { SourceDependency } from "./source.js";

/** As a form of a version names it. */
export interface LocalDependency {
  projectId: string;
  versionId: string | null;
  dependencyType: string;
}

/** The projects of this import, by their ids at the source: their slugs, to name them in the report. */
export type Targets = ReadonlyMap<string, string>;

interface Resolved {
  dependencies: LocalDependency[];
  /** The names of those that are not here. */
  missing: string[];
  /** An object of this import is not here yet. */
  isOpen: boolean;
}

export async function resolveDependencies(
  context: Context,
  targets: Targets,
  wanted: readonly SourceDependency[],
): Promise<Resolved> {
  const dependencies = new Map<string, LocalDependency>();
  const missing: string[] = [];
  let isOpen = false;
  for (const dependency of wanted) {
    const type = dependencyTypeOf(dependency.type);
    const target = await findTarget(context, targets, dependency);
    const isWhole = target && (dependency.versionId === null || target.versionId !== null);
    if (!isWhole && (dependency.projectId === null || targets.has(dependency.projectId))) isOpen = true;
    if (type && target) dependencies.set(target.projectId, { ...target, dependencyType: type });
    else {
      const { projectId, versionId } = dependency;
      missing.push(targets.get(projectId ?? "") ?? projectId ?? versionId ?? "an unnamed file");
    }
  }
  // In one order, so that the same dependencies have the same digest.
  const ordered = [...dependencies.values()].sort((a, b) => (a.projectId < b.projectId ? -1 : 1));
  return { dependencies: ordered, missing, isOpen };
}

async function findTarget(
  { resources: { db }, client, options }: Context,
  targets: Targets,
  { projectId, versionId }: SourceDependency,
): Promise<Omit<LocalDependency, "dependencyType"> | undefined> {
  const version = versionId === null ? undefined : await findImported(db, client.base, "version", versionId);
  const row =
    version &&
    (await db.selectFrom("versions").select("project_id").where("id", "=", version.local_id).executeTakeFirst());
  if (version && row) return { projectId: row.project_id, versionId: version.local_id };
  if (projectId === null) return undefined;
  const project = await findImported(db, client.base, "project", projectId);
  const here =
    project && (await db.selectFrom("projects").select("id").where("id", "=", project.local_id).executeTakeFirst());
  if (here) return { projectId: here.id, versionId: null };
  // A dry run creates nothing, but knows what would be there.
  return options.dryRun && targets.has(projectId) ? { projectId, versionId: null } : undefined;
}
