// The use cases of uploads in parts. Each part is a separate file, complete and durable before its row is written, so
// that a crash, a repetition or two concurrent parts can never mix bytes. The joined file has known hashes.

import { createReadStream } from "node:fs";
import { lockUser } from "#accounts/users/locking.js";
import { reach } from "#lib/fail-points.js";
import { storedFileName } from "#lib/file-names.js";
import { hasErrorCode } from "#lib/file-system.js";
import { formatBytes } from "#lib/format-bytes.js";
import { fromJson, toJson } from "#lib/json.js";
import { newId } from "#lib/random.js";
import type { StagedBlob } from "#platform/blobs/store.js";
import { type Actor, write } from "#platform/changes/write.js";
import { type Failure, fail, invalid } from "#platform/errors.js";
import type { StagedFile } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { refuseOverQuota } from "#platform/pictures/quota.js";
import { say } from "#words/said.js";
import { expiryOf, judgePart, mostBytesTimes, mostUploads, smallestPartBytes } from "./limits.js";
import { getPresentUpload, getUploadRow, listOpenUploads, toHex, type UploadRow } from "./read.js";

export interface Author {
  viewer: SignedIn;
  actor: Actor;
}

/** One operation at a time per upload, because publishing moves its file away. */
export const aloneWithUpload = <T>({ peers }: Resources, id: string, work: () => Promise<T>): Promise<T> =>
  peers.alone(`upload ${id}`, work);

