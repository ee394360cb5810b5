// Verifies the hash chain of the audit log: a changed or removed row invalidates the hash of every later row.
import type { Db } from "#platform/db/tables.js";
import { auditHash } from "./write.js";

const pageSize = 1000;

export interface ChainPart {
  /** The first entry whose hash does not match. */
  brokenAt: number | undefined;
  /** The number of entries that were checked and match. */
  count: number;
  /** The last of these entries, or the given one if there is none. */
  last: number;
  isEnd: boolean;
}

/** Checks at most `limit` entries after an entry whose hash is trusted. */
export async function checkChain(db: Db, after: number, limit: number): Promise<ChainPart> {
  const start = await db.selectFrom("audit_log").select("hash").where("id", "=", after).executeTakeFirst();
  let previous: Uint8Array = start?.hash ?? new Uint8Array(32);
  const rows = await db
    .selectFrom("audit_log")
    .selectAll()
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  let last = after;
  for (const [count, row] of rows.entries()) {
    if (!auditHash(previous, row).equals(row.hash)) return { brokenAt: row.id, count, last, isEnd: false };
    previous = row.hash;
    last = row.id;
  }
  return { brokenAt: undefined, count: rows.length, last, isEnd: rows.length < limit };
}

export async function findBrokenAudit(db: Db): Promise<{ brokenAt: number | undefined; count: number }> {
  for (let count = 0, last = 0; ; ) {
    const part = await checkChain(db, last, pageSize);
    count += part.count;
    last = part.last;
    if (part.brokenAt !== undefined || part.isEnd) return { brokenAt: part.brokenAt, count };
  }
}
