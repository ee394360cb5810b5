// Walks the chain of the audit log: a row that was changed or removed makes the hash of every row after it wrong.
import type { Db } from "../db/tables.js";
import { auditHash } from "./write.js";

const pageSize = 1000;

/** The first entry that does not fit to those before it, and how many were looked at. */
export async function findBrokenAudit(db: Db): Promise<{ brokenAt: number | undefined; count: number }> {
  let previous: Uint8Array = new Uint8Array(32);
  for (let count = 0, last = 0; ; ) {
    const rows = await db
      .selectFrom("audit_log")
      .selectAll()
      .where("id", ">", last)
      .orderBy("id")
      .limit(pageSize)
      .execute();
    for (const row of rows) {
      if (!auditHash(previous, row).equals(row.hash)) return { brokenAt: row.id, count };
      previous = row.hash;
      last = row.id;
      count += 1;
    }
    if (rows.length < pageSize) return { brokenAt: undefined, count };
  }
}
