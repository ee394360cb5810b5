// Reports as their reporter and moderators see them.

import { sql } from "kysely";
import { type ReportType, reportTypes } from "#lib/report-types.js";
import { inList } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import { invalid } from "#platform/errors.js";
import { timestamp } from "#platform/http/schemas.js";
import { isStaff, type SignedIn } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import { findItemId } from "./items.js";
import type { Report } from "./shapes.js";
import type { ItemType, Outcome } from "./words.js";

export type ReportRow = Row<"reports">;

export const toReport = (row: ReportRow, viewer: SignedIn): Report => ({
  id: row.id,
  reportType: row.type as ReportType,
  itemType: row.item_type,
  itemId: row.item_id,
  body: row.body,
  reporter: row.reporter_id,
  closed: row.closed === 1,
  createdAt: timestamp(row.date_created),
  threadId: row.thread_id,
  outcome: (row.outcome || null) as Outcome | null,
  // The reporter must not learn how many others have reported the same object.
  ...(isStaff(viewer) && row.case_id !== null && { caseId: row.case_id }),
});

/** Found if the caller is the reporter or a moderator. */
export async function findReport(db: Db, viewer: SignedIn, reportId: string): Promise<ReportRow | undefined> {
  const row = await db.selectFrom("reports").selectAll().where("id", "=", reportId).executeTakeFirst();
  return row && (isStaff(viewer) || row.reporter_id === viewer.user.id) ? row : undefined;
}

/** The open report of this user about this object. */
export const findOpenReport = (
  db: Db,
  userId: string,
  type: ItemType,
  itemId: string,
): Promise<ReportRow | undefined> =>
  db
    .selectFrom("reports")
    .selectAll()
    .where("reporter_id", "=", userId)
    .where("item_type", "=", type)
    .where("item_id", "=", itemId)
    .where("closed", "=", 0)
    .executeTakeFirst();

/** Also finds reports about an object that the reporter can no longer see, by its id. */
export async function findOwnOpenReport(
  db: Db,
  viewer: SignedIn,
  type: ItemType,
  ref: string,
): Promise<ReportRow | undefined> {
  const itemId = (await findItemId(db, viewer, type, ref)) ?? ref;
  return findOpenReport(db, viewer.user.id, type, itemId);
}

const newestFirst = (db: Db, limit: number) =>
  db.selectFrom("reports").selectAll().orderBy("date_created", "desc").orderBy("id", "desc").limit(limit);

export const listReportsOf = (db: Db, userId: string): Promise<ReportRow[]> =>
  newestFirst(db, 100).where("reporter_id", "=", userId).execute();

export interface ReportFilter {
  status?: "all" | "open" | "closed";
  itemType?: ItemType;
  itemId?: string;
  /** Report types, separated by commas. */
  ruleViolated?: string;
  reportedBy?: string;
  before?: string;
  limit?: number;
}

export async function listAllReports(db: Db, filter: ReportFilter): Promise<ReportRow[]> {
  const { status = "open", itemType, itemId, ruleViolated, reportedBy, before, limit = 100 } = filter;
  const types = ruleViolated ? parseTypes(ruleViolated) : undefined;
  const mark = before === undefined ? undefined : await getMark(db, before);
  return newestFirst(db, limit)
    .$if(status !== "all", (query) => query.where("closed", "=", status === "closed" ? 1 : 0))
    .$if(itemType !== undefined, (query) => query.where("item_type", "=", itemType!))
    .$if(itemId !== undefined, (query) => query.where("item_id", "=", itemId!))
    .$if(types !== undefined, (query) => query.where(inList(db, sql.ref("type"), types!)))
    .$if(reportedBy !== undefined, (query) => query.where("reporter_id", "=", reportedBy!))
    .$if(mark !== undefined, (query) =>
      query.where(
        sql<boolean>`(date_created < ${mark!.date_created} or (date_created = ${mark!.date_created} and id < ${mark!.id}))`,
      ),
    )
    .execute();
}

function parseTypes(list: string): ReportType[] {
  const given = list.split(",").map((type) => type.trim());
  const types = given.flatMap((type) => reportTypes.find((known) => known === type) ?? []);
  if (types.length < given.length)
    throw invalid({ path: "ruleViolated", message: say.problems.someOf(reportTypes.join(", ")) });
  return types;
}

async function getMark(db: Db, reportId: string): Promise<Pick<ReportRow, "id" | "date_created">> {
  const mark = await db
    .selectFrom("reports")
    .select(["id", "date_created"])
    .where("id", "=", reportId)
    .executeTakeFirst();
  if (!mark) throw invalid({ path: "before", message: say.problems.reportId });
  return mark;
}
