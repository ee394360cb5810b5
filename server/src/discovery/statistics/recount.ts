// Counts changed rows again, and changes the counters by the difference. The caller holds the consumer's cursor, so
// that two never count the same row at the same time.
import { type RawBuilder, sql } from "kysely";
import { isListedProject } from "#content/projects/policy.js";
import { inList, together } from "#platform/db/dialect.js";
import { placeholderId } from "#platform/db/placeholder.js";
import type { Db } from "#platform/db/tables.js";
import { addToCounters } from "./counters.js";

/**
 * The versions of a listed project, without quarantined ones. Indexes have all that is counted here: the rows of thousands
 * of versions are not read.
 */
export const versionsOf: RawBuilder<number> = sql<number>`(
  (select count(*) from versions where versions.project_id = projects.id)
  - (select count(*) from versions where versions.project_id = projects.id and versions.date_quarantined is not null))`;
export const filesOf: RawBuilder<number> = sql<number>`(
  (select count(*) from version_files where version_files.project_id = projects.id)
  - (select count(*) from versions join version_files on version_files.version_id = versions.id
    where versions.project_id = projects.id and versions.date_quarantined is not null))`;

export async function recountProjects(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const counted = db
    .selectFrom("projects")
    .select(["projects.id as project_id", versionsOf.as("versions"), filesOf.as("files")])
    .where(inList(db, sql.ref("projects.id"), ids))
    .where(isListedProject);
  const known = db
    .selectFrom("project_counts")
    .selectAll()
    .where(inList(db, sql.ref("project_id"), ids));
  const [{ rows: now }, { rows: before }] = await together(db, [counted, known]);
  const sum = (rows: typeof now, key: "versions" | "files") => rows.reduce((total, row) => total + row[key], 0);
  const listed = new Set(now.map((row) => row.project_id));
  const gone = before.map((row) => row.project_id).filter((id) => !listed.has(id));
  if (gone.length > 0)
    await db
      .deleteFrom("project_counts")
      .where(inList(db, sql.ref("project_id"), gone))
      .execute();
  const earlier = new Map(before.map((row) => [row.project_id, row]));
  // Most changes of a project change nothing here.
  const other = now.filter((row) => {
    const same = earlier.get(row.project_id);
    return same?.versions !== row.versions || same.files !== row.files;
  });
  if (other.length > 0)
    await db
      .insertInto("project_counts")
      .values(other)
      .onConflict((conflict) =>
        conflict
          .column("project_id")
          .doUpdateSet({ versions: sql<number>`excluded.versions`, files: sql<number>`excluded.files` }),
      )
      .execute();
  await addToCounters(db, {
    projects: now.length - before.length,
    versions: sum(now, "versions") - sum(before, "versions"),
    files: sum(now, "files") - sum(before, "files"),
  });
}

/** Users with an account; the placeholder for deleted accounts does not count. */
export async function recountUsers(db: Db, ids: readonly string[]): Promise<void> {
  const wanted = ids.filter((id) => id !== placeholderId);
  if (wanted.length === 0) return;
  const now = await db
    .selectFrom("users")
    .select("id")
    .where(inList(db, sql.ref("id"), wanted))
    .execute();
  const before = await db
    .selectFrom("counted_users")
    .select("user_id")
    .where(inList(db, sql.ref("user_id"), wanted))
    .execute();
  const [there, counted] = [new Set(now.map((row) => row.id)), new Set(before.map((row) => row.user_id))];
  const joined = [...there].filter((id) => !counted.has(id));
  const gone = [...counted].filter((id) => !there.has(id));
  if (joined.length > 0)
    await db
      .insertInto("counted_users")
      .values(joined.map((user_id) => ({ user_id })))
      .execute();
  if (gone.length > 0)
    await db
      .deleteFrom("counted_users")
      .where(inList(db, sql.ref("user_id"), gone))
      .execute();
  await addToCounters(db, { users: joined.length - gone.length });
}

interface Membership {
  team_id: string;
  user_id: string;
}

const rowsAtOnce = 500;

/** Authors: users who are accepted members of a team. A copy of these memberships shows who has left since. */
export async function recountMembers(
  db: Db,
  { teamIds, userIds }: { teamIds: readonly string[]; userIds: readonly string[] },
): Promise<void> {
  if (teamIds.length + userIds.length === 0) return;
  // Each column has its own index.
  const named = (column: "team_id" | "user_id") =>
    inList(db, sql.ref(column), column === "team_id" ? teamIds : userIds);
  const select = (table: "team_members" | "counted_members") =>
    sql<Membership>`select team_id, user_id from ${sql.table(table)} where ${named("team_id")} ${isCounted(table)}
      union select team_id, user_id from ${sql.table(table)} where ${named("user_id")} ${isCounted(table)}`.execute(db);
  const [now, before] = [(await select("team_members")).rows, (await select("counted_members")).rows];
  const [joined, left] = [without(now, before), without(before, now)];
  const users = [...new Set([...joined, ...left].map((row) => row.user_id))];
  if (users.length === 0) return;
  const authorsBefore = await countAuthors(db, users);
  for (let at = 0; at < joined.length; at += rowsAtOnce)
    await db
      .insertInto("counted_members")
      .values(joined.slice(at, at + rowsAtOnce))
      .execute();
  for (const [teamId, rows] of Map.groupBy(left, (row) => row.team_id))
    await db
      .deleteFrom("counted_members")
      .where("team_id", "=", teamId)
      .where(
        inList(
          db,
          sql.ref("user_id"),
          rows.map((row) => row.user_id),
        ),
      )
      .execute();
  await addToCounters(db, { authors: (await countAuthors(db, users)) - authorsBefore });
}

const isCounted = (table: "team_members" | "counted_members"): RawBuilder<unknown> =>
  table === "team_members" ? sql`and accepted = 1 and user_id <> ${placeholderId}` : sql``;

/** Ids contain no spaces. */
const keyOf = (row: Membership): string => `${row.team_id} ${row.user_id}`;

function without(rows: readonly Membership[], others: readonly Membership[]): Membership[] {
  const known = new Set(others.map(keyOf));
  return rows.filter((row) => !known.has(keyOf(row)));
}

async function countAuthors(db: Db, userIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(distinct user_id) as count from counted_members
    where ${inList(db, sql.ref("user_id"), userIds)}`.execute(db);
  return rows[0]!.count;
}
