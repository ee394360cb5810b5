// Finds applications: by their id, of their owner, connected to a user, and for moderators.
import { type SqlBool, sql } from "kysely";
import { fromJson } from "#lib/json.js";
import { type Scope, sortScopes } from "#lib/scopes.js";
import type { Db, Row } from "#platform/db/tables.js";

export interface Application {
  id: string;
  ownerId: string;
  ownerName: string;
  name: string;
  description: string;
  homepage: string;
  redirectUris: string[];
  scopes: Scope[];
  /** Null: a public client. */
  secretDigest: Uint8Array | null;
  dateCreated: number;
  dateSuspended: number | null;
  /** It gets no codes and tokens: it is suspended, or its owner is. */
  isBarred: boolean;
}

const selectApplications = (db: Db) =>
  db
    .selectFrom("applications")
    .innerJoin("users", "users.id", "applications.owner_id")
    .selectAll("applications")
    .select(["users.user_name", "users.date_suspended as owner_suspended"]);

const toApplication = (
  row: Row<"applications"> & { user_name: string; owner_suspended: number | null },
): Application => ({
  id: row.id,
  ownerId: row.owner_id,
  ownerName: row.user_name,
  name: row.name,
  description: row.description,
  homepage: row.homepage,
  redirectUris: fromJson(row.redirect_uris),
  scopes: fromJson(row.scopes),
  secretDigest: row.secret_digest,
  dateCreated: row.date_created,
  dateSuspended: row.date_suspended,
  isBarred: row.date_suspended !== null || row.owner_suspended !== null,
});

export async function findApplication(db: Db, id: string): Promise<Application | undefined> {
  const row = await selectApplications(db).where("applications.id", "=", id).executeTakeFirst();
  return row && toApplication(row);
}

export async function listOwnApplications(db: Db, ownerId: string): Promise<Application[]> {
  const rows = await selectApplications(db)
    .where("owner_id", "=", ownerId)
    .orderBy("applications.date_created", "desc")
    .orderBy("applications.id")
    .execute();
  return rows.map(toApplication);
}

/** For moderators: newest first; with a text, those with this id or owner, or with the text in their name. */
export async function searchApplications(db: Db, text: string, limit: number): Promise<Application[]> {
  let query = selectApplications(db);
  if (text !== "") {
    const part = `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
    query = query.where(
      sql<SqlBool>`(applications.id = ${text} or lower(users.user_name) = ${text.toLowerCase()}
        or lower(applications.name) like ${part} escape '\\')`,
    );
  }
  const rows = await query
    .orderBy("applications.date_created", "desc")
    .orderBy("applications.id")
    .limit(limit)
    .execute();
  return rows.map(toApplication);
}

/** Users of an application are counted up to here, so that the page of a popular one is not slow. */
export const mostCounted = 1000;

/** At most one more than `mostCounted`. */
export async function countUsers(db: Db, applicationId: string): Promise<number> {
  const users = db
    .selectFrom("application_grants")
    .select("user_id")
    .distinct()
    .where("application_id", "=", applicationId)
    .where("date_redeemed", "is not", null)
    .limit(mostCounted + 1)
    .as("users");
  const { count } = await db
    .selectFrom(users)
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** An application that a user has connected, whatever the number of devices. */
export interface Connection {
  applicationId: string;
  name: string;
  ownerName: string;
  homepage: string;
  scopes: Scope[];
  dateConnected: number;
  dateLastUsed: number;
}

/** Newest first. */
export async function listConnections(db: Db, userId: string, now: number): Promise<Connection[]> {
  const rows = await db
    .selectFrom("application_grants as grants")
    .innerJoin("applications", "applications.id", "grants.application_id")
    .innerJoin("users", "users.id", "applications.owner_id")
    .leftJoin("tokens", "tokens.grant_id", "grants.id")
    .select(["applications.id", "applications.name", "applications.homepage", "users.user_name"])
    .select([
      "grants.scopes",
      "grants.date_created",
      "grants.date_last_used",
      "tokens.date_last_used as date_token_used",
    ])
    .where("grants.user_id", "=", userId)
    .where("grants.date_redeemed", "is not", null)
    .where("grants.date_expires", ">", now)
    .orderBy("grants.date_created", "desc")
    .orderBy("grants.id")
    .execute();
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((grants): Connection => {
    const { id, name, homepage, user_name } = grants[0]!;
    return {
      ...{ applicationId: id, name, homepage, ownerName: user_name },
      scopes: sortScopes(grants.flatMap(({ scopes }) => fromJson(scopes))),
      dateConnected: Math.min(...grants.map(({ date_created }) => date_created)),
      dateLastUsed: Math.max(...grants.map((row) => Math.max(row.date_last_used ?? 0, row.date_token_used ?? 0))),
    };
  });
}
