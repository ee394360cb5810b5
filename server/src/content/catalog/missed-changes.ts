// The changes between the last mark of the files with prepared projects and now. The change log tells later ones itself.

import type { FiguresChange } from "#content/records/figures.js";
import { fromJson, type Json } from "#lib/json.js";
import { type Change, changeColumns, toChange } from "#platform/changes/change-log.js";
import type { Resources } from "#platform/http/resources.js";
import type { PreparedCatalog } from "./prepared-catalog.js";

/** After more changes, preparing everything again is as quick. */
const mostMissed = 200_000;
const rowsAtOnce = 1000;

export interface MissedChanges {
  changes: readonly Change[];
  figures: readonly FiguresChange[];
  /** Changes of figures are kept for some minutes only. */
  lacksFigures: boolean;
}

/** Undefined if the change log no longer contains every change after the mark, or contains too many. */
export async function readMissed(
  { db, changeLog }: Pick<Resources, "db" | "changeLog">,
  mark: number,
): Promise<MissedChanges | undefined> {
  const missed = { changes: [] as Change[], figures: [] as FiguresChange[], lacksFigures: false };
  if (mark > changeLog.position || changeLog.position - mark > mostMissed) return undefined;
  // There is none before the first change.
  const marked = await db.selectFrom("changes").select("seq").where("seq", "=", mark).executeTakeFirst();
  if (!marked && mark !== changeLog.position) return undefined;
  for (let position = mark; ; ) {
    const rows = await db
      .selectFrom("changes")
      .select(changeColumns)
      .where("seq", ">", position)
      .orderBy("seq")
      .limit(rowsAtOnce)
      .execute();
    missed.changes.push(...rows.map(toChange));
    const numbers = rows.flatMap(({ kind, object_id: id }) => (kind === "figures" ? [Number(id)] : []));
    if (numbers.length > 0) {
      const found = await db
        .selectFrom("figure_changes")
        .select("body")
        .where("seq", "in", numbers)
        .orderBy("seq")
        .execute();
      for (const { body } of found) missed.figures.push(...fromJson(body as Json<FiguresChange[]>));
      missed.lacksFigures ||= found.length < numbers.length;
    }
    if (rows.length < rowsAtOnce) return missed;
    position = rows.at(-1)!.seq;
  }
}

export function applyMissed(catalog: PreparedCatalog, { changes, figures, lacksFigures }: MissedChanges): void {
  for (const change of changes) catalog.apply(change);
  catalog.figuresChanged(figures);
  catalog.hasLostFigures ||= lacksFigures;
}
