// Reports of people without an account. Each waits until its sender has shown that the mail address is his; then it joins
// the case like any other, and he is told the outcome by mail.

import { createThread } from "#content/threads/messages.js";
import { newId } from "#lib/random.js";
import type { ReportType } from "#lib/report-types.js";
import { newSecretToken, readSecretToken, tokenDigest } from "#lib/secret-token.js";
import type { Tx } from "#platform/changes/write.js";
import type { Db, Row } from "#platform/db/tables.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { anonymous } from "#platform/http/viewer.js";
import type { Locale } from "#words/languages.js";
import { joinCase } from "./cases.js";
import { findItemId } from "./items.js";
import { isUrgent } from "./words.js";
import { notFound, type ReportInput } from "./write.js";

export type GuestReport = Row<"guest_reports">;

const day = 24 * 60 * 60 * 1000;
export const waitsMs = day;
/** An address that somebody else has typed gets no more mails than that. */
const mostWaiting = 3;
const mostOpen = 10;
/** So long after its case was closed nobody opens it again, and the address is needed no more. */
const keptMs = 30 * day;

export const takesGuestReports = ({ config, mailer }: Pick<Resources, "config" | "mailer">): boolean =>
  config.guestReports && mailer.enabled;

export interface GuestInput extends ReportInput {
  email: string;
}

/** The mail leaves with a job of its own. */
export async function createGuestReport(tx: Tx, input: GuestInput, locale: Locale): Promise<void> {
  const email = input.email.toLowerCase();
  const itemId = await findItemId(tx.db, anonymous, input.itemType, input.itemId);
  if (itemId === undefined) throw notFound[input.itemType]();
  await refuseTooMany(tx, email);
  const id = newId(tx.random);
  await tx.db
    .insertInto("guest_reports")
    .values({
      id,
      email,
      locale,
      type: input.reportType,
      item_type: input.itemType,
      item_id: itemId,
      body: input.body,
      code_digest: null,
      date_created: tx.now,
      date_expires: tx.now + waitsMs,
    })
    .execute();
  tx.enqueue("mail-guest-report", { guestReportId: id });
}

async function refuseTooMany({ db, now }: Tx, email: string): Promise<void> {
  const waiting = await db
    .selectFrom("guest_reports")
    .select("id")
    .where("email", "=", email)
    .where("date_expires", ">", now)
    .limit(mostWaiting)
    .execute();
  if (waiting.length >= mostWaiting) throw fail.tooManyReports(mostWaiting);
  const open = await db
    .selectFrom("reports")
    .select("id")
    .where("guest_email", "=", email)
    .where("closed", "=", 0)
    .limit(mostOpen)
    .execute();
  if (open.length >= mostOpen) throw fail.tooManyReports(mostOpen);
}

/** Whoever has the code has read the mail. */
export async function findGuestReport(db: Db, code: string, now: number): Promise<GuestReport | undefined> {
  const digest = readSecretToken(code)?.digest;
  if (!digest) return undefined;
  return db
    .selectFrom("guest_reports")
    .selectAll()
    .where("code_digest", "=", digest)
    .where("date_expires", ">", now)
    .executeTakeFirst();
}

/** A code for the mail that is about to leave; the one of a try before stops working. */
export async function createGuestCode(tx: Tx, guestReportId: string): Promise<string> {
  const code = newSecretToken("msc_", tx.random);
  await tx.db
    .updateTable("guest_reports")
    .set({ code_digest: tokenDigest(code) })
    .where("id", "=", guestReportId)
    .execute();
  return code;
}

/** Works once. What was reported may have gone meanwhile. */
export async function confirmGuestReport(tx: Tx, code: string): Promise<void> {
  const found = await findGuestReport(tx.db, code, tx.now);
  const taken = found && tx.db.deleteFrom("guest_reports").where("id", "=", found.id).returning("id");
  if (!found || !(await taken?.executeTakeFirst())) throw fail.codeInvalid();
  if ((await findItemId(tx.db, anonymous, found.item_type, found.item_id)) === undefined)
    throw notFound[found.item_type]();
  const id = newId(tx.random);
  await tx.db
    .insertInto("reports")
    .values({
      id,
      type: found.type,
      item_type: found.item_type,
      item_id: found.item_id,
      body: found.body,
      reporter_id: null,
      guest_email: found.email,
      guest_locale: found.locale,
      closed: 0,
      date_created: tx.now,
      case_id: await joinCase(tx, found.item_type, found.item_id, isUrgent(found.type as ReportType)),
      thread_id: await createThread(tx, "report", id),
    })
    .execute();
}

/** Addresses of those whose reports are long closed. */
export async function forgetGuests(db: Db, now: number): Promise<void> {
  await db
    .updateTable("reports")
    .set({ guest_email: null })
    .where("guest_email", "is not", null)
    .where("closed", "=", 1)
    .where("case_id", "in", (select) =>
      select
        .selectFrom("report_cases")
        .select("id")
        .where("date_closed", "<=", now - keptMs),
    )
    .execute();
}
