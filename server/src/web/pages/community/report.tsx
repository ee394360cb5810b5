// Reporting something to the moderators: what, why, and in one's own words.
import Type from "typebox";
import { catalogOf } from "../../../catalog/catalog.js";
import { write } from "../../../changes/write.js";
import { invalid } from "../../../errors.js";
import { needs, readable } from "../../../http/access.js";
import type { Route } from "../../../http/endpoint.js";
import type { Resources } from "../../../http/resources.js";
import { parse } from "../../../http/validation.js";
import type { SignedIn } from "../../../http/viewer.js";
import type { ReportType } from "../../../lib/report-types.js";
import { createReport as contract } from "../../../reports/contract.js";
import { addEvidence, mostEvidence, storeEvidence } from "../../../reports/evidence.js";
import { describeItems, findItemId } from "../../../reports/items.js";
import { listReasons } from "../../../reports/policy.js";
import { findOpenReport } from "../../../reports/read.js";
import { type ItemType, itemTypes } from "../../../reports/words.js";
import { createReport, type ReportInput } from "../../../reports/write.js";
import { attempt, type FormProblems, formFields } from "../../form.js";
import type { Page } from "../../layout.js";
import type { Locale } from "../../locale.js";
import { memberFormRoute, pageRoute } from "../../page.js";
import { projectPath } from "../../parts/project-card.js";
import { safeNext, seeOther } from "../../paths.js";
import { localeOf } from "../../preferences.js";
import { textsIn } from "../../texts.js";
import { reportTexts } from "./report-texts.js";
import { AlreadyReported, type ReportFields, ReportForm, type Target, TargetForm } from "./report-view.js";

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

export const reportPageRoutes: Route[] = [
  pageRoute(
    {
      id: "getReportPage",
      path: "/report",
      access: needs("report_create", "report_read"),
      summary: "The form for a report",
      query: Type.Object({ itemType: text(64), itemId: text(512), about: text(512) }),
    },
    async ({ query, viewer, request }, resources) => {
      const locale = localeOf(request);
      const t = textsIn(reportTexts, locale);
      const { itemType = "", itemId = "", about } = query;
      if (itemId === "") return targetPage(locale, itemType, itemId);
      const target = await findTarget(resources, viewer, itemType, itemId);
      if (!target) return targetPage(locale, itemType, itemId, { status: 404, message: t.unknown });
      if (target.id === viewer.user.id)
        return targetPage(locale, itemType, itemId, { status: 400, message: t.yourself });
      const open = await findOpenReport(resources.db, viewer.user.id, target.type, target.id);
      if (open) return { title: t.already, content: <AlreadyReported target={target} reportId={open.id} /> };
      const path = safeNext(about, "");
      const form = { target, reasons: listReasons(resources.config) };
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
        const message = textsIn(reportTexts, locale).unknown;
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
            await addEvidence(tx, resources.blobs, created.reportId, pictures);
            return created.reportId;
          });
        },
        { selfReport: "itemId", tooManyReports: "body", imageUnusable: "pictures" },
      );
      return problems ? formPage(locale, form, given, problems) : seeOther(reply, `/dashboard/report/${reportId}`);
    },
  ),
];

function refuseMissingReason(reasons: readonly ReportType[], reason: string | undefined, locale: Locale): void {
  if (!(reasons as readonly (string | undefined)[]).includes(reason))
    throw invalid({ path: "reportType", message: textsIn(reportTexts, locale).chooseReason });
}

const addresses: Record<ItemType, RegExp> = {
  project: /\/project\/([^/?#]+)/,
  version: /\/version\/([^/?#]+)/,
  user: /\/user\/([^/?#]+)/,
};

/** Among what the visitor sees. An address of this site will do as well as a name. */
async function findTarget(
  resources: Resources,
  viewer: SignedIn,
  itemType: string,
  given: string,
): Promise<Target | undefined> {
  const { db } = resources;
  const type: ItemType | undefined = itemTypes.find((name) => name === itemType);
  if (!type) return undefined;
  const ref = addresses[type].exec(given)?.[1] ?? given.trim();
  const id = await findItemId(db, viewer, type, ref);
  if (id === undefined) return undefined;
  const item = (await describeItems(db, [{ item_type: type, item_id: id }])).get(id);
  if (!item) return undefined;
  if (type === "user") return { type, id, name: item.title, href: `/user/${item.title}`, issueTracker: null };
  const entry = (await catalogOf(resources).getProjects([item.projectId!])).get(item.projectId!);
  const path = projectPath(item.projectSlug ?? "");
  return {
    type,
    id,
    name: type === "project" ? item.title : `${item.projectName} ${item.title}`,
    href: type === "project" ? path : `${path}/version/${id}`,
    issueTracker: entry?.project.issueTrackerUrl || null,
  };
}

const formPage = (
  locale: Locale,
  form: { target: Target; reasons: readonly ReportType[] },
  given: ReportFields,
  problems?: FormProblems,
): Page => ({
  title: textsIn(reportTexts, locale).titleOf(form.target.name),
  status: problems?.status,
  content: <ReportForm {...form} given={given} problems={problems} />,
});

const targetPage = (
  locale: Locale,
  itemType: string,
  itemId: string,
  problem?: { status: number; message: string },
): Page => ({
  title: textsIn(reportTexts, locale).title,
  status: problem?.status,
  content: (
    <TargetForm
      itemType={itemType}
      itemId={itemId}
      problems={problem && { ...problem, fields: { itemId: problem.message } }}
    />
  ),
});
