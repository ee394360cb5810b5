// Users, organizations and public collections by their names: for who looks for a person rather than for a project. Of
// users there may be millions, and they are found by how their names begin; of the others by any part.
import { type RawBuilder, sql } from "kysely";
import { beginsWith, escapeLike } from "#platform/db/dialect.js";
import { placeholderId } from "#platform/db/placeholder.js";
import type { Db } from "#platform/db/tables.js";

export const namedKinds = ["users", "organizations", "collections"] as const;
export type NamedKind = (typeof namedKinds)[number];

/** Fewer letters are in every name. */
const leastLetters = 2;

/** Undefined where it is too short to look for. */
export function toNamedText(text: string): string | undefined {
  const plain = text.trim().toLowerCase();
  return [...plain].length < leastLetters ? undefined : plain;
}

const isFound: Record<NamedKind, (db: Db, text: string) => RawBuilder<boolean>> = {
  users: (db, text) => sql<boolean>`id <> ${placeholderId} and date_suspended is null and (
    ${beginsWith(db, sql<string>`lower(user_name)`, text)}
    or (name is not null and ${beginsWith(db, sql<string>`lower(name)`, text)}))`,
  organizations: (_db, text) => sql<boolean>`(${hasPart("name", text)} or ${hasPart("slug", text)})`,
  collections: (_db, text) => sql<boolean>`visibility = 'public' and ${hasPart("name", text)}`,
};

const hasPart = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`lower(${sql.ref(column)}) like ${`%${escapeLike(text)}%`} escape '\\'`;

/** What it is called exactly comes first, then what begins so; of those the short ones. */
const orders: Record<NamedKind, (text: string) => RawBuilder<unknown>> = {
  users: (text) => sql`case when lower(user_name) = ${text} then 0 else 1 end, length(user_name), lower(user_name), id`,
  organizations: (text) => sql`case when slug = ${text} or lower(name) = ${text} then 0 else 1 end,
    case when ${isFirst(text)} then 0 else 1 end, length(name), slug`,
  collections: (text) => sql`case when ${isFirst(text)} then 0 else 1 end, date_updated desc, id`,
};

const isFirst = (text: string) => sql`lower(name) like ${`${escapeLike(text)}%`} escape '\\'`;

/** In one statement. */
export async function countNamed(db: Db, text: string): Promise<Record<NamedKind, number>> {
  const counts = namedKinds.map(
    (kind) => sql`(select count(*) from ${sql.table(kind)} where ${isFound[kind](db, text)}) as ${sql.ref(kind)}`,
  );
  const { rows } = await sql<Record<NamedKind, number>>`select ${sql.join(counts)}`.execute(db);
  const { users, organizations, collections } = rows[0]!;
  return { users: Number(users), organizations: Number(organizations), collections: Number(collections) };
}

export async function listNamedIds(
  db: Db,
  kind: NamedKind,
  text: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(kind)} where ${isFound[kind](db, text)}
    order by ${orders[kind](text)} limit ${limit} offset ${offset}`.execute(db);
  return rows.map(({ id }) => id);
}
