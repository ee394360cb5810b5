// Writes the public change log: its rows, the public view of objects, and the removal of old rows.
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "#platform/changes/write.js";
import { inList, lockRows, type Statement, together } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import { forgottenCursor } from "./read.js";
import type { PublicKind, Thing } from "./seen.js";

export interface News extends Thing {
  act: Row<"public_changes">["act"];
}

const rowsAtOnce = 2000;

/**
 * Numbers follow the clock, with this many per millisecond, so that none is used twice, even after an older database
 * was restored.
 */
const numbersPerMs = 1000;

/** Records changes in order. The consumer's cursor is locked until the commit, so that numbers are in commit order. */
export async function record(tx: Tx, news: readonly News[]): Promise<void> {
  if (news.length === 0) return;
  const obsolete = [...Map.groupBy(news, (each) => each.kind)].map(([kind, some]) => makingObsolete(tx, kind, some));
  const [last] = await together(tx.db, [lastNumber], obsolete);
  const first = freeNumber(tx, last.rows[0]!);
  const statements: Statement[] = [];
  for (let start = 0; start < news.length; start += rowsAtOnce) {
    const part = news.slice(start, start + rowsAtOnce);
    const rows = part.map(({ kind, object_id, project_id, act }, at) => ({
      seq: first + start + at,
      ...{ kind, object_id, project_id, act, date_created: tx.now },
      date_obsolete: act === "deleted" ? tx.now : null,
    }));
    statements.push(tx.db.insertInto("public_changes").values(rows), ...remembering(tx, part));
  }
  await together(tx.db, statements);
  tx.changed("public", "changes");
}

/** Above every number that was ever used, including those of removed rows. */
const lastNumber = sql<{ last: number }>`
  select coalesce(max(seq), 0) as last from (
    select max(seq) as seq from public_changes
    union all select seq from feed_cursors where name = ${forgottenCursor}
  ) as given`;

const freeNumber = ({ now }: Tx, { last }: { last: number }): number => Math.max(last + 1, now * numbersPerMs);

const amongNews = (db: Db, news: readonly News[]): RawBuilder<boolean> =>
  inList(
    db,
    sql.ref("object_id"),
    news.map((each) => each.object_id),
  );

/** A new row about an object replaces the earlier ones. */
const makingObsolete = ({ db, now }: Tx, kind: PublicKind, news: readonly News[]): Statement =>
  db
    .updateTable("public_changes")
    .set({ date_obsolete: now })
    .where("kind", "=", kind)
    .where("date_obsolete", "is", null)
    .where(amongNews(db, news));

function remembering({ db }: Tx, news: readonly News[]): Statement[] {
  const there = news.filter(({ act }) => act !== "deleted").map(({ act: _act, ...thing }) => thing);
  const put = db
    .insertInto("public_things")
    .values(there)
    .onConflict((conflict) =>
      conflict.columns(["kind", "object_id"]).doUpdateSet((row) => ({ digest: row.ref("excluded.digest") })),
    );
  const gone = Map.groupBy(
    news.filter(({ act }) => act === "deleted"),
    (each) => each.kind,
  );
  const removing = [...gone].map(([kind, some]) =>
    db.deleteFrom("public_things").where("kind", "=", kind).where(amongNews(db, some)),
  );
  return there.length > 0 ? [put, ...removing] : removing;
}

/**
 * Removes at most `limit` rows that became obsolete before that time. Clients that have not read a removed deletion are
 * told to start again. Returns the number of removed rows.
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
 * Tells every client to start again: after an older database was restored, the changes that clients have read since are
 * unknown.
 */
export async function breakOff(tx: Tx, { name }: { name: string }): Promise<void> {
  // Takes the same lock as recording, so that no later change gets a lower number.
  await tx.db.selectFrom("feed_cursors").select("seq").where("name", "=", name).modifyEnd(lockRows(tx.db)).execute();
  const { rows } = await lastNumber.execute(tx.db);
  await advance(tx, freeNumber(tx, rows[0]!));
  tx.audit("changes.renew", { kind: "changes", id: "public" });
  tx.changed("public", "changes");
}

const advance = ({ db }: Tx, seq: number) =>
  db
    .insertInto("feed_cursors")
    .values({ name: forgottenCursor, seq })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ seq }).where("feed_cursors.seq", "<", seq))
    .execute();
