// Cases: all reports about one object together, for moderators. Each list takes a constant number of statements.
import { sql } from "kysely";
import type { ReportType } from "#lib/report-types.js";
import { findClaims } from "#moderation/desk/claims.js";
import { toClaim } from "#moderation/desk/shapes.js";
import { inList } from "#platform/db/dialect.js";
import type { Db, Row } from "#platform/db/tables.js";
import { maybeTimestamp, timestamp } from "#platform/http/schemas.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { describeItems } from "./items.js";
import { toReport } from "./read.js";
import type { CaseReport, ReportCase, ReportCaseDetail } from "./shapes.js";
import type { ItemType } from "./words.js";

type CaseRow = Row<"report_cases">;

export interface CaseFilter {
  status?: "open" | "closed";
  itemType?: ItemType;
  limit?: number;
  offset?: number;
}

export async function listCases(db: Db, filter: CaseFilter, now: number): Promise<ReportCase[]> {
  const { status = "open", itemType, limit = 100, offset = 0 } = filter;
  const rows = await db
    .selectFrom("report_cases")
    .selectAll()
    .where("date_closed", status === "open" ? "is" : "is not", null)
    .$if(itemType !== undefined, (query) => query.where("item_type", "=", itemType!))
    .orderBy(status === "open" ? sql`is_urgent desc, date_created, id` : sql`date_closed desc, id`)
    .limit(limit)
    .offset(offset)
    .execute();
  return toCases(db, rows, now);
}

export const findCase = (db: Db, caseId: string): Promise<CaseRow | undefined> =>
  db.selectFrom("report_cases").selectAll().where("id", "=", caseId).executeTakeFirst();

async function toCases(db: Db, rows: readonly CaseRow[], now: number): Promise<ReportCase[]> {
  const ids = rows.map(({ id }) => id);
  const counts = await db
    .selectFrom("reports")
    .select(["case_id", "type", db.fn.countAll<number>().as("count")])
    .where(inList(db, sql.ref("case_id"), ids))
    .groupBy(["case_id", "type"])
    .orderBy("type")
    .execute();
  const countsOf = Map.groupBy(counts, ({ case_id }) => case_id);
  const items = await describeItems(db, rows);
  const claims = await findClaims(db, "report", ids, now);
  return rows.map((row) => {
    const mine = countsOf.get(row.id) ?? [];
    return {
      id: row.id,
      itemType: row.item_type,
      itemId: row.item_id,
      item: items.get(row.item_id) ?? null,
      isUrgent: row.is_urgent === 1,
      closed: row.date_closed !== null,
      dateCreated: timestamp(row.date_created),
      dateUpdated: timestamp(row.date_updated),
      dateClosed: maybeTimestamp(row.date_closed),
      reportCount: mine.reduce((sum, { count }) => sum + count, 0),
      reportTypes: mine.map(({ type }) => type as ReportType),
      claim: toClaim(claims.get(row.id)),
    };
  });
}

export async function readCase(db: Db, viewer: SignedIn, row: CaseRow, now: number): Promise<ReportCaseDetail> {
  const [shown] = await toCases(db, [row], now);
  const reports = await db
    .selectFrom("reports")
    .leftJoin("users", "users.id", "reports.reporter_id")
    .selectAll("reports")
    .select("users.user_name")
    .where("reports.case_id", "=", row.id)
    .orderBy("reports.date_created", "desc")
    .orderBy("reports.id", "desc")
    .limit(100)
    .execute();
  const histories = await listHistories(
    db,
    reports.flatMap(({ reporter_id }) => reporter_id ?? []),
  );
  const nothing = { closed: 0, actionTaken: 0 };
  const toCaseReport = (report: (typeof reports)[number]): CaseReport => ({
    ...toReport(report, viewer),
    reporterName: report.user_name,
    isGuest: report.guest_locale !== null,
    reporterHistory: histories.get(report.reporter_id ?? "") ?? nothing,
  });
  return { ...shown!, reports: reports.map(toCaseReport) };
}

async function listHistories(db: Db, reporterIds: readonly string[]) {
  const rows = await db
    .selectFrom("reports")
    .select(["reporter_id", db.fn.countAll<number>().as("closed")])
    .select(sql<number>`sum(case when outcome = 'action_taken' then 1 else 0 end)`.as("action_taken"))
    .where(inList(db, sql.ref("reporter_id"), reporterIds))
    .where("closed", "=", 1)
    .groupBy("reporter_id")
    .execute();
  return new Map(
    rows.map((row) => [row.reporter_id, { closed: Number(row.closed), actionTaken: Number(row.action_taken) }]),
  );
}
