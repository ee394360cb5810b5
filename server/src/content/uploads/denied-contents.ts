// Contents that must not be published: denied hashes, and hashes in quarantine. Every new file is checked twice: early,
// so that the author learns of it soon, and again in the transaction that would make it visible.

import { sql } from "kysely";
import type { PackFile } from "#platform/archives/pack-parts.js";
import { quoteName } from "#platform/archives/problems.js";
import { type FoundContent, prefixBytes, type WatchList } from "#platform/archives/watched-contents.js";
import { cachedValue } from "#platform/changes/cached-value.js";
import { givenRows, type Statement, together } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { say } from "#words/said.js";

export interface Content {
  name: string;
  /** In hexadecimal. */
  sha1: string;
  sha512: string;
}

interface HeldContent {
  sha1: Uint8Array | null;
  sha512: Uint8Array | null;
}

/** Finds the contents that are denied or in quarantine. */
export function heldContents(contents: readonly Content[]): Statement<HeldContent> {
  const among = (algorithm: "sha1" | "sha512") =>
    sql`${sql.ref(algorithm)} in (${sql.join(contents.map((content) => Buffer.from(content[algorithm], "hex")))})`;
  return sql<HeldContent>`
    select sha1, sha512 from denied_hashes where ${among("sha512")} or ${among("sha1")}
    union all select null as sha1, sha512 from quarantines where ${among("sha512")} and date_lifted is null`;
}

export function refuseHeld(contents: readonly Content[], held: readonly HeldContent[]): void {
  const hashes = new Set(
    held.flatMap(({ sha1, sha512 }) => [sha1, sha512]).map((hash) => hash && Buffer.from(hash).toString("hex")),
  );
  const first = contents.find(({ sha1, sha512 }) => hashes.has(sha1) || hashes.has(sha512));
  if (first) throw fail.contentDenied(first.name, say.files.thisContent);
}

export async function refuseHeldContent(db: Db, content: Content): Promise<void> {
  const [held] = await together(db, [heldContents([content])]);
  refuseHeld([content], held.rows);
}

/** The hashes that the archive inspector searches for; undefined if none is denied. */
export const getWatchList = cachedValue(
  "watchList",
  "denied-hash",
  async (db): Promise<{ value: WatchList | undefined; bytes: number }> => {
    const rows = await db.selectFrom("denied_hashes").select(["sha1", "sha512"]).execute();
    if (rows.length === 0) return { value: undefined, bytes: 0 };
    const prefixes = (hashes: (Uint8Array | null)[]) =>
      Buffer.concat(hashes.flatMap((hash) => hash?.subarray(0, prefixBytes) ?? []));
    // If both hashes are known, the cheaper one is used.
    const sha1 = prefixes(rows.map((row) => row.sha1));
    const sha512 = prefixes(rows.map((row) => (row.sha1 ? null : row.sha512)));
    return { value: { sha1, sha512 }, bytes: sha1.length + sha512.length };
  },
);

/** The inspector compares prefixes only; this compares the whole hash. */
export async function refuseDeniedInside(db: Db, name: string, found: readonly FoundContent[]): Promise<void> {
  if (found.length === 0) return;
  const denied = await db
    .selectFrom("denied_hashes")
    .select(["sha1", "sha512"])
    .where((or) => or.or(found.map(({ algorithm, hash }) => or(algorithm, "=", Buffer.from(hash, "hex")))))
    .execute();
  const isDenied = ({ algorithm, hash }: FoundContent) =>
    denied.some((row) => row[algorithm] && Buffer.from(row[algorithm]).toString("hex") === hash);
  const first = found.find(isDenied);
  if (first) throw fail.contentDenied(name, quoteName(first.path));
}

/** The files that a pack names are denied too, although launchers download them from elsewhere. */
export async function refuseDeniedListed(db: Db, name: string, files: readonly PackFile[]): Promise<void> {
  const denied = (algorithm: "sha1" | "sha512") => {
    const listed = files.flatMap((file) => (file[algorithm] ? { path: file.path, hash: file[algorithm] } : []));
    const given = givenRows(db, { path: "text", hash: "bytes" }, listed);
    return sql`select given.path from ${given} join denied_hashes on denied_hashes.${sql.ref(algorithm)} = given.hash`;
  };
  // Not one join with "or": it would compare every file with every denied hash.
  const { rows } = await sql<{ path: string }>`${denied("sha512")} union all ${denied("sha1")} limit 1`.execute(db);
  if (rows[0]) throw fail.contentDenied(name, quoteName(rows[0].path));
}
