// The routes of the page in analytics.tsx.
import Type from "typebox";
import type { Figure } from "#discovery/analytics/figures.js";
import { findReadableProjects } from "#discovery/analytics/read.js";
import { sessionOnly } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { pageRoute } from "#web/frame/page.js";
import { listOwnProjects } from "#web/shared/own-projects.js";
import { readTimeline, readTraffic } from "#web/shared/traffic-view.js";
import { Analytics } from "./analytics.js";
import { dashboardPage, dashboardWords } from "./dashboard-frame.js";

export const analyticsPageRoutes: Route[] = [
  pageRoute(
    {
      id: "getAnalyticsPage",
      path: "/dashboard/analytics",
      access: sessionOnly("analytics_read"),
      rate: "bulk",
      summary: "Views and downloads of the user's projects",
      query: Type.Object({ range: Type.Optional(Type.String({ maxLength: 32 })) }),
    },
    async ({ request, viewer, query }, resources) => {
      const own = await listOwnProjects(resources, viewer);
      const { permitted } = await findReadableProjects(
        resources.db,
        viewer,
        own.map(({ id }) => id),
      );
      const traffic = await readTraffic(resources, viewer, permitted, readTimeline(query.range));
      const [views, downloads] = [sumByProject(traffic.figures.views), sumByProject(traffic.figures.downloads)];
      const projects = own
        .filter(({ id }) => permitted.includes(id))
        .map(({ id, name, slug }) => ({
          ...{ id, name, slug, views: views.get(id) ?? 0, downloads: downloads.get(id) ?? 0 },
        }))
        .sort((a, b) => b.downloads - a.downloads || b.views - a.views);
      return dashboardPage({
        title: dashboardWords(request).analytics,
        children: <Analytics traffic={traffic} projects={projects} hasProjects={own.length > 0} />,
      });
    },
  ),
];

function sumByProject(figures: readonly Figure[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { scope, count } of figures) sums.set(scope, (sums.get(scope) ?? 0) + count);
  return sums;
}
