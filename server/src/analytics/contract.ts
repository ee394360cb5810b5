// Downloads per day (earlier-service 4.18): for those who may see a project's figures, and for moderators of everything.
import Type, { type TSchema } from "typebox";
import { moderators, sessionOnly } from "../http/access.js";
import { endpoint } from "../http/endpoint.js";
import { maxIds } from "../lib/id-list.js";
import { breakdowns, maxFigures } from "./figures.js";
import { maxDays, timelineNames } from "./ranges.js";

const date = (description: string) =>
  Type.Optional(Type.String({ maxLength: 10, description: `${description}, in UTC and included: 2026-01-31` }));

const shared = {
  method: "GET",
  rate: "bulk",
  tag: "Analytics",
  otherForms: [{ raw: "text/csv", description: "A table" }],
} as const;
const access = sessionOnly("analytics_read");

const questionOf = <B extends string>(by: readonly B[]) => ({
  timeline: Type.Optional(
    Type.Enum([...timelineNames], { description: "Ends yesterday at the latest; previous_30_days unless given" }),
  ),
  startDate: date(`Instead of a timeline: the first day, at most ${maxDays} days before the last`),
  endDate: date("The last day"),
  by: Type.Optional(Type.Enum([...by], { description: "What the figures are broken down by" })),
  format: Type.Optional(
    Type.Enum(["json", "csv"], { description: "Or ask for text/csv in the Accept header; JSON unless asked" }),
  ),
});

const Days: TSchema = Type.Record(Type.String(), Type.Integer());
const Figures = Type.Record(Type.String(), Type.Record(Type.String(), Type.Union([Type.Integer(), Days])), {
  description: "By project, then by day; with a breakdown by project, key and day. Days without downloads are absent",
});

const compatNote =
  "By gameVersion and loader a download counts for each that its version runs on: those figures add up to more than all downloads. " +
  `An answer holds at most ${maxFigures} figures.`;

export const getDownloadFigures = endpoint({
  ...shared,
  id: "getDownloadFigures",
  access,
  path: "/api/analytics/downloads",
  summary: "Downloads per day of some projects",
  description: `Needs the permission view_analytics in each project; projects without it are left out. ${compatNote}`,
  query: Type.Object({
    projectIds: Type.String({
      description: `Up to ${maxIds} ids, separated by commas`,
      examples: ["kX3vQ9aB"],
    }),
    ...questionOf(["project", ...breakdowns]),
  }),
  answer: Figures,
  errors: ["projectsUnknown", "permissionMissing"],
});

export const getAllDownloadFigures = endpoint({
  ...shared,
  id: "getAllDownloadFigures",
  access: moderators(access),
  path: "/api/analytics/downloads/all",
  summary: "Downloads per day of all projects",
  description: `For moderators. By project unless asked; by anything else the figures of all projects are added up under the key all. ${compatNote}`,
  query: Type.Object(questionOf(["project", "day", ...breakdowns])),
  answer: Figures,
});
