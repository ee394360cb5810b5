// The user's reports and the conversations about them.
import Type from "typebox";
import { createThreadMessage, type Thread } from "#content/threads/contract.js";
import { findThread, readThread } from "#content/threads/read.js";
import { postMessage } from "#content/threads/write.js";
import { type Evidence, listEvidence } from "#moderation/reports/evidence.js";
import { findReport, listReportsOf, toReport } from "#moderation/reports/read.js";
import type { Report } from "#moderation/reports/shapes.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { needs, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { parse } from "#platform/http/validation.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { attempt, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { dashboardPage, dashboardWords } from "./dashboard-frame.js";
import { reportPictureRoute } from "./report-picture.js";
import { ReportConversation, ReportList } from "./report-view.js";
import { listReportedThings, type ReportedThing } from "./reported-items.js";

const params = Type.Object({ reportId: Type.String({ maxLength: 64 }) });
const path = "/dashboard/report/:reportId";

async function load(
  { db, config }: Resources,
  viewer: SignedIn,
  reportId: string,
): Promise<{
  report: Report;
  about: ReportedThing | undefined;
  thread: Thread;
  pictures: readonly Evidence[];
}> {
  const row = await findReport(db, viewer, reportId);
  const thread = row && (await findThread(db, viewer, row.thread_id));
  if (!row || !thread) throw fail.reportNotFound();
  return {
    report: toReport(row, viewer),
    about: (await listReportedThings(db, viewer, [row])).get(row.item_id),
    thread: await readThread(db, viewer, thread, config.http.cdnUrl, { limit: 100 }),
    pictures: (await listEvidence(db, [row.id])).get(row.id) ?? [],
  };
}

export const reportPageRoutes: Route[] = [
  reportPictureRoute,
  pageRoute(
    {
      id: "getOwnReportsPage",
      path: "/dashboard/reports",
      access: needs("report_read"),
      summary: "The user's reports",
    },
    async ({ request, viewer }, { db }) => {
      const rows = await listReportsOf(db, viewer.user.id);
      return dashboardPage({
        title: dashboardWords(request).reports,
        children: (
          <ReportList
            reports={rows.map((row) => toReport(row, viewer))}
            things={await listReportedThings(db, viewer, rows)}
          />
        ),
      });
    },
  ),

  pageRoute(
    {
      id: "getOwnReportPage",
      path,
      access: needs("report_read", "thread_read"),
      summary: "A report and the conversation about it",
      params,
      errors: ["reportNotFound"],
    },
    async ({ request, viewer, params: { reportId } }, resources) =>
      dashboardPage({
        title: dashboardWords(request).report,
        children: <ReportConversation {...(await load(resources, viewer, reportId))} />,
      }),
  ),

  memberFormRoute(
    {
      id: "submitOwnReportMessage",
      once: true,
      path,
      access: readable("report_read", "thread_write"),
      summary: "Write to the moderators about a report",
      params,
      body: formFields("message"),
      errors: ["reportNotFound"],
    },
    async ({ request, reply, viewer, actor, body, params: { reportId } }, resources) => {
      const { report, about, thread, pictures } = await load(resources, viewer, reportId);
      const text = body.message ?? "";
      const problems = await attempt(
        async () => {
          const { message } = parse<{ message: string }>("body", createThreadMessage.body, { message: text }, "body");
          const input = { text: message, replyingTo: null, isPrivate: false };
          await write(resources, actor, (tx) => postMessage(tx, viewer, thread.id, input));
        },
        { wrongState: "message", rateLimited: "message" },
      );
      if (!problems) return seeOther(reply, `/dashboard/report/${report.id}`);
      return dashboardPage({
        title: dashboardWords(request).report,
        status: problems.status,
        children: <ReportConversation {...{ report, about, thread, pictures, problems }} typed={text} />,
      });
    },
  ),
];
