// Writes the public feed: its rows, what strangers see of things by now, and what may be forgotten.
import { sql } from "kysely";
import type { Tx } from "#platform/changes/write.js";
import { inList, lockRows } from "#platform/db/dialect.js";
import type { Row } from "#platform/db/tables.js";
import { forgottenCursor } from "./read.js";
import type { PublicKind, Thing } from "./seen.js";

export interface News extends Thing {
  act: Row<"public_changes">["act"];
}

const rowsAtOnce = 2000;

/** Numbers follow the clock, so many to a millisecond: none is given twice, not even by an older database that came back. */
const numbersPerMs = 1000;

/** In order. The follower's cursor is held until the commit, so that the order of numbers is the order of commits. */
export async function record(tx: Tx, news: readonly News[]): Promise<void> {
  if (news.length === 0) return;
  for (const [kind, some] of Map.groupBy(news, (each) => each.kind)) await makeObsolete(tx, kind, some);
  const first = await findFreeNumber(tx);
  for (let start = 0; start < news.length; start += rowsAtOnce) {
    const part = news.slice(start, start + rowsAtOnce);
    await tx.db
      .insertInto("public_changes")
      .values(
        part.map(({ kind, object_id, project_id, act }, at) => ({
          seq: first + start + at,
          ...{ kind, object_id, project_id, act, date_created: tx.now },
          date_obsolete: act === "deleted" ? tx.now : null,
        })),
      )
      .execute();
    await remember(tx, part);
  }
  tx.changed("public", "changes");
}

/** Behind every number that was ever given, also to what has been forgotten since. */
async function findFreeNumber({ db, now }: Tx): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(seq), 0) as last from (
      select max(seq) as seq from public_changes
      union all select seq from feed_cursors where name = ${forgottenCursor}
    ) as given`.execute(db);
  return Math.max(rows[0]!.last + 1, now * numbersPerMs);
}

/** What is said of a thing from now on says more than what was said before. */
async function makeObsolete({ db, now }: Tx, kind: PublicKind, news: readonly News[]): Promise<void> {
  await db
    .updateTable("public_changes")
    .set({ date_obsolete: now })
    .where("kind", "=", kind)
    .where("date_obsolete", "is", null)
    .where(
      inList(
        db,
        sql.ref("object_id"),
        news.map((each) => each.object_id),
      ),
    )
    .execute();
}

async function remember({ db }: Tx, news: readonly News[]): Promise<void> {
  const there = news.filter(({ act }) => act !== "deleted").map(({ act: _act, ...thing }) => thing);
  if (there.length > 0)
    await db
      .insertInto("public_things")
      .values(there)
      .onConflict((conflict) =>
        conflict.columns(["kind", "object_id"]).doUpdateSet((row) => ({ digest: row.ref("excluded.digest") })),
      )
      .execute();
  const gone = Map.groupBy(
    news.filter(({ act }) => act === "deleted"),
    (each) => each.kind,
  );
  for (const [kind, some] of gone)
    await db
      .deleteFrom("public_things")
      .where("kind", "=", kind)
      .where(
        inList(
          db,
          sql.ref("object_id"),
          some.map((each) => each.object_id),
        ),
      )
      .execute();
}

/**
 * Rows that became obsolete before then go, at most so many. Who had not seen the end of something by then is told to
 * begin anew. Returns how many went.
 */
export async function forgetObsolete(tx: Tx, before: number, limit: number): Promise<number> {
  const rows = await tx.db
    .selectFrom("public_changes")
    .select(["seq", "act"])
    .where("date_obsolete", "<=", before)
    .orderBy("date_obsolete")
    .limit(limit)
    .execute();
  if (rows.length === 0) return 0;
  const ends = rows.filter(({ act }) => act === "deleted").map(({ seq }) => seq);
  if (ends.length > 0) await advance(tx, Math.max(...ends));
  await tx.db
    .deleteFrom("public_changes")
    .where(
      "seq",
      "in",
      rows.map(({ seq }) => seq),
    )
    .execute();
  return rows.length;
}

/**
 * Everybody who follows is told to begin anew: after an older database was restored, of which nobody can say what others
 * have heard of it since.
 */
export async function breakOff(tx: Tx, { name }: { name: string }): Promise<void> {
  // As whoever records changes does it, so that none of them gets a number below this one afterwards.
  await tx.db.selectFrom("feed_cursors").select("seq").where("name", "=", name).modifyEnd(lockRows(tx.db)).execute();
  await advance(tx, await findFreeNumber(tx));
  tx.audit("changes.renew", { kind: "changes", id: "public" });
  tx.changed("public", "changes");
}

const advance = ({ db }: Tx, seq: number) =>
  db
    .insertInto("feed_cursors")
    .values({ name: forgottenCursor, seq })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ seq }).where("feed_cursors.seq", "<", seq))
    .execute();
