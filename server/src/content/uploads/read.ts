// Uploads as rows and as answers show them. Only the owner may see an upload.
import { sql } from "kysely";
import { fromJson } from "#lib/json.js";
import { inList } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { timestamp } from "#platform/http/schemas.js";
import type { Locale } from "#words/languages.js";
import { sayIn, unpackSentence } from "#words/said.js";
import type { FileFacts, Upload } from "./contract.js";

export type UploadRow = Row<"uploads">;

/** 404 if it has expired or belongs to another user. */
export async function getUploadRow({ db, clock }: Resources, userId: string, id: string): Promise<UploadRow> {
  const row = await db
    .selectFrom("uploads")
    .selectAll()
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("date_expires", ">", clock.now())
    .executeTakeFirst();
  if (!row) throw fail.uploadNotFound();
  return row;
}

/** The uploads that exist, in the order of the ids, in one query. */
export async function listUploadRows(
  { db, clock }: Resources,
  userId: string,
  ids: readonly string[],
): Promise<UploadRow[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("uploads")
    .selectAll()
    .where(inList(db, sql.ref("id"), ids))
    .where("user_id", "=", userId)
    .where("date_expires", ">", clock.now())
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

/** Also checks that the bytes are on this server. If they are on another one or lost, the upload must start again. */
export async function getPresentUpload(resources: Resources, userId: string, id: string): Promise<UploadRow> {
  const row = await getUploadRow(resources, userId, id);
  const last = row.whole ?? fromJson(row.parts).at(-1)?.name;
  const isHere =
    last === undefined ||
    (await resources.blobs.findRetained(last)) !== undefined ||
    (row.sha512 !== null && (await resources.blobs.find(toHex(row.sha512))) !== undefined);
  if (!isHere) throw fail.uploadNotFound();
  return row;
}

/** Uploads that no version has used yet, newest first. */
export const listOpenUploads = (db: Db, userId: string, now: number): Promise<UploadRow[]> =>
  db
    .selectFrom("uploads")
    .selectAll()
    .where("user_id", "=", userId)
    .where("date_used", "is", null)
    .where("date_expires", ">", now)
    .orderBy("date_created", "desc")
    .orderBy("id")
    .execute();

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** Problems are stored by key and arguments, for every language. */
function toFacts(row: UploadRow, locale: Locale): FileFacts | null {
  if (row.facts === null) return null;
  const facts = fromJson(row.facts) as FileFacts;
  // Facts that an earlier release stored have no license and no game versions.
  return {
    ...facts,
    license: facts.license ?? null,
    gameVersions: facts.gameVersions ?? [],
    problem: facts.problem && sayIn(locale, unpackSentence(facts.problem)),
  };
}

export const toUpload = (row: UploadRow, locale: Locale = "en"): Upload => ({
  id: row.id,
  name: row.name,
  size: row.size,
  offset: row.received,
  isFinished: row.whole !== null,
  sha512: row.sha512 && toHex(row.sha512),
  dateExpires: timestamp(row.date_expires),
  file: toFacts(row, locale),
});
