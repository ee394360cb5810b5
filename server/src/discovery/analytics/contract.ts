// The API of downloads per day (earlier-service 4.18) and of views per day: for members who may see a project's figures,
// and for moderators of all projects.
import Type, { type TSchema } from "typebox";
import { moderators, sessionOnly } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Choice, IdList } from "#platform/http/schemas.js";
import { type Breakdown, type Counted, maxFigures, type ViewBreakdown } from "./figures.js";
import { maxDays, type Timeline } from "./ranges.js";

const date = (description: string) =>
  Type.Optional(Type.String({ maxLength: 10, description: `${description}, in UTC and included: 2026-01-31` }));

const shared = {
  method: "GET",
  rate: "bulk",
  tag: "Analytics",
  otherForms: [{ raw: "text/csv", description: "A table" }],
} as const;
const access = sessionOnly("analytics_read");

const breakdownMeanings = {
  version: "Version id",
  gameVersion: "Game version that the downloaded version works with",
  loader: "Loader that the downloaded version works with",
  country: "Country of the client, as far as it is known",
} satisfies Record<Breakdown, string>;

const viewMeanings = {
  referrer:
    "Host of the page that linked to the project; direct if it is unknown, self for this site, other for further hosts",
  country: "Country of the visitor, as far as it is known",
} satisfies Record<ViewBreakdown, string>;

const questionOf = <B extends string>(by: Readonly<Record<B, string>>) => ({
  timeline: Type.Optional(
    Choice(
      {
        yesterday: "The last whole day",
        this_week: "Since Monday",
        last_week: "The week before, Monday to Sunday",
        previous_7_days: "The last 7 whole days",
        this_month: "Since the first of the month",
        last_month: "The month before",
        previous_30_days: "The last 30 whole days",
        previous_90_days: "The last 90 whole days",
        this_year: "Since the first of January",
        last_year: "The year before",
        previous_365_days: "The last 365 whole days",
        all_time: "Since the beginning",
      } satisfies Record<Timeline, string>,
      { description: "Which days. Ends yesterday at the latest; previous_30_days unless given" },
    ),
  ),
  startDate: date(`Instead of a timeline: the first day, at most ${maxDays} days before the last`),
  endDate: date("The last day"),
  by: Type.Optional(Choice(by, { description: "The breakdown of the figures" })),
  format: Type.Optional(
    Choice(
      { json: "A map", csv: "A table" },
      { description: "Format of the answer. text/csv in the Accept header works too; the default is JSON" },
    ),
  ),
});

const Days: TSchema = Type.Record(Type.String(), Type.Integer());
const figuresOf = (counted: Counted) =>
  Type.Record(Type.String(), Type.Record(Type.String(), Type.Union([Type.Integer(), Days])), {
    description: `By project, then by day; with a breakdown by project, key and day. Days without ${counted} are absent`,
  });
const Figures = figuresOf("downloads");

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
    projectIds: IdList("project ids or slugs, also mixed", "kX3vQ9aB"),
    ...questionOf({ project: "Project alone", ...breakdownMeanings }),
  }),
  answer: Figures,
  errors: ["projectsUnknown", "permissionMissing"],
});

export const getViewFigures = endpoint({
  ...shared,
  id: "getViewFigures",
  access,
  path: "/api/analytics/views",
  summary: "Views per day of some projects",
  description: `Views of the pages of projects, once per client and project in six hours. Needs the permission view_analytics in each project; projects without it are left out. An answer holds at most ${maxFigures} figures.`,
  query: Type.Object({
    projectIds: IdList("project ids or slugs, also mixed", "kX3vQ9aB"),
    ...questionOf({ project: "Project alone", ...viewMeanings }),
  }),
  answer: figuresOf("views"),
  errors: ["projectsUnknown", "permissionMissing"],
});

export const getAllDownloadFigures = endpoint({
  ...shared,
  id: "getAllDownloadFigures",
  access: moderators(access),
  path: "/api/analytics/downloads/all",
  summary: "Downloads per day of all projects",
  description: `For moderators. By project by default; with any other breakdown the figures of all projects are added up under the key all. ${compatNote}`,
  query: Type.Object(questionOf({ project: "Project", day: "Day alone, all projects together", ...breakdownMeanings })),
  answer: Figures,
});
