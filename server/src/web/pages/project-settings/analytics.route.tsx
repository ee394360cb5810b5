// The routes of the page in analytics.tsx.
import Type from "typebox";
import { sumDownloads } from "#discovery/analytics/read.js";
import { daysOf, readTimeline, readTraffic } from "#web/shared/traffic-view.js";
import { texts, textsIn } from "#words/texts.js";
import { Analytics, breakdowns } from "./analytics.js";
import { PermissionMissing, settingsPageRoute } from "./settings-page.js";

export const analyticsRoutes = [
  settingsPageRoute(
    {
      id: "getAnalyticsSettingsPage",
      below: "/settings/analytics",
      summary: "The views and downloads of a project, for its team",
      rate: "bulk",
      query: Type.Object({
        range: Type.Optional(Type.String({ maxLength: 64 })),
        by: Type.Optional(Type.String({ maxLength: 64 })),
      }),
    },
    async (view, { locale, query, viewer }, resources) => {
      const title = textsIn(texts.projectSettings.frame, locale).analytics;
      if (!view.permissions.has("view_analytics"))
        return { title, status: 403, content: <PermissionMissing permission="view_analytics" /> };
      const by = breakdowns.find((name) => name === query.by) ?? "version";
      const traffic = await readTraffic(resources, viewer, [view.project.id], readTimeline(query.range));
      const range = daysOf(traffic.timeline, resources.clock.now());
      const totals = await sumDownloads(resources.db, { projectIds: [view.project.id], range, by });
      return { title, content: <Analytics view={view} traffic={traffic} by={by} totals={totals} /> };
    },
  ),
];
