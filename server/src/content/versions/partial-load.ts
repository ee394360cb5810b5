// Reads only those versions of a project that have changed since it was last prepared. A project with thousands of versions
// is prepared after each publication, and nearly all of its bytes stay the same.
import { sql } from "kysely";
import type { RowContext } from "#content/projects/entries.js";
import type { KeptVersion } from "#content/records/version-runs.js";
import { inList } from "#platform/db/dialect.js";
import { loadVersions, type VersionEntry } from "./entries.js";
import { isNotQuarantined } from "./policy.js";

export interface PartlyChanged {
  projectId: string;
  /** The ids of the versions in its record, in their order. */
  known: readonly string[];
  /** The only ones that may look different now. */
  touched: readonly string[];
}

/**
 * The versions of these projects, newest first: entries of those that were read, and the places of the others. A project of
 * which a version is gone is left out: an older version may have the same file. Needs four statements.
 */
export async function loadTouched(
  context: RowContext,
  projects: readonly PartlyChanged[],
): Promise<Map<string, (VersionEntry | KeptVersion)[]>> {
  if (projects.length === 0) return new Map();
  const { db } = context;
  const rows = await db
    .selectFrom("versions")
    .select(["id", "project_id", "downloads"])
    .where(
      inList(
        db,
        sql.ref("project_id"),
        projects.map(({ projectId }) => projectId),
      ),
    )
    .where(isNotQuarantined)
    .orderBy("date_published", "desc")
    .orderBy("id")
    .execute();
  const listed = Map.groupBy(rows, (row) => row.project_id);
  const wanted = projects.flatMap((project) => chooseVersions(project, listed.get(project.projectId) ?? []) ?? []);
  const loaded = await loadVersions(
    context,
    wanted.map(({ projectId }) => projectId),
    {
      versionIds: wanted.flatMap(({ toLoad }) => [...toLoad]),
      isOffered: (wantedId) => rows.some(({ id }) => id === wantedId),
    },
  );
  return new Map(
    wanted.map(({ projectId, all, ordinals, toUse }) => {
      const entries = new Map(loaded.get(projectId)!.map((each) => [each.id, each]));
      const versions: (VersionEntry | KeptVersion)[] = [];
      for (const { id, downloads } of all) {
        const version = toUse.has(id) ? entries.get(id) : { ordinal: ordinals.get(id)!, downloads };
        // A version may have been deleted between the statements.
        if (version) versions.push(version);
      }
      return [projectId, versions];
    }),
  );
}

interface Row {
  id: string;
  downloads: number;
}

/**
 * A version says whether the next older one has the same changelog, so neighbours of changed versions are read too.
 * Undefined if a version is gone.
 */
function chooseVersions({ projectId, known, touched }: PartlyChanged, all: readonly Row[]) {
  const ordinals = new Map<string, number>();
  for (const [ordinal, id] of known.entries()) ordinals.set(id, ordinal);
  const isTouched = new Set(touched);
  const toUse = new Set<string>();
  const toLoad = new Set<string>();
  let found = 0;
  for (const [index, { id }] of all.entries()) {
    const isKnown = ordinals.has(id);
    if (isKnown) found++;
    if (isKnown && !isTouched.has(id)) continue;
    for (const one of all.slice(Math.max(0, index - 1), index + 1)) toUse.add(one.id);
    for (const one of all.slice(Math.max(0, index - 1), index + 2)) toLoad.add(one.id);
  }
  return found === known.length ? { projectId, all, ordinals, toUse, toLoad } : undefined;
}
