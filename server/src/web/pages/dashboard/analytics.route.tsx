// The views and downloads of the user's projects.
import Type from "typebox";
import { sessionOnly } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { pageRoute } from "#web/frame/page.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { AnalyticsView } from "#web/shared/analytics.js";
import { readAnalytics } from "#web/shared/analytics-view.js";
import { listOwnProjects } from "#web/shared/own-projects.js";
import { dashboardPage, dashboardWords } from "./dashboard-frame.js";

const path = "/dashboard/analytics";

export const analyticsPageRoutes: Route[] = [
  pageRoute(
    {
      id: "getAnalyticsPage",
      path,
      access: sessionOnly("analytics_read"),
      rate: "bulk",
      summary: "Views and downloads of the user's projects",
      query: Type.Object({ range: Type.Optional(Type.String({ maxLength: 32 })) }),
    },
    async ({ request, viewer, query }, resources) => {
      const t = dashboardWords(request);
      const analytics = await readAnalytics(resources, viewer, await listOwnProjects(resources, viewer), query.range);
      return dashboardPage({
        title: t.analytics,
        children: analytics.hasProjects ? (
          <AnalyticsView analytics={analytics} path={path} />
        ) : (
          <EmptyState title={t.noProjects} action={{ href: "/new", text: t.newProject }}>
            <p>{t.noProjectsText}</p>
          </EmptyState>
        ),
      });
    },
  ),
];
