// Reporting, and closing reports. Each runs in the caller's transaction.

import { addMessages, createThread, type NewMessage, textBody } from "#content/threads/messages.js";
import { notify } from "#content/threads/notifications.js";
import { newId } from "#lib/random.js";
import type { ReportType } from "#lib/report-types.js";
import { dropClaim, refuseOthersClaim, takeClaim } from "#moderation/desk/claims.js";
import type { Tx } from "#platform/changes/write.js";
import { lockRows } from "#platform/db/dialect.js";
import type { Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import { needPowers } from "#platform/http/staff-powers.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { say } from "#words/said.js";
import { closeCaseIfDone, joinCase, lockCase } from "./cases.js";
import { findItemId } from "./items.js";
import { findOpenReport, findReport, type ReportRow } from "./read.js";
import { type ItemType, isUrgent, maxOpenReports, type Outcome } from "./words.js";

export interface ReportInput {
  reportType: ReportType;
  itemType: ItemType;
  itemId: string;
  body: string;
}

export interface Reported {
  reportId: string;
  threadId: string;
  /** The reporter already had an open report about it. */
  joined: boolean;
}

export async function createReport(tx: Tx, viewer: SignedIn, input: ReportInput): Promise<Reported> {
  const userId = viewer.user.id;
  const itemId = await findItemId(tx.db, viewer, input.itemType, input.itemId);
  if (itemId === undefined) throw notFound[input.itemType]();
  if (itemId === userId) throw fail.selfReport();
  // The reports of one user are serialized, so that parallel requests cannot bypass the limit or the check for an open
  // report.
  await tx.db.selectFrom("users").select("id").where("id", "=", userId).modifyEnd(lockRows(tx.db)).execute();
  const open = await findOpenReport(tx.db, userId, input.itemType, itemId);
  if (open) return joinOwn(tx, open, userId, input.body);
  await refuseTooMany(tx, userId);
  const caseId = await joinCase(tx, input.itemType, itemId, isUrgent(input.reportType));
  const reportId = newId(tx.random);
  const threadId = await createThread(tx, "report", reportId);
  await tx.db
    .insertInto("reports")
    .values({
      id: reportId,
      type: input.reportType,
      item_type: input.itemType,
      item_id: itemId,
      body: input.body,
      reporter_id: userId,
      thread_id: threadId,
      closed: 0,
      date_created: tx.now,
      case_id: caseId,
    })
    .execute();
  return { reportId, threadId, joined: false };
}

/** The refusal is the same for missing and invisible objects. */
export const notFound = { project: fail.projectNotFound, version: fail.versionNotFound, user: fail.userNotFound };

async function refuseTooMany({ db }: Tx, userId: string): Promise<void> {
  const { count } = await db
    .selectFrom("reports")
    .select(db.fn.countAll<number>().as("count"))
    .where("reporter_id", "=", userId)
    .where("closed", "=", 0)
    .executeTakeFirstOrThrow();
  if (count >= maxOpenReports) throw fail.tooManyReports(maxOpenReports);
}

/** A second report joins the first; identical text is stored once. */
async function joinOwn(tx: Tx, report: ReportRow, userId: string, text: string): Promise<Reported> {
  const { id: reportId, thread_id: threadId } = report;
  if (text === report.body) return { reportId, threadId, joined: true };
  const body = textBody(text);
  const said = await tx.db
    .selectFrom("thread_messages")
    .select("id")
    .where("thread_id", "=", threadId)
    .where("author_id", "=", userId)
    .where("body", "=", JSON.stringify(body))
    .limit(1)
    .executeTakeFirst();
  if (!said) await addMessages(tx, threadId, [{ authorId: userId, type: "text", body }]);
  return { reportId, threadId, joined: true };
}

export interface Closing {
  closed: boolean;
  outcome: Outcome | null;
  message: string;
}

/** Closes one report or opens it again. For callers who may not see it, it does not exist. */
export async function setClosed(tx: Tx, viewer: SignedIn, reportId: string, closing: Closing): Promise<void> {
  const found = await findReport(tx.db, viewer, reportId);
  if (!found) throw fail.reportNotFound();
  needPowers(viewer, "moderator");
  await lockCase(tx, found.case_id);
  const report = (await findReport(tx.db, viewer, reportId)) ?? found;
  if ((report.closed === 1) === closing.closed)
    throw fail.wrongState(say.states.reportAlready(closing.closed ? say.states.closed : say.states.open));
  if (report.case_id !== null) await refuseOthersClaim(tx, "report", report.case_id, viewer.user.id);
  const caseId = closing.closed ? report.case_id : await reopen(tx, report);
  await settle(tx, viewer, report, closing, caseId);
  if (closing.closed && caseId !== null && (await closeCaseIfDone(tx, caseId))) await dropClaim(tx, "report", caseId);
  tx.audit(closing.closed ? "report.close" : "report.reopen", { kind: "report", id: reportId }, noted(closing));
}

const noted = ({ outcome }: Closing) => (outcome === null ? {} : { outcome });

async function reopen(tx: Tx, report: ReportRow): Promise<string> {
  if (report.reporter_id !== null) {
    const other = await findOpenReport(tx.db, report.reporter_id, report.item_type, report.item_id);
    if (other) throw fail.wrongState(say.states.otherReport(other.id));
  }
  return joinCase(tx, report.item_type, report.item_id, isUrgent(report.type as ReportType));
}

/** Closes every open report of a case, each answered in its own thread. Returns how many. */
export async function closeCase(tx: Tx, viewer: SignedIn, caseId: string, closing: Closing): Promise<number> {
  const found = await lockCase(tx, caseId);
  if (!found) throw fail.caseNotFound();
  if (found.date_closed !== null) throw fail.wrongState(say.states.caseClosedAlready);
  await refuseOthersClaim(tx, "report", caseId, viewer.user.id);
  const reports = await tx.db
    .selectFrom("reports")
    .selectAll()
    .where("case_id", "=", caseId)
    .where("closed", "=", 0)
    .execute();
  for (const report of reports) await settle(tx, viewer, report, closing, caseId);
  await closeCaseIfDone(tx, caseId);
  await dropClaim(tx, "report", caseId);
  tx.audit("report.case.close", { kind: "case", id: caseId }, { reports: reports.length, ...noted(closing) });
  return reports.length;
}

/** Returns the end of the claim. */
export async function claimCase(tx: Tx, viewer: SignedIn, caseId: string): Promise<number> {
  const found = await lockCase(tx, caseId);
  if (!found) throw fail.caseNotFound();
  if (found.date_closed !== null) throw fail.wrongState(say.states.caseClosed);
  return takeClaim(tx, "report", found.id, viewer.user.id);
}

async function settle(tx: Tx, viewer: SignedIn, report: ReportRow, closing: Closing, caseId: string | null) {
  const { closed, outcome, message } = closing;
  const state: Pick<Row<"reports">, "closed" | "outcome"> = { closed: closed ? 1 : 0, outcome: outcome ?? "" };
  await tx.db
    .updateTable("reports")
    .set({ ...state, case_id: caseId })
    .where("id", "=", report.id)
    .execute();
  const by = { authorId: viewer.user.id, byModerator: report.reporter_id !== viewer.user.id };
  const said: NewMessage[] = message === "" ? [] : [{ ...by, type: "text", body: textBody(message) }];
  await addMessages(tx, report.thread_id, [
    ...said,
    { ...by, type: closed ? "thread_closure" : "thread_reopen", body: null },
  ]);
  if (closed && report.guest_email !== null) tx.enqueue("mail-guest-outcome", { reportId: report.id, message });
  if (report.reporter_id === null || report.reporter_id === viewer.user.id) return;
  await notify(tx, [report.reporter_id], {
    type: closed ? "report_closed" : "report_reopened",
    groupKey: `report:${report.id}`,
    body: {
      reportId: report.id,
      threadId: report.thread_id,
      itemType: report.item_type,
      itemId: report.item_id,
      outcome,
    },
  });
}