export async function beginUpload(
  resources: Resources,
  { viewer, actor }: Author,
  file: { name: string; size: number },
): Promise<UploadRow> {
  const { limits } = resources.config;
  const largest = Math.max(limits.primaryFileBytes, limits.additionalFileBytes);
  const name = storedFileName(file.name);
  if (name === undefined) throw fail.fileRefused(say.files.theFile, say.files.noName);
  if (file.size > largest) throw fail.fileTooLarge(name, formatBytes(largest));
  resources.room.check();
  return write(resources, actor, async (tx) => {
    await lockUser(tx, viewer.user.id);
    const open = await listOpenUploads(tx.db, viewer.user.id, tx.now);
    if (open.length >= mostUploads) throw fail.limitReached(say.limits.uploads(mostUploads));
    const bytes = open.reduce((sum, { size }) => sum + size, file.size);
    await refuseOverQuota(tx.db, limits, viewer.user.id, bytes);
    if (bytes > largest * mostBytesTimes)
      throw fail.limitReached(say.limits.uploadBytes(formatBytes(largest * mostBytesTimes)));
    return tx.db
      .insertInto("uploads")
      .values({
        id: newId(tx.random),
        user_id: viewer.user.id,
        name,
        size: file.size,
        received: 0,
        parts: toJson<UploadPart[]>([]),
        whole: null,
        sha512: null,
        sha1: null,
        facts: null,
        date_created: tx.now,
        date_expires: expiryOf(tx.now, tx.now),
        date_used: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

export interface UploadPart {
  /** The name of the retained file. */
  name: string;
  size: number;
  sha512: string;
  sha1: string;
}

/** Appends the part. Repeating a part changes nothing. */
export async function addPart(
  resources: Resources,
  userId: string,
  id: string,
  part: { offset: number; sha512: string | undefined; blob: StagedBlob },
): Promise<UploadRow> {
  const { db, blobs, clock } = resources;
  const { blob, offset } = part;
  if (part.sha512 !== undefined && part.sha512.toLowerCase() !== blob.sha512) throw fail.checksumWrong();
  const row = await getPresentUpload(resources, userId, id);
  if (!fits(row, offset, blob.size)) return row;
  const name = await blobs.retain(blob);
  reach("parts: retained");
  const { size, sha512, sha1 } = blob;
  const now = clock.now();
  const after = await db
    .updateTable("uploads")
    .set({
      received: offset + size,
      parts: toJson([...fromJson(row.parts), { name, size, sha512, sha1 }]),
      date_expires: expiryOf(row.date_created, now),
    })
    .where("id", "=", id)
    // If another request has added the same part since, that one counts.
    .where("received", "=", offset)
    .returningAll()
    .executeTakeFirst();
  reach("parts: noted");
  if (after) return after;
  await blobs.removeRetained(name);
  const other = await getUploadRow(resources, userId, id);
  if (fits(other, offset, size)) throw fail.unavailable();
  return other;
}

/** False if the part was received already. */
function fits(row: UploadRow, offset: number, size: number): boolean {
  const verdict = judgePart(row, { offset, size });
  if (verdict === "elsewhere") throw fail.uploadOffsetWrong(row.received);
  if (verdict === "tooLong") throw invalid({ path: "part", message: say.problems.pastEnd });
  if (verdict === "tooShort") throw invalid({ path: "part", message: say.problems.smallPart(smallestPartBytes) });
  return verdict === "fits";
}

/** Joins all parts into one file and computes its hashes. May be repeated. */
export async function joinParts(resources: Resources, userId: string, id: string): Promise<UploadRow> {
  const row = await getPresentUpload(resources, userId, id);
  if (row.whole !== null) return row;
  if (row.received < row.size) throw fail.uploadUnfinished(row.received, row.size);
  const parts = fromJson(row.parts);
  const whole = await wholeOf(resources, row, parts);
  const joined = await resources.db
    .updateTable("uploads")
    .set({
      whole: whole.name,
      sha512: Buffer.from(whole.sha512, "hex"),
      sha1: Buffer.from(whole.sha1, "hex"),
      parts: toJson<UploadPart[]>([]),
    })
    .where("id", "=", id)
    .where("whole", "is", null)
    .returningAll()
    .executeTakeFirst();
  reach("parts: joined");
  if (!joined) {
    if (parts.length > 1) await resources.blobs.removeRetained(whole.name);
    return getUploadRow(resources, userId, id);
  }
  for (const { name } of parts) if (name !== whole.name) await resources.blobs.removeRetained(name);
  return joined;
}

/** A file that was sent in one part needs no joining. */
async function wholeOf(
  { blobs }: Resources,
  { size }: UploadRow,
  parts: readonly UploadPart[],
): Promise<Omit<UploadPart, "size">> {
  if (parts.length === 1) return parts[0]!;
  const paths: string[] = [];
  for (const { name } of parts) paths.push((await blobs.findRetained(name))?.path ?? absent());
  const staged = await blobs.stage(contentsOf(paths), { maxBytes: size, ownsChunks: true }).catch((error) => {
    // Another request joined them first, or the sweep deleted them.
    throw hasErrorCode(error, "ENOENT") ? fail.uploadNotFound() : error;
  });
  if (staged.size !== size) {
    await staged.discard();
    absent();
  }
  return { name: await blobs.retain(staged), sha512: staged.sha512, sha1: staged.sha1 };
}

const absent = (): never => {
  throw fail.uploadNotFound() as Failure;
};

async function* contentsOf(paths: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const path of paths) yield* createReadStream(path, { highWaterMark: 1024 * 1024 });
}

/** Keeps the file of a form that could not be published yet, so that the user need not send it again. */
export async function adoptFile(resources: Resources, author: Author, { name, blob }: StagedFile): Promise<UploadRow> {
  const begun = await beginUpload(resources, author, { name, size: blob.size });
  return addPart(resources, author.viewer.user.id, begun.id, { offset: 0, sha512: undefined, blob });
}

export async function removeUpload(resources: Resources, row: UploadRow): Promise<void> {
  await resources.db.deleteFrom("uploads").where("id", "=", row.id).execute();
  const names = [...fromJson(row.parts).map(({ name }) => name), ...(row.whole === null ? [] : [row.whole])];
  for (const name of names) await resources.blobs.removeRetained(name);
}

/** Calls `work` with the files of finished uploads, in that order. If it succeeds, the uploads are no longer open. */
export async function withUploads<T>(
  resources: Resources,
  userId: string,
  ids: readonly string[],
  work: (files: StagedFile[]) => Promise<T>,
): Promise<T> {
  if (new Set(ids).size < ids.length) throw invalid({ path: "additionalUploads", message: say.problems.uploadTwice });
  const open: { file: StagedFile; release: () => Promise<void> }[] = [];
  const run = async (): Promise<T> => {
    try {
      for (const id of ids) open.push(await openUpload(resources, userId, id));
      const result = await work(open.map(({ file }) => file));
      const now = resources.clock.now();
      for (const id of ids)
        await resources.db.updateTable("uploads").set({ date_used: now }).where("id", "=", id).execute();
      return result;
    } finally {
      for (const { release } of open) await release();
    }
  };
  // Always in the same order, so that two requests for the same uploads cannot deadlock.
  return ids.toSorted().reduce((inner, id) => () => aloneWithUpload(resources, id, inner), run)();
}

/** The file itself, or a copy of the blob if a version already uses it. */
async function openUpload(resources: Resources, userId: string, id: string) {
  const { blobs } = resources;
  const row = await joinParts(resources, userId, id);
  const sha512 = toHex(row.sha512!);
  const retained = await blobs.findRetained(row.whole!);
  if (retained) {
    const discard = () => blobs.removeRetained(row.whole!);
    const blob = { path: retained.path, size: row.size, sha512, sha1: toHex(row.sha1!), discard };
    return { file: { name: row.name, blob }, release: async () => {} };
  }
  const stored = await blobs.open(sha512);
  if (!stored) throw fail.uploadNotFound();
  const blob = await blobs.stage(stored.stream, { maxBytes: row.size });
  return { file: { name: row.name, blob }, release: () => blob.discard() };
}
