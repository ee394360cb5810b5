// Users and the audit log for administrators: the lists of the moderation desk, with email addresses and all actions.

import Type from "typebox";
import { checkChain } from "#platform/changes/audit-chain.js";
import type { Route } from "#platform/http/endpoint.js";
import { formatIn } from "#web/context/format.js";
import { localeOf } from "#web/context/preferences.js";
import { pageRoute } from "#web/frame/page.js";
import { Notice } from "#web/parts/notice.js";
import { Log, loadLog, logQuery } from "#web/shared/audit-log.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { loadPeople, People, peopleQuery } from "#web/shared/user-search.js";
import { texts, textsIn } from "#words/texts.js";
import { adminPage } from "./admin-frame.js";

/** The number of entries that the API checks in one call. */
const mostChecked = 10_000;

export const peopleAndAuditRoutes: Route[] = [
  pageRoute(
    {
      id: "getAdminUsersPage",
      path: "/admin/users",
      access: forAdmins,
      rate: "search",
      summary: "Find users by name or email address",
      query: peopleQuery,
    },
    async ({ request, query }, resources) => {
      const view = await loadPeople(resources, query, true);
      return adminPage({ tab: "users", locale: localeOf(request) }, <People view={view} path="/admin/users" />);
    },
  ),

  pageRoute(
    {
      id: "getAdminAuditPage",
      path: "/admin/audit",
      access: forAdmins,
      rate: "search",
      summary: "The audit log",
      query: Type.Object({ ...logQuery.properties, check: Type.Optional(Type.String({ maxLength: 8 })) }),
    },
    async ({ viewer, request, query: { check, ...query } }, resources) => {
      const locale = localeOf(request);
      const t = textsIn(texts.admin.overview, locale);
      const format = formatIn(locale, resources.clock.now());
      const view = await loadLog(resources, viewer, query);
      const found = check === undefined ? undefined : await checkChain(resources.db, 0, mostChecked);
      return adminPage(
        { tab: "audit", locale, status: view.problems?.status, scripts: ["suggest"] },
        <>
          {found?.brokenAt === undefined && found && <Notice title={t.auditIntact(format.number(found.count))} />}
          {found?.brokenAt !== undefined && <Notice kind="problem" title={t.auditBroken(String(found.brokenAt))} />}
          <p>
            <a href="/admin/audit?check=yes">{t.auditCheck}</a>
          </p>
          <Log view={view} path="/admin/audit" />
        </>,
      );
    },
  ),
];
