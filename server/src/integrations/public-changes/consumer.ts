// Derives the public change log from the internal one: loads the public view of each changed object, compares it with
// the previous view, and records the difference. Several quick changes of one object may become one; an object that was
// never public is never named. Versions are compared if the log names them, or if their project appears or disappears:
// a project may have thousands.
import { sql } from "kysely";
import { fromJson } from "#lib/json.js";
import type { Change } from "#platform/changes/change-log.js";
import type { Consumer } from "#platform/changes/consumer.js";
import type { EventType } from "#platform/changes/events.js";
import { listEvents } from "#platform/changes/read-events.js";
import type { Tx } from "#platform/changes/write.js";
import { inList, together } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import * as seen from "./seen.js";
import { type News, record } from "./write.js";

export const publicChangesConsumer: Consumer = {
  name: "public-changes",
  kinds: new Set(["project", "version", "organization", "user", "event"]),
  async consume(tx, changes) {
    const touched = await readTouched(tx, changes);
    const before = await listThings(tx.db, touched);
    const now = await loadThings(tx.db, touched, before);
    await record(tx, compare(before, now));
  },
};

interface Touched {
  projects: string[];
  organizations: string[];
  users: string[];
  /** The ids of projects whose texts were edited, and of versions that were created, changed or deleted. */
  edited: ReadonlySet<string>;
}

async function readTouched(tx: Tx, changes: readonly Change[]): Promise<Touched> {
  const idsOf = (kind: Change["kind"]) => changes.filter((change) => change.kind === kind).map(({ id }) => id);
  const events = await listEvents(tx, changes);
  // The changes of a project and of its versions may be in different batches.
  const ofVersions = await listProjectsOf(tx.db, idsOf("version"));
  const projects = new Set([...idsOf("project"), ...[...events, ...ofVersions].map((each) => each.project_id)]);
  // Versions are also named without an event when they or one of their dependencies become visible or invisible.
  const edited = [...idsOf("version"), ...events.map((event) => versionOf(event) ?? event.project_id)];
  return {
    projects: [...projects],
    organizations: [...new Set(idsOf("organization"))],
    users: [...new Set(idsOf("user"))],
    edited: new Set(edited),
  };
}

const listProjectsOf = async (db: Db, versionIds: readonly string[]): Promise<{ project_id: string }[]> =>
  versionIds.length === 0
    ? []
    : db
        .selectFrom("versions")
        .select("project_id")
        .distinct()
        .where(inList(db, sql.ref("id"), versionIds))
        .execute();

const versionOf = ({ type, detail }: Row<"events">): string | undefined =>
  (type as EventType).startsWith("version.") ? (fromJson(detail) as { versionId?: string }).versionId : undefined;

const things = (db: Db) => db.selectFrom("public_things").selectAll();

/** The previous public view of the touched objects, without versions. */
const listThings = (db: Db, { projects, organizations, users }: Touched): Promise<seen.Thing[]> =>
  things(db)
    // Listed explicitly, so that the primary key is used.
    .where("kind", "in", ["project", "organization", "user"])
    .where(inList(db, sql.ref("object_id"), [...projects, ...organizations, ...users]))
    .execute();

/** The previous public view of these versions, and of all versions of these projects. */
const versionThings = (db: Db, { ids, projectIds }: seen.SomeVersions) =>
  things(db).where((or) =>
    or.or([
      // In this form SQLite uses an index for each part.
      or.and([or("kind", "=", "version"), inList(db, sql.ref("object_id"), ids)]),
      inList(db, sql.ref("project_id"), projectIds),
    ]),
  );

const ofKind = (all: readonly seen.Thing[], kind: seen.PublicKind): seen.Thing[] =>
  all.filter((thing) => thing.kind === kind);
const digests = (all: readonly seen.Thing[]): Map<string, string> =>
  new Map(all.map((thing) => [thing.object_id, thing.digest]));

/** Also looks up objects that were not touched but become visible now, and adds their previous view to `before`. */
async function loadThings(db: Db, touched: Touched, before: seen.Thing[]): Promise<seen.Thing[]> {
  const organizations = await seen.loadOrganizations(db, touched.organizations);
  const projects = await seen.loadProjects(db, touched.projects, {
    before: digests(ofKind(before, "project")),
    edited: touched.edited,
  });
  const versions = await loadVersions(db, touched, before, projects);
  const users = await loadUsers(db, touched.users, before, { projects, organizations });
  return [...organizations, ...users, ...projects, ...versions];
}

/** The versions that may have changed; adds their previous view to `before`. */
async function loadVersions(
  db: Db,
  { projects: touched, edited }: Touched,
  before: seen.Thing[],
  projects: readonly seen.Thing[],
): Promise<seen.Thing[]> {
  const [known, listed] = [ofKind(before, "project"), projects].map(
    (all) => new Set(all.map((each) => each.object_id)),
  );
  const some = { ids: [...edited], projectIds: touched.filter((id) => known!.has(id) !== listed!.has(id)) };
  if (some.ids.length + some.projectIds.length === 0) return [];
  const [knownThings, readIds] = await together(db, [versionThings(db, some), seen.versionIds(db, some)]);
  const earlier = knownThings.rows.filter((each) => touched.includes(each.project_id ?? ""));
  before.push(...earlier);
  const digestsBefore = digests(earlier);
  const found = readIds.rows.filter(({ project_id }) => listed!.has(project_id));
  const read = await seen.digestVersions(
    db,
    found.map(({ id }) => id).filter((id) => edited.has(id) || !digestsBefore.has(id)),
  );
  return found.map(({ id, project_id }) => ({
    kind: "version",
    object_id: id,
    project_id,
    digest: read.get(id) ?? digestsBefore.get(id) ?? "",
  }));
}

/**
 * Users enter the log with the first public object that names them as a member, so that it is not a list of all
 * accounts. From then on they stay in it.
 */
async function loadUsers(
  db: Db,
  changed: readonly string[],
  before: seen.Thing[],
  { projects, organizations }: Record<"projects" | "organizations", readonly seen.Thing[]>,
): Promise<seen.Thing[]> {
  const known = new Set(ofKind(before, "user").map((user) => user.object_id));
  const members = await seen.listNewMemberIds(db, {
    projects: projects.map((project) => project.object_id),
    organizations: organizations.map((organization) => organization.object_id),
  });
  return seen.loadUsers(db, [...changed.filter((id) => known.has(id)), ...members]);
}

const keyOf = (thing: seen.Thing): string => `${thing.kind} ${thing.object_id}`;

/** Created objects come before the objects that depend on them, deleted objects after them. */
function compare(before: readonly seen.Thing[], now: readonly seen.Thing[]): News[] {
  const old = new Map(before.map((thing) => [keyOf(thing), thing]));
  const left = new Set(now.map(keyOf));
  const there = now.flatMap((thing): News[] => {
    const known = old.get(keyOf(thing));
    if (!known) return [{ ...thing, act: "created" }];
    return known.digest === thing.digest ? [] : [{ ...thing, act: "updated" }];
  });
  const gone = before.filter((thing) => !left.has(keyOf(thing))).map((thing): News => ({ ...thing, act: "deleted" }));
  const parts = gone.filter((thing) => thing.kind === "version");
  return [...there, ...parts, ...gone.filter((thing) => thing.kind !== "version")];
}
