// Mails to people without an account who report something. The code is created when the mail is sent, so that no queue
// ever stores one.
import type { JobPayloads } from "#platform/changes/job-kinds.js";
import { write } from "#platform/changes/write.js";
import type { Resources } from "#platform/http/resources.js";
import { guestReportMail, reportClosedMail } from "#platform/mail/messages.js";
import { createGuestCode, waitsMs } from "./guests.js";
import { describeItems } from "./items.js";
import type { Outcome } from "./words.js";

export async function mailGuestReport(
  resources: Resources,
  { guestReportId }: JobPayloads["mail-guest-report"],
): Promise<void> {
  const { db, mailer, config } = resources;
  if (!mailer.enabled) return;
  const waiting = await db.selectFrom("guest_reports").selectAll().where("id", "=", guestReportId).executeTakeFirst();
  if (!waiting) return;
  const code = await write(resources, { credential: "job" }, (tx) => createGuestCode(tx, guestReportId));
  const mail = guestReportMail({
    siteUrl: config.http.url,
    locale: waiting.locale,
    code,
    validMinutes: waitsMs / 60_000,
  });
  await mailer.send({ to: waiting.email, ...mail });
}

export async function mailGuestOutcome(
  { db, mailer, config }: Resources,
  { reportId, message }: JobPayloads["mail-guest-outcome"],
): Promise<void> {
  if (!mailer.enabled) return;
  const report = await db.selectFrom("reports").selectAll().where("id", "=", reportId).executeTakeFirst();
  if (!report?.guest_email) return;
  const item = (await describeItems(db, [report])).get(report.item_id);
  const mail = reportClosedMail({
    siteUrl: config.http.url,
    locale: report.guest_locale,
    name: item ? (report.item_type === "version" ? `${item.projectName} ${item.title}` : item.title) : undefined,
    outcome: (report.outcome || null) as Outcome | null,
    message,
  });
  await mailer.send({ to: report.guest_email, ...mail });
}
