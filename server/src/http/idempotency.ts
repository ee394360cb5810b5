// Idempotency-Key on POST (decisions §6, reliability D-4): the first answer is kept for a day and repeated, so that a
// caller who lost it can ask again without doing the thing twice.
import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import { brokenUnique } from "../db/dialect.js";
import type { Tables } from "../db/tables.js";
import { fail } from "../errors.js";
import type { Clock } from "../lib/clock.js";

const keptMs = 24 * 60 * 60 * 1000;
/** A request that has not answered by then died with its process; the key may be tried again. */
const abandonedMs = 60_000;

export interface KeyedRequest {
  actor: string;
  key: string;
  digest: Buffer;
}

export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== "string" || !/^[\x21-\x7e]{1,255}$/.test(header)) throw fail.idempotencyKeyInvalid();
  return header;
}

export const requestDigest = (method: string, url: string, body: unknown): Buffer =>
  createHash("sha256")
    .update(`${method} ${url}\n`)
    .update(JSON.stringify(body) ?? "")
    .digest();

/** The kept answer, or undefined when this request is the first and now holds the key. */
export async function claimKey(
  db: Kysely<Tables>,
  clock: Clock,
  request: KeyedRequest,
): Promise<{ status: number; body: string } | undefined> {
  const now = clock.now();
  await db
    .deleteFrom("idempotency_keys")
    .where("actor", "=", request.actor)
    .where("key", "=", request.key)
    .where((or) =>
      or.or([
        or("date_expires", "<=", now),
        or.and([or("status", "is", null), or("date_created", "<=", now - abandonedMs)]),
      ]),
    )
    .execute();
  try {
    await db
      .insertInto("idempotency_keys")
      .values({
        actor: request.actor,
        key: request.key,
        request_digest: request.digest,
        status: null,
        body: null,
        date_created: now,
        date_expires: now + keptMs,
      })
      .execute();
    return undefined;
  } catch (error) {
    if (brokenUnique(error) === undefined) throw error;
  }
  const kept = await findKey(db, request);
  // It was given back between the two statements: its first use failed.
  if (!kept || kept.status === null) throw fail.idempotencyKeyInUse();
  if (!request.digest.equals(Buffer.from(kept.request_digest))) throw fail.idempotencyKeyReused();
  if (kept.body === null) throw fail.idempotencyAnswerGone();
  return { status: kept.status, body: Buffer.from(kept.body).toString("utf8") };
}

const findKey = (db: Kysely<Tables>, { actor, key }: KeyedRequest) =>
  db.selectFrom("idempotency_keys").selectAll().where("actor", "=", actor).where("key", "=", key).executeTakeFirst();

/** Keeps the answer; `body` is null where it holds a secret. */
export async function keepAnswer(
  db: Kysely<Tables>,
  { actor, key }: KeyedRequest,
  status: number,
  body: string | null,
): Promise<void> {
  await db
    .updateTable("idempotency_keys")
    .set({ status, body: body === null ? null : Buffer.from(body) })
    .where("actor", "=", actor)
    .where("key", "=", key)
    .execute();
}

/** A refused request did nothing: the key is free again for the corrected one. */
export async function releaseKey(db: Kysely<Tables>, { actor, key }: KeyedRequest): Promise<void> {
  await db
    .deleteFrom("idempotency_keys")
    .where("actor", "=", actor)
    .where("key", "=", key)
    .where("status", "is", null)
    .execute();
}
