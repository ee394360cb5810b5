// Loads everything that a request can reach: from the catalogue, or in a constant number of statements. One of them
// finds all projects, at any depth.

import { sql } from "kysely";
import { type ProjectEntry, projectEntries } from "#content/projects/entries.js";
import { visibleProjects } from "#content/projects/read.js";
import { type VersionEntry, versionEntries } from "#content/versions/entries.js";
import { inSlices } from "#lib/slices.js";
import { engineOf } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { say } from "#words/said.js";

export const mostProjects = 2000;

export interface Loaded {
  /** Only projects that the caller may see. */
  projects: ReadonlyMap<string, ProjectEntry>;
  versions: ReadonlyMap<string, readonly VersionEntry[]>;
}

/** From memory as far as possible; once something is missing, everything behind it is loaded together. */
export async function loadReachable(resources: Resources, viewer: Viewer, roots: readonly string[]): Promise<Loaded> {
  const projects = new Map<string, ProjectEntry>();
  const versions = new Map<string, readonly VersionEntry[]>();
  const seen = new Set(roots);
  let isFetched = false;
  for (let next = [...seen]; next.length > 0; ) {
    const missing = next.filter((id) => !projectEntries(resources).peek(id) || !versionEntries(resources).peek(id));
    if (missing.length > 0 && !isFetched) {
      await fetchReachable(resources, missing);
      isFetched = true;
    }
    for (const [id, entry] of await projectEntries(resources).load(next)) projects.set(id, entry);
    const lists = await versionEntries(resources).load(next);
    for (const [id, list] of lists) versions.set(id, list);
    const found = [...(await inSlices(requiredProjects(lists.values())))].filter((id) => !seen.has(id));
    for (const id of found) seen.add(id);
    if (seen.size > mostProjects) throw tooLarge();
    next = found;
  }
  const visible = await visibleProjects(resources.db, viewer, projects.values());
  const isVisible = ([id]: [string, unknown]) => visible.has(id);
  return { projects: new Map([...projects].filter(isVisible)), versions: new Map([...versions].filter(isVisible)) };
}

const tooLarge = () => fail.planTooLarge(say.limits.projects(mostProjects));

function* requiredProjects(lists: Iterable<readonly VersionEntry[]>): Generator<number, Set<string>> {
  const required = new Set<string>();
  for (const list of lists)
    for (const { dependencies } of list) {
      yield 1 + dependencies.length;
      for (const { type, on_project_id } of dependencies) if (type === "required") required.add(on_project_id);
    }
  return required;
}

async function fetchReachable(resources: Resources, from: readonly string[]): Promise<void> {
  const ids = await selectReachable(resources.db, from);
  if (ids.length > mostProjects) throw tooLarge();
  await Promise.all([projectEntries(resources).load(ids), versionEntries(resources).load(ids)]);
}

/**
 * Covers all versions, whether or not they fit, which the graph decides later. Visibility is checked afterwards: inside
 * the query it would make the planner start with all projects. The expression `type || ''` keeps the planner from
 * starting with the index on the type.
 */
async function selectReachable(db: Db, from: readonly string[]): Promise<string[]> {
  const given =
    engineOf(db) === "postgres"
      ? // A recursive query has one collation, that of the columns.
        sql`(select id collate "C" as value from unnest(${[...from]}::text[]) as id) as given`
      : sql`json_each(${JSON.stringify(from)}) as given`;
  const { rows } = await sql<{ id: string }>`
    with recursive reachable(id) as (
      select given.value from ${given}
      union
      select dependencies.on_project_id from reachable
        join versions on versions.project_id = reachable.id
        join dependencies on dependencies.version_id = versions.id
      where dependencies.type || '' = 'required'
    )
    select id from reachable limit ${mostProjects + 1}`.execute(db);
  return rows.map((row) => row.id);
}
