// The routes of downloads and views per day.
import type { FastifyReply } from "fastify";
import { listProjectIds } from "#content/projects/read.js";
import { toDate } from "#lib/days.js";
import { fail } from "#platform/errors.js";
import { sendText } from "#platform/http/answers.js";
import { variesBy } from "#platform/http/constant-headers.js";
import { type Call, type Route, route } from "#platform/http/endpoint.js";
import { parseIds } from "#platform/http/id-list.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import * as contract from "./contract.js";
import { type Counted, type Figure, type FigureMap, toFigureMap, toFigureTable } from "./figures.js";
import { type DayRange, type RangeWords, toRange } from "./ranges.js";
import { findReadableProjects, listDownloadFigures, listViewFigures } from "./read.js";

export const analyticsRoutes: Route[] = [
  route(contract.getDownloadFigures, async (call, resources) => {
    const { query } = call;
    const { range, permitted } = await readQuestion(call, resources);
    const by = query.by === "project" ? undefined : query.by;
    const figures = await listDownloadFigures(resources.db, { projectIds: permitted, range, by });
    return answer(call, { counted: "downloads", figures, scopes: permitted, by, range });
  }),

  route(contract.getViewFigures, async (call, resources) => {
    const { query } = call;
    const { range, permitted } = await readQuestion(call, resources);
    const by = query.by === "project" ? undefined : query.by;
    const figures = await listViewFigures(resources.db, { projectIds: permitted, range, by });
    return answer(call, { counted: "views", figures, scopes: permitted, by, range });
  }),

  route(contract.getAllDownloadFigures, async (call, { db, clock }) => {
    const { query } = call;
    const range = toRange(query, clock.now());
    const together = query.by !== undefined && query.by !== "project";
    const by = query.by === "project" || query.by === "day" ? undefined : query.by;
    const figures = await listDownloadFigures(db, { together, range, by });
    return answer(call, { counted: "downloads", figures, scopes: [], by, range });
  }),
];

type Question = Pick<Call, "request" | "reply"> & {
  query: RangeWords & { projectIds: string };
  viewer: SignedIn;
};

/** The days, and those of the projects whose figures the caller may read. */
async function readQuestion({ query, viewer }: Question, resources: Resources) {
  const ids = await listProjectIds(resources, parseIds(query.projectIds, "projectIds"));
  const range = toRange(query, resources.clock.now());
  const { seen, permitted } = await findReadableProjects(resources.db, viewer, ids);
  if (seen.length === 0) throw fail.projectsUnknown();
  if (permitted.length === 0) throw fail.permissionMissing("view_analytics");
  return { range, permitted };
}

interface Found {
  counted: Counted;
  figures: readonly Figure[];
  scopes: readonly string[];
  by: string | undefined;
  range: DayRange;
}

type Asking = Pick<Call, "request" | "reply"> & { query: { format?: string } };

async function answer(call: Asking, { counted, figures, scopes, by, range }: Found): Promise<FigureMap | FastifyReply> {
  const { request, reply, query } = call;
  reply.header("vary", `Accept, ${variesBy}`);
  if (!wantsTable(query.format, request.headers.accept)) return toFigureMap(scopes, figures, by);
  const first = range.first ?? figures.reduce((least, { day }) => Math.min(least, day), range.last);
  reply
    .type("text/csv; charset=utf-8")
    .header("content-disposition", `attachment; filename="${counted}-${toDate(first)}-${toDate(range.last)}.csv"`);
  return sendText(request, reply, toFigureTable(figures, by, counted));
}

const wantsTable = (format: string | undefined, accept = ""): boolean =>
  format === undefined ? /\btext\/csv\b/i.test(accept) && !/\bapplication\/json\b/i.test(accept) : format === "csv";
