// The routes of the page in analytics.tsx.
import Type from "typebox";
import { breakdowns } from "#discovery/analytics/figures.js";
import { toRange } from "#discovery/analytics/ranges.js";
import { countToday, listDownloadFigures } from "#discovery/analytics/read.js";
import { toBuckets } from "#web/parts/buckets.js";
import { texts, textsIn } from "#words/texts.js";
import { Analytics, timelines } from "./analytics.js";
import { PermissionMissing, settingsPageRoute } from "./settings-page.js";

export const analyticsRoutes = [
  settingsPageRoute(
    {
      id: "getAnalyticsSettingsPage",
      below: "/settings/analytics",
      summary: "The downloads of a project, for its team",
      rate: "bulk",
      query: Type.Object({
        range: Type.Optional(Type.String({ maxLength: 64 })),
        by: Type.Optional(Type.String({ maxLength: 64 })),
      }),
    },
    async (view, { locale, query }, { db, clock }) => {
      const title = textsIn(texts.projectSettings.frame, locale).analytics;
      if (!view.permissions.has("view_analytics"))
        return { title, status: 403, content: <PermissionMissing permission="view_analytics" /> };
      const timeline = timelines.find((name) => name === query.range) ?? "previous_30_days";
      const by = breakdowns.find((name) => name === query.by) ?? "version";
      const range = toRange({ timeline }, clock.now());
      const projectIds = [view.project.id];
      const daily = await listDownloadFigures(db, { projectIds, range });
      const figures = await listDownloadFigures(db, { projectIds, range, by });
      const { buckets } = toBuckets(daily, range.first ?? daily[0]?.day ?? range.last, range.last);
      const today = await countToday(db, projectIds, clock.now());
      return {
        title,
        content: (
          <Analytics view={view} timeline={timeline} by={by} buckets={buckets} figures={figures} today={today} />
        ),
      };
    },
  ),
];
