// A case of reports: claiming it, answering, closing, reopening.
import Type from "typebox";
import { createThreadMessage } from "#content/threads/contract.js";
import { postMessage } from "#content/threads/write.js";
import { releaseClaim } from "#moderation/desk/claims.js";
import { findHeldVersions } from "#moderation/quarantine/read.js";
import { findCase, readCase } from "#moderation/reports/cases-read.js";
import { closeReportCase } from "#moderation/reports/contract.js";
import { listEvidence } from "#moderation/reports/evidence.js";
import { findReport } from "#moderation/reports/read.js";
import { type Closing, claimCase, closeCase, setClosed } from "#moderation/reports/write.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import type { Route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import { parse } from "#platform/http/validation.js";
import type { SignedIn } from "#platform/http/viewer.js";
import { attempt, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { forModerators } from "#web/shared/staff-access.js";
import { type CaseView, casePage } from "./report.js";
import { loadThread } from "./review-load.js";

const threadsShown = 10;
const params = Type.Object({ id: Ref("Case id") });
const inCase = Type.Object({ id: Ref("Case id"), reportId: Ref("Report id") });
const form = { access: forModerators, params, errors: ["caseNotFound", "claimed", "wrongState"] } as const;
const pathOf = (id: string): string => `/moderation/report/${id}`;

async function loadCase(resources: Resources, viewer: SignedIn, id: string): Promise<CaseView> {
  const { db, clock } = resources;
  const row = await findCase(db, id);
  if (!row) throw fail.caseNotFound();
  const found = await readCase(db, viewer, row, clock.now());
  const threads: CaseView["threads"] = new Map(
    await Promise.all(
      found.reports.slice(0, threadsShown).map(async (report) => {
        const thread = await loadThread(resources, viewer, report.threadId);
        if (!thread) throw fail.threadNotFound();
        return [report.id, thread] as const;
      }),
    ),
  );
  const pictures = await listEvidence(
    db,
    found.reports.map((report) => report.id),
  );
  const version = found.itemType === "version" && (await findHeldVersions(db, [found.itemId])).get(found.itemId);
  return { found, threads, pictures, isQuarantined: version ? version.quarantined : false };
}

/** Returns a report of this case only, so that the URL of one case cannot change reports of another. */
async function getReportIn(resources: Resources, viewer: SignedIn, caseId: string, reportId: string) {
  const report = await findReport(resources.db, viewer, reportId);
  if (report?.case_id !== caseId) throw fail.reportNotFound();
  return report;
}

export const reportRoutes: Route[] = [
  pageRoute(
    {
      id: "getCasePage",
      path: "/moderation/report/:id",
      access: forModerators,
      summary: "A case of reports",
      params: Type.Object({ id: Ref("Id of a case or of a report") }),
      errors: ["caseNotFound"],
    },
    async ({ viewer, params: { id }, request, reply }, resources) => {
      // Notifications link to the report, which redirects to its case.
      const report = await findReport(resources.db, viewer, id);
      if (report?.case_id) return seeOther(reply, `${pathOf(report.case_id)}#report-${id}`);
      return casePage(await loadCase(resources, viewer, id), localeOf(request));
    },
  ),

  memberFormRoute(
    { ...form, id: "submitCaseClaim", path: "/moderation/report/:id/claim", summary: "Claim a case" },
    async ({ viewer, actor, params: { id }, reply }, resources) => {
      await write(resources, actor, (tx) => claimCase(tx, viewer, id));
      return seeOther(reply, pathOf(id));
    },
  ),

  memberFormRoute(
    { ...form, id: "submitCaseRelease", path: "/moderation/report/:id/release", summary: "Drop the claim on a case" },
    async ({ viewer, actor, params: { id }, reply }, resources) => {
      if (!(await findCase(resources.db, id))) throw fail.caseNotFound();
      await write(resources, actor, (tx) => releaseClaim(tx, "report", id, viewer.user));
      return seeOther(reply, pathOf(id));
    },
  ),

  memberFormRoute(
    {
      ...form,
      id: "submitCaseClose",
      once: true,
      path: "/moderation/report/:id/close",
      summary: "Close every report of a case",
      body: formFields("outcome", "message"),
    },
    async ({ viewer, actor, params: { id }, body, request, reply }, resources) => {
      const { outcome = "", message = "" } = body;
      const problems = await attempt(async () => {
        const typed = { closed: true, outcome: outcome || null, message };
        const closing = parse<Closing>("body", closeReportCase.body, typed, "body");
        await write(resources, actor, (tx) => closeCase(tx, viewer, id, closing));
      });
      if (!problems) return seeOther(reply, pathOf(id));
      const view = await loadCase(resources, viewer, id);
      return casePage({ ...view, closing: { outcome, message, problems } }, localeOf(request));
    },
  ),

  ...([true, false] as const).map((closed) =>
    memberFormRoute(
      {
        ...form,
        id: closed ? "submitReportClose" : "submitReportReopen",
        path: `/moderation/report/:id/${closed ? "close" : "reopen"}/:reportId`,
        summary: closed ? "Close one report of a case" : "Open a report again",
        params: inCase,
        errors: ["reportNotFound", "claimed", "wrongState"],
      },
      async ({ viewer, actor, params: { id, reportId }, reply }, resources) => {
        await getReportIn(resources, viewer, id, reportId);
        await write(resources, actor, (tx) => setClosed(tx, viewer, reportId, { closed, outcome: null, message: "" }));
        // A reopened report may belong to another case.
        return seeOther(reply, pathOf(reportId));
      },
    ),
  ),

  memberFormRoute(
    {
      ...form,
      id: "submitCaseMessage",
      once: true,
      path: "/moderation/report/:id/say/:reportId",
      summary: "Write in the thread of a report",
      params: inCase,
      body: formFields("say", "private"),
      errors: ["reportNotFound", "wrongState"],
    },
    async ({ viewer, actor, params: { id, reportId }, body, request, reply }, resources) => {
      const report = await getReportIn(resources, viewer, id, reportId);
      const typed = { text: body.say ?? "", isPrivate: body.private !== undefined };
      const problems = await attempt(
        async () => {
          parse("body", createThreadMessage.body, { message: typed.text }, "body");
          const said = { ...typed, replyingTo: null };
          await write(resources, actor, (tx) => postMessage(tx, viewer, report.thread_id, said));
        },
        { wrongState: "say" },
      );
      if (!problems) return seeOther(reply, pathOf(reportId));
      const fields = { say: problems.fields.message ?? problems.message };
      const view = await loadCase(resources, viewer, id);
      return casePage({ ...view, said: { ...typed, reportId, problems: { ...problems, fields } } }, localeOf(request));
    },
  ),
];
