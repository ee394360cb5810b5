// The routes of the page in notices.tsx.
import {
  findSiteNotice,
  NoticeInput,
  removeSiteNotice,
  type SiteNotice,
  setSiteNotice,
} from "#operations/administration/site-notice.js";
import { write } from "#platform/changes/write.js";
import type { Route } from "#platform/http/endpoint.js";
import { timestamp } from "#platform/http/schemas.js";
import { parse } from "#platform/http/validation.js";
import { attempt, formFields } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { checkStamp, staleField } from "#web/parts/conflict.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { adminPage } from "./admin-frame.js";
import { NoticeForm, type Typed } from "./notices.js";

/** The format of a datetime-local input: UTC, to the minute. */
const toText = (time: number | null): string => (time === null ? "" : timestamp(time).slice(0, 16));

const nothing: Typed = { text: "", level: "plain", from: "", until: "" };

const toTyped = (notice: SiteNotice | undefined): Typed =>
  notice ? { ...notice, from: toText(notice.from), until: toText(notice.until) } : nothing;

export const noticeRoutes: Route[] = [
  pageRoute(
    { id: "getAdminNoticesPage", path: "/admin/notices", access: forAdmins, summary: "The notice on every page" },
    async ({ request }, resources) => {
      const notice = await findSiteNotice(resources);
      return adminPage(
        { tab: "notices", locale: localeOf(request) },
        <NoticeForm typed={toTyped(notice)} saved={toTyped(notice)} isUp={notice !== undefined} />,
      );
    },
  ),

  memberFormRoute(
    {
      id: "submitSiteNotice",
      path: "/admin/notices",
      access: forAdmins,
      summary: "Show a notice on every page",
      body: formFields("text", "level", "from", "until", "stamp"),
    },
    async ({ viewer, actor, request, body, reply }, resources) => {
      const { stamp, ...fields } = body;
      const typed: Typed = { ...nothing, ...fields };
      const problems = await attempt(async () => {
        const input = parse<NoticeInput>("body", NoticeInput, { ...typed }, "body");
        await write(resources, actor, (tx) =>
          setSiteNotice(tx, viewer.user.id, input, (before) => checkStamp(stamp, toTyped(before))),
        );
      }, staleField);
      if (!problems) return seeOther(reply, "/admin/notices");
      const saved = toTyped(await findSiteNotice(resources));
      return adminPage(
        { tab: "notices", locale: localeOf(request), status: problems.status },
        <NoticeForm typed={typed} saved={saved} isUp={false} problems={problems} />,
      );
    },
  ),

  memberFormRoute(
    {
      id: "submitSiteNoticeRemoval",
      path: "/admin/notices/remove",
      access: forAdmins,
      summary: "Remove the notice",
      errors: ["wrongState"],
    },
    async ({ actor, reply }, resources) => {
      await write(resources, actor, (tx) => removeSiteNotice(tx));
      return seeOther(reply, "/admin/notices");
    },
  ),
];
