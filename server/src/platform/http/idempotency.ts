// Idempotency-Key on POST (decisions §6, reliability D-4): the first answer is stored for a day and repeated, so that a
// caller who lost it can retry without doing the same thing twice.
import { createHash, createHmac } from "node:crypto";
import type { Kysely } from "kysely";
import type { Clock } from "#lib/clock.js";
import { committedStatus, type KeyReservation } from "#platform/changes/key-reservation.js";
import type { Row, Tables } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Call, StagedFile, UploadedFile } from "./endpoint.js";

const keptMs = 24 * 60 * 60 * 1000;
/** A request that has changed nothing by then died with its process; the key may be used again. */
const abandonedMs = 60_000;

/** A request with a key, as it is stored: nothing of it can be guessed or read without the key, which is not stored. */
export interface KeyedRequest {
  /** The credential, or the address of an anonymous caller: no caller reads the answer of another credential. */
  actor: string;
  key: string;
  digest: Buffer;
  /** Seals the answer (lib/sealed.ts). */
  lock: Buffer;
}

/** `digest` is that of the request (requestDigest), which may contain a password. */
export function toKeyedRequest(actor: string, key: string, digest: Buffer): KeyedRequest {
  const derive = (purpose: string) => createHmac("sha256", key).update(purpose).update(digest).digest();
  const name = createHash("sha256").update(key).digest("base64url");
  return { actor, key: name, digest: derive("request"), lock: derive("answer") };
}

export interface StoredAnswer {
  status: number;
  /** Sealed. */
  body: string;
}

export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== "string" || !/^[\x21-\x7e]{1,255}$/.test(header)) throw fail.idempotencyKeyInvalid();
  return header;
}

/** Covers everything that makes two requests the same: method, URL, body and files. */
export function requestDigest(
  method: string,
  url: string,
  { body, files, staged }: Pick<Call, "body" | "files" | "staged">,
): Buffer {
  const hash = createHash("sha256").update(JSON.stringify([method, url, body ?? null]));
  for (const [part, file] of Object.entries<UploadedFile | undefined>(files))
    if (file) hash.update(JSON.stringify([part, file.fileName, file.bytes.length])).update(file.bytes);
  for (const [part, list] of Object.entries<StagedFile[]>(staged))
    for (const { name, blob } of list) hash.update(JSON.stringify([part, name, blob.sha512]));
  return hash.digest();
}

/** The stored answer, or the reservation if this request is the first one with the key. */
export async function reserveKey(
  db: Kysely<Tables>,
  clock: Clock,
  request: Pick<KeyedRequest, "actor" | "key" | "digest">,
): Promise<{ reservation: KeyReservation } | { answer: StoredAnswer }> {
  const { actor, key, digest } = request;
  const now = clock.now();
  await deleteUseless(db, request, now);
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("idempotency_keys")
    .values({
      actor,
      key,
      request_digest: digest,
      status: null,
      body: null,
      date_created: now,
      date_expires: now + keptMs,
    })
    .onConflict((conflict) => conflict.columns(["actor", "key"]).doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 1n) return { reservation: { actor, key, dateReserved: now } };
  const kept = await db
    .selectFrom("idempotency_keys")
    .selectAll()
    .where("actor", "=", actor)
    .where("key", "=", key)
    .executeTakeFirst();
  // It was released between the two statements: its first use failed.
  if (!kept) throw fail.idempotencyKeyInUse();
  return { answer: toAnswer(kept, digest, now) };
}

function toAnswer(kept: Row<"idempotency_keys">, digest: Buffer, now: number): StoredAnswer {
  if (!digest.equals(kept.request_digest)) throw fail.idempotencyKeyReused();
  const isUnanswered = kept.status === null || kept.status === committedStatus;
  if (isUnanswered && kept.date_created > now - abandonedMs) throw fail.idempotencyKeyInUse();
  if (isUnanswered || kept.body === null) throw fail.idempotencyAnswerGone();
  return { status: kept.status!, body: Buffer.from(kept.body).toString("utf8") };
}

async function deleteUseless(db: Kysely<Tables>, { actor, key }: { actor: string; key: string }, now: number) {
  await db
    .deleteFrom("idempotency_keys")
    .where("actor", "=", actor)
    .where("key", "=", key)
    .where((or) =>
      or.or([
        or("date_expires", "<=", now),
        or.and([or("status", "is", null), or("date_created", "<=", now - abandonedMs)]),
      ]),
    )
    .execute();
}

/** Stores the sealed answer; null if it contains a secret that is shown only once. */
export async function storeAnswer(
  db: Kysely<Tables>,
  { actor, key, dateReserved }: KeyReservation,
  status: number,
  body: string | null,
): Promise<void> {
  await db
    .updateTable("idempotency_keys")
    .set({ status, body: body === null ? null : Buffer.from(body) })
    .where("actor", "=", actor)
    .where("key", "=", key)
    .where("date_created", "=", dateReserved)
    .execute();
}

/** A refused request did nothing: the key can be used for the corrected one. */
export async function releaseKey(db: Kysely<Tables>, { actor, key, dateReserved }: KeyReservation): Promise<void> {
  await db
    .deleteFrom("idempotency_keys")
    .where("actor", "=", actor)
    .where("key", "=", key)
    .where("date_created", "=", dateReserved)
    .where("status", "is", null)
    .execute();
}
