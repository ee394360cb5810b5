// Finds tokens: by Authorization header, and those of a user.
import type { Kysely } from "kysely";
import { fromJson } from "#lib/json.js";
import type { Db, Row, Tables } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { maybeTimestamp, timestamp } from "#platform/http/schemas.js";
import { powersOfToken } from "#platform/http/staff-powers.js";
import type { TokenViewer } from "#platform/http/viewer.js";
import type { Token } from "./contract.js";

const noteUseMs = 60_000;

/**
 * Reads token and user in one statement each time: expiry, deletion and suspension take effect immediately, on every
 * node.
 */
export async function findTokenViewer(
  db: Kysely<Tables>,
  digest: Uint8Array,
  { now, asksConfirmation }: { now: number; asksConfirmation: boolean },
): Promise<TokenViewer | undefined> {
  const row = await db
    .selectFrom("tokens")
    .innerJoin("users", "users.id", "tokens.user_id")
    .select(["tokens.id", "tokens.name", "tokens.scopes", "tokens.date_expires", "tokens.date_last_used"])
    .leftJoin("application_grants", "application_grants.id", "tokens.grant_id")
    .leftJoin("applications", "applications.id", "application_grants.application_id")
    .select(["tokens.project_id", "tokens.grant_id"])
    .select(["users.id as user_id", "users.user_name", "users.role", "users.email_held"])
    .where("tokens.token_digest", "=", digest)
    .where("users.date_suspended", "is", null)
    .where("applications.date_suspended", "is", null)
    .executeTakeFirst();
  if (!row) return undefined;
  // The name of the token helps a reader of a failed build's log. An application gets a new one by itself.
  if (row.date_expires <= now) throw row.grant_id === null ? fail.tokenExpired(row.name) : fail.credentialInvalid();
  if (row.date_last_used === null || now - row.date_last_used >= noteUseMs)
    await db.updateTable("tokens").set({ date_last_used: now }).where("id", "=", row.id).execute();
  const scopes = new Set(fromJson(row.scopes));
  return {
    kind: "token",
    tokenId: row.id,
    scopes,
    user: {
      id: row.user_id,
      userName: row.user_name,
      ...(asksConfirmation && row.email_held === 0 && { isUnconfirmed: true }),
      // A token for one project gives no powers over others, whatever its owner's role is.
      ...(row.project_id === null ? powersOfToken(row.role, scopes) : { role: "user", boundTo: row.project_id }),
    },
  };
}

/** The tokens that the user created. Tokens of builds and applications are not in this list. */
export const listTokenRows = (db: Db, userId: string): Promise<Row<"tokens">[]> =>
  db
    .selectFrom("tokens")
    .selectAll()
    .where("user_id", "=", userId)
    .where("publisher_id", "is", null)
    .where("grant_id", "is", null)
    .orderBy("date_created", "desc")
    .orderBy("id")
    .execute();

export const toToken = (row: Row<"tokens">): Token => ({
  id: row.id,
  name: row.name,
  userId: row.user_id,
  scopes: fromJson(row.scopes),
  dateCreated: timestamp(row.date_created),
  dateExpires: timestamp(row.date_expires),
  dateLastUsed: maybeTimestamp(row.date_last_used),
  projectId: row.project_id,
});
