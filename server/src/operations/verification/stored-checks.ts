// Compares rows with stored bytes: every file and picture has its complete bytes, and all bytes belong to a row.
import { sql } from "kysely";
import { type Breach, error, leftover } from "#operations/checks/check.js";
import { digestOf } from "#platform/blobs/digest.js";
import { findListed, isReferenced, removeUnlistedBlob } from "#platform/blobs/rows.js";
import type { StoredBlob } from "#platform/blobs/store.js";
import type { Db, Row } from "#platform/db/tables.js";
import { check, hex, type RegistryCheck, type Subject } from "./registry-check.js";

const pageSize = 500;

async function findBadBytes(subject: Subject): Promise<Breach[]> {
  const { db } = subject;
  const findings: Breach[] = [];
  for (let last: Uint8Array = new Uint8Array(0); ; ) {
    const page = await db
      .selectFrom("blobs")
      .selectAll()
      .where("sha512", ">", last)
      .where(isReferenced)
      .orderBy("sha512")
      .limit(pageSize)
      .execute();
    for (const row of page) {
      const problem = await findProblem(subject, row);
      // A row that was deleted since the page was read is not missing.
      if (problem) findings.push(...(await listUsers(db, row.sha512)).map((about) => error(about, problem)));
    }
    if (page.length < pageSize) return findings;
    last = page.at(-1)!.sha512;
  }
}

async function findProblem({ blobs, deep }: Subject, row: Row<"blobs">): Promise<string | undefined> {
  const sha512 = hex(row.sha512);
  const stored = await blobs.find(sha512);
  if (!stored) return `lacks its bytes, ${sha512}; restore them from a backup`;
  if (stored.size !== row.size)
    return `has ${stored.size} bytes instead of ${row.size}, ${sha512}; restore them from a backup`;
  const open = deep ? await blobs.open(sha512) : undefined;
  if (!open) return undefined;
  const digest = await digestOf(open.stream);
  if (digest.sha512 !== sha512) return `has damaged bytes, ${sha512}; restore them from a backup`;
  return digest.sha1 === hex(row.sha1) ? undefined : `is noted with a wrong SHA-1, ${hex(row.sha1)}`;
}

async function listUsers(db: Db, sha512: Uint8Array): Promise<string[]> {
  const { rows } = await sql<{ about: string }>`
    select 'file ' || id || ' of version ' || version_id || ' in project ' || project_id as about
      from version_files where sha512 = ${sha512}
    union all
    select 'image ' || id || ' of ' || owner_kind || ' ' || owner_id from images where sha512 = ${sha512}
    union all
    select 'picture ' || id || ' of report ' || report_id from report_pictures where sha512 = ${sha512}
    union all
    select 'the ' || name || ' of the site' from site_pictures where sha512 = ${sha512}`.execute(db);
  return rows.map(({ about }) => about);
}

interface Unlisted extends Breach {
  blob: StoredBlob;
}

async function findUnlisted({ db, blobs, clock, safetyMs }: Subject): Promise<Unlisted[]> {
  const findings: Unlisted[] = [];
  const look = async (page: readonly StoredBlob[]) => {
    const listed = await findListed(
      db,
      page.map(({ sha512 }) => sha512),
    );
    for (const blob of page.filter(({ sha512 }) => !listed.has(sha512)))
      findings.push({ ...leftover(`blob ${blob.sha512}`, `of ${blob.size} bytes is known to no record`), blob });
  };
  let page: StoredBlob[] = [];
  for await (const blob of blobs.list()) {
    if (blob.lastModified.getTime() > clock.now() - safetyMs) continue;
    page.push(blob);
    if (page.length < pageSize) continue;
    await look(page);
    page = [];
  }
  await look(page);
  return findings;
}

const needlessMarks = check({
  name: "marked files",
  find: async ({ db }): Promise<Breach[]> => {
    const rows = await db
      .selectFrom("blobs")
      .select("sha512")
      .where("date_orphaned", "is not", null)
      .where(isReferenced)
      .execute();
    return rows.map(({ sha512 }) => leftover(`blob ${hex(sha512)}`, "is marked as unreferenced, but is referenced"));
  },
  mend: {
    what: "take the marks away",
    act: ({ db }) =>
      db
        .updateTable("blobs")
        .set({ date_orphaned: null })
        .where("date_orphaned", "is not", null)
        .where(isReferenced)
        .execute(),
  },
});

export const storedChecks: readonly RegistryCheck[] = [
  check({ name: "stored files", find: findBadBytes }),
  check<Unlisted>({
    name: "unlisted files",
    find: findUnlisted,
    mend: {
      what: "remove the bytes that no record knows",
      act: async ({ db, blobs }, found) => {
        for (const { blob } of found) await db.transaction().execute((tx) => removeUnlistedBlob(tx, blobs, blob));
      },
    },
  }),
  check({
    name: "temporary files",
    find: async ({ blobs, clock, safetyMs }): Promise<Breach[]> => {
      const findings: Breach[] = [];
      for await (const { name, lastModified } of blobs.listTemporaries())
        if (lastModified.getTime() <= clock.now() - safetyMs)
          findings.push(leftover(`temporary file ${name}`, "was left by an upload that never ended"));
      return findings;
    },
    mend: {
      what: "remove the temporary files",
      act: ({ blobs, clock, safetyMs }) => blobs.removeStaleTemporaries(new Date(clock.now() - safetyMs + 1)),
    },
  }),
  needlessMarks,
];
