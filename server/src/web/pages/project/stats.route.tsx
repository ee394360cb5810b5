// The routes of the page in stats.tsx.
import Type from "typebox";
import { projectRef } from "#content/projects/contract.js";
import { toFigureTable } from "#discovery/analytics/figures.js";
import { listDownloadFigures } from "#discovery/analytics/read.js";
import { toDate } from "#lib/days.js";
import { fail } from "#platform/errors.js";
import { sendText } from "#platform/http/answers.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { toBuckets } from "#web/parts/buckets.js";
import { getProjectView, type ProjectView } from "#web/shared/project-view.js";
import { daysOf, type Offered, readTimeline } from "#web/shared/traffic-view.js";
import { textOf } from "#web/shared/version-filter.js";
import { texts, textsIn } from "#words/texts.js";
import { projectPageRoute, readsProject } from "./project-page.js";
import { Closed, Stats } from "./stats.js";

/** Figures of public projects are public; otherwise they need a permission. */
const maySee = ({ entry, permissions, isStaff }: ProjectView): boolean =>
  entry.isPublic || isStaff || permissions.has("view_analytics");

async function readFigures({ db, clock }: Resources, { entry }: ProjectView, timeline: Offered) {
  const range = daysOf(timeline, clock.now());
  const figures = await listDownloadFigures(db, { projectIds: [entry.id], range });
  return { figures, first: range.first ?? figures[0]?.day ?? range.last, last: range.last };
}

const statsPageRoute = projectPageRoute(
  { id: "getStatsPage", below: "/stats", summary: "The downloads of a project", rate: "bulk" },
  async (view, { query, locale }, resources) => {
    const shared = { title: textsIn(texts.project.page, locale).tabs.stats, side: null };
    if (!maySee(view)) return { ...shared, status: 403, content: <Closed /> };
    const timeline = readTimeline(textOf(query, "range"));
    const { figures, first, last } = await readFigures(resources, view, timeline);
    return {
      ...shared,
      content: <Stats view={view} timeline={timeline} today={last} {...toBuckets(figures, first, last)} />,
    };
  },
);

const getStatsTable = endpoint({
  id: "getStatsTable",
  method: "GET",
  path: "/project/:ref/stats.csv",
  access: readsProject,
  rate: "bulk",
  tag: "Website",
  summary: "The downloads of a project, as a table",
  params: projectRef,
  query: Type.Object({ range: Type.Optional(Type.String({ maxLength: 64 })) }),
  answer: { raw: "text/csv", description: "A line for each day with downloads" },
  errors: ["projectNotFound", "permissionMissing"],
  internal: true,
});

export const statsRoutes: Route[] = [
  statsPageRoute,
  route(getStatsTable, async ({ params, query, viewer, request, reply }, resources) => {
    const view = await getProjectView(resources, viewer, params.ref);
    if (!maySee(view)) throw fail.permissionMissing("view_analytics");
    const { figures, first, last } = await readFigures(resources, view, readTimeline(textOf(query, "range")));
    const name = `${view.entry.slug}-${toDate(first)}-${toDate(last)}.csv`;
    reply.type("text/csv; charset=utf-8").header("content-disposition", `attachment; filename="${name}"`);
    return sendText(request, reply, toFigureTable(figures, undefined));
  }),
];
