// Everything except the password that opens an account or acts in its name: listing and removing it.

import { sql } from "kysely";
import type { Tx } from "#platform/changes/write.js";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import type { CredentialKind, RemainingCredentials } from "./password-contract.js";

/** The user's choice together with a new password. Tokens that are not named are revoked. */
export interface CredentialChoice {
  keepTokens?: readonly string[] | undefined;
  drop?: readonly CredentialKind[] | undefined;
}

export async function listCredentials(db: Db, userId: string): Promise<RemainingCredentials> {
  const own = <T extends "tokens" | "passkeys" | "linked_accounts">(table: T) =>
    db.selectFrom(table as "tokens").where("user_id", "=", userId);
  const tokens = await own("tokens")
    .select(["id", "name"])
    .where("publisher_id", "is", null)
    .where("grant_id", "is", null)
    .orderBy("date_created", "desc")
    .orderBy("id")
    .execute();
  const passkeys = await own("passkeys").select(["id", "name"]).orderBy("date_created").orderBy("id").execute();
  const providers = await db
    .selectFrom("linked_accounts")
    .select("provider")
    .where("user_id", "=", userId)
    .orderBy("provider")
    .execute();
  const publishers = await db
    .selectFrom("trusted_publishers")
    .innerJoin("projects", "projects.id", "trusted_publishers.project_id")
    .select(["trusted_publishers.id", "projects.slug as project", "repository", "workflow"])
    .where("trusted_publishers.user_id", "=", userId)
    .orderBy("projects.slug")
    .orderBy("trusted_publishers.id")
    .execute();
  const totp = await db
    .selectFrom("totp_secrets")
    .select("date_confirmed")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  const feedKey = await db.selectFrom("feed_keys").select("user_id").where("user_id", "=", userId).executeTakeFirst();
  return {
    tokens,
    passkeys,
    providers: providers.map(({ provider }) => provider),
    secondFactor: totp !== undefined && totp.date_confirmed !== null,
    publishers,
    feedKey: feedKey !== undefined,
  };
}

/**
 * Tokens of builds go in any case: the next build gets a new one. So do the connections of applications with their tokens: the
 * user can connect them again. Returns how many of the user's own are revoked.
 */
export async function revokeTokens(tx: Tx, userId: string, keep: readonly string[] = []): Promise<number> {
  await tx.db.deleteFrom("application_grants").where("user_id", "=", userId).execute();
  const gone = await tx.db
    .deleteFrom("tokens")
    .where("user_id", "=", userId)
    .where((or) => or.or([or("publisher_id", "is not", null), or.not(inList(tx.db, sql.ref("id"), keep))]))
    .returning(["id", "publisher_id"])
    .execute();
  for (const { id } of gone) tx.changed("token", id);
  return gone.filter(({ publisher_id }) => publisher_id === null).length;
}

export async function dropCredentials(tx: Tx, userId: string, kinds: readonly CredentialKind[]): Promise<void> {
  if (kinds.length === 0) return;
  for (const kind of new Set(kinds)) await tx.db.deleteFrom(tableOf[kind]).where("user_id", "=", userId).execute();
  tx.audit("user.credentials.drop", { kind: "user", id: userId }, { kinds });
  tx.changed("user", userId);
}

const tableOf = {
  passkeys: "passkeys",
  providers: "linked_accounts",
  publishers: "trusted_publishers",
  feedKey: "feed_keys",
} as const satisfies Record<CredentialKind, string>;

/**
 * For an account whose address was never confirmed: another person may have created it with the mailbox owner's
 * address, so every credential that was added before is removed.
 */
export async function dropAllCredentials(tx: Tx, userId: string): Promise<void> {
  await dropCredentials(tx, userId, Object.keys(tableOf) as CredentialKind[]);
  await tx.db.deleteFrom("totp_secrets").where("user_id", "=", userId).execute();
  await tx.db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  // The other person knows the secrets of these applications.
  await tx.db.deleteFrom("applications").where("owner_id", "=", userId).execute();
}

/** Deletes unfinished steps: sign-ins after the old password, programs that wait for their token, changes of the address, other resets. */
export async function dropUnfinishedSteps(tx: Tx, userId: string): Promise<void> {
  await tx.db.deleteFrom("one_time_codes").where("user_id", "=", userId).execute();
  await tx.db.deleteFrom("sign_in_steps").where("user_id", "=", userId).execute();
  await tx.db.deleteFrom("oauth_flows").where("user_id", "=", userId).execute();
  await tx.db.deleteFrom("device_requests").where("user_id", "=", userId).execute();
}
