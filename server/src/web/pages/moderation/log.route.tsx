// The audit log: moderators see actions of moderators, administrators see everything.
import { pageRoute } from "#web/frame/page.js";
import { Log, loadLog, logQuery } from "#web/shared/audit-log.js";
import { forModerators } from "#web/shared/staff-access.js";
import { deskPage, wordsFor } from "./desk-frame.js";

export const logRoute = pageRoute(
  {
    id: "getModerationLogPage",
    path: "/moderation/log",
    access: forModerators,
    rate: "search",
    summary: "The audit log of moderators",
    query: logQuery,
  },
  async ({ viewer, request, query }, resources) => {
    const view = await loadLog(resources, viewer, query);
    return deskPage(
      { title: wordsFor(request).t.tabs.log, status: view.problems?.status, scripts: ["suggest"] },
      <Log view={view} path="/moderation/log" />,
    );
  },
);
