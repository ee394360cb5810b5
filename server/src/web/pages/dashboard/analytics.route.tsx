// The routes of the page in analytics.tsx.
import Type from "typebox";
import { toRange } from "#discovery/analytics/ranges.js";
import { countToday, findReadableProjects, listDownloadFigures } from "#discovery/analytics/read.js";
import { sessionOnly } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { pageRoute } from "#web/frame/page.js";
import { toBuckets } from "#web/parts/buckets.js";
import { listOwnProjects } from "#web/shared/own-projects.js";
import { Analytics, timelines } from "./analytics.js";
import { dashboardPage, dashboardWords } from "./dashboard-frame.js";

export const analyticsPageRoutes: Route[] = [
  pageRoute(
    {
      id: "getAnalyticsPage",
      path: "/dashboard/analytics",
      access: sessionOnly("analytics_read"),
      rate: "bulk",
      summary: "Downloads of the user's projects",
      query: Type.Object({ range: Type.Optional(Type.String({ maxLength: 32 })) }),
    },
    async ({ request, viewer, query }, resources) => {
      const { db, clock } = resources;
      const own = await listOwnProjects(resources, viewer);
      const { permitted } = await findReadableProjects(
        db,
        viewer,
        own.map(({ id }) => id),
      );
      const timeline = timelines.find((name) => name === query.range) ?? "previous_30_days";
      const range = toRange({ timeline }, clock.now());
      const figures = permitted.length === 0 ? [] : await listDownloadFigures(db, { projectIds: permitted, range });
      const first = range.first ?? figures.reduce((least, { day }) => Math.min(least, day), range.last);
      const totals = new Map<string, number>();
      for (const { scope, count } of figures) totals.set(scope, (totals.get(scope) ?? 0) + count);
      const projects = own
        .filter(({ id }) => permitted.includes(id))
        .map(({ id, name, slug }) => ({ id, name, slug, count: totals.get(id) ?? 0 }))
        .sort((a, b) => b.count - a.count);
      return dashboardPage({
        title: dashboardWords(request).analytics,
        children: (
          <Analytics
            timeline={timeline}
            buckets={toBuckets(figures, first, range.last).buckets}
            projects={projects}
            hasProjects={own.length > 0}
            today={await countToday(db, permitted, clock.now())}
          />
        ),
      });
    },
  ),
];
