// Counts wrong passwords and codes, at the sign-in and inside the account alike. Strangers share a few tries per hour;
// an address from which the account was opened before has its own tries, so that strangers cannot lock the owner out.
import { createHash } from "node:crypto";
import type { Actor, Tx } from "#platform/changes/write.js";
import type { Db, Row } from "#platform/db/tables.js";
import { Failure, fail } from "#platform/errors.js";
import { bucketKey } from "#platform/http/rate-limiter.js";
import type { Resources } from "#platform/http/resources.js";

const familiarMs = 90 * 24 * 60 * 60 * 1000;

type Named = Pick<Row<"users">, "id" | "user_name" | "email" | "email_held">;

export const secondFactorName = (userId: string): string => `second factor of ${userId}`;

/** Both names of an account, so that tries by either name and inside the account add up. */
export const namesOf = ({ user_name, email, email_held }: Named): string[] =>
  [user_name, email_held ? email : null].flatMap((name) => name?.toLowerCase() ?? []);

/**
 * Takes one try under each of the names, or refuses with 429. Returns a function that gives them back after a right
 * answer. `userId` is the account with these names, if there is one.
 */
export async function takeAttempt(
  { db, limiter, clock }: Pick<Resources, "db" | "limiter" | "clock">,
  { network }: Actor,
  names: readonly string[],
  userId: string | undefined,
): Promise<() => Promise<void>> {
  if (!limiter.enabled) return async () => {};
  const place = userId && network ? await findFamiliar(db, userId, network, clock.now()) : undefined;
  const keys = names.map((name) => tryKey(name, place));
  for (const key of keys) {
    const quota = await limiter.take("accountFailure", key);
    if (!quota.allowed)
      throw new Failure("rateLimited", 429, fail.rateLimited(quota.retryAfterSeconds).said, {
        headers: { "retry-after": String(quota.retryAfterSeconds) },
      });
  }
  return async () => {
    for (const key of keys) await limiter.refund("accountFailure", key);
  };
}

/** The account was opened from there; `network` as Actor has it. */
export async function noteFamiliarAddress(tx: Tx, userId: string, network: string): Promise<void> {
  const date_expires = tx.now + familiarMs;
  await tx.db
    .insertInto("familiar_addresses")
    .values({ user_id: userId, digest: placeDigest(userId, network), date_expires })
    .onConflict((conflict) => conflict.columns(["user_id", "digest"]).doUpdateSet({ date_expires }))
    .execute();
}

/** After a reset all tries are available again, even if strangers have used them up. */
export async function forgetFailures(tx: Tx, account: Named): Promise<void> {
  const places = await tx.db
    .selectFrom("familiar_addresses")
    .select("digest")
    .where("user_id", "=", account.id)
    .execute();
  const names = [...namesOf(account), secondFactorName(account.id)];
  const keys = names.flatMap((name) =>
    [undefined, ...places.map(({ digest }) => digest)].map((at) => tryKey(name, at)),
  );
  await tx.db
    .deleteFrom("rate_buckets")
    .where(
      "key",
      "in",
      keys.map((key) => bucketKey("accountFailure", key)),
    )
    .execute();
}

/** Keeps only the address at which the user proved to be the owner; the others may belong to a stranger. */
export async function forgetFamiliarAddresses(tx: Tx, userId: string): Promise<void> {
  await tx.db.deleteFrom("familiar_addresses").where("user_id", "=", userId).execute();
}

const tryKey = (name: string, place: Uint8Array | undefined): string =>
  place ? `${name} from ${Buffer.from(place).toString("hex")}` : name;

/** A digest, so that the table is no list of where people live. */
const placeDigest = (userId: string, network: string): Buffer =>
  createHash("sha256").update(`${userId} ${network}`).digest();

async function findFamiliar(db: Db, userId: string, network: string, now: number): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom("familiar_addresses")
    .select("digest")
    .where("user_id", "=", userId)
    .where("digest", "=", placeDigest(userId, network))
    .where("date_expires", ">", now)
    .executeTakeFirst();
  return row?.digest;
}
