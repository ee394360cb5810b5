// Reporting something to the moderators: what, why, and in one's own words.

import Type from "typebox";
import { createReport as contract } from "#moderation/reports/contract.js";
import { addEvidence, mostEvidence, storeEvidence } from "#moderation/reports/evidence.js";
import { takesGuestReports } from "#moderation/reports/guests.js";
import { listReasons } from "#moderation/reports/policy.js";
import { findOpenReport } from "#moderation/reports/read.js";
import { createReport, type ReportInput } from "#moderation/reports/write.js";
import { write } from "#platform/changes/write.js";
import { fail } from "#platform/errors.js";
import { readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { parse } from "#platform/http/validation.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { safeNext, seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import type { Page } from "#web/frame/layout.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { AlreadyReported, type FormProps, type ReportFields, ReportForm, TargetForm } from "./report.js";
import { findTarget, refuseMissingReason } from "./report-target.js";

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

export const reportPageRoutes: Route[] = [
  pageRoute(
    {
      id: "getReportPage",
      path: "/report",
      access: readable("report_create", "report_read"),
      summary: "The form for a report",
      query: Type.Object({ itemType: text(64), itemId: text(512), about: text(512) }),
    },
    async ({ query, viewer, request }, resources) => {
      const locale = localeOf(request);
      const t = textsIn(texts.reports.report, locale);
      const { itemType = "", itemId = "", about } = query;
      const userId = viewer.kind === "anonymous" ? undefined : viewer.user.id;
      if (userId === undefined && !takesGuestReports(resources)) throw fail.signInNeeded();
      if (itemId === "") return targetPage(locale, itemType, itemId);
      const target = await findTarget(resources, viewer, itemType, itemId);
      if (!target) return targetPage(locale, itemType, itemId, { status: 404, message: t.unknown });
      if (target.id === userId) return targetPage(locale, itemType, itemId, { status: 400, message: t.yourself });
      const open = userId && (await findOpenReport(resources.db, userId, target.type, target.id));
      if (open) return { title: t.already, content: <AlreadyReported target={target} reportId={open.id} /> };
      const path = safeNext(about, "");
      const form = { target, reasons: listReasons(resources.config), signIn: userId ? undefined : request.url };
      return formPage(locale, form, path === "" ? {} : { body: t.about(path) });
    },
  ),
  memberFormRoute(
    {
      id: "submitReport",
      once: true,
      path: "/report",
      access: readable("report_create", "report_read"),
      rate: "report",
      summary: "Send a report",
      body: formFields("itemType", "itemId", "reportType", "body"),
      files: {
        pictures: {
          maxBytes: ({ config }) => config.limits.galleryImageBytes,
          maxCount: () => mostEvidence,
          description: "PNG, JPEG, GIF or WebP",
        },
      },
      streams: true,
      errors: ["projectNotFound", "versionNotFound", "userNotFound", "selfReport", "tooManyReports"],
    },
    async ({ body: given, staged, viewer, actor, request, reply }, resources) => {
      const locale = localeOf(request);
      const { itemType = "", itemId = "" } = given;
      const target = await findTarget(resources, viewer, itemType, itemId);
      if (!target) {
        const message = textsIn(texts.reports.report, locale).unknown;
        return targetPage(locale, itemType, itemId, { status: 404, message });
      }
      const form = { target, reasons: listReasons(resources.config) };
      let reportId = "";
      const problems = await attempt(
        async () => {
          refuseMissingReason(form.reasons, given.reportType, locale);
          const read = { ...given, itemId: target.id, body: given.body?.replaceAll("\r\n", "\n") ?? "" };
          const input = parse<ReportInput>("body", contract.body, read, "form");
          const pictures = await storeEvidence(resources, staged.pictures ?? []);
          reportId = await write(resources, actor, async (tx) => {
            const created = await createReport(tx, viewer, input);
            await addEvidence(tx, resources, { id: created.reportId, reporterId: viewer.user.id }, pictures);
            return created.reportId;
          });
        },
        { selfReport: "itemId", tooManyReports: "body", imageUnusable: "pictures", quotaReached: "pictures" },
      );
      return problems ? formPage(locale, form, given, problems) : seeOther(reply, `/dashboard/report/${reportId}`);
    },
  ),
];

export const formPage = (
  locale: Locale,
  form: Pick<FormProps, "target" | "reasons" | "signIn">,
  given: ReportFields,
  problems?: FormProblems,
): Page => ({
  title: textsIn(texts.reports.report, locale).titleOf(form.target.name),
  status: problems?.status,
  content: <ReportForm {...form} given={given} problems={problems} />,
});

export const targetPage = (
  locale: Locale,
  itemType: string,
  itemId: string,
  problem?: { status: number; message: string },
): Page => ({
  title: textsIn(texts.reports.report, locale).title,
  status: problem?.status,
  content: (
    <TargetForm
      itemType={itemType}
      itemId={itemId}
      problems={problem && { ...problem, fields: { itemId: problem.message } }}
    />
  ),
});
