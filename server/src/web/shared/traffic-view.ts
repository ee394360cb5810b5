// The views and downloads of projects over a period, for the pages that show them to authors. The period ends today, whose
// figures are marked as incomplete.

import type { Figure } from "#discovery/analytics/figures.js";
import { maxDays, type Timeline, toRange } from "#discovery/analytics/ranges.js";
import { listDownloadFigures, listViewFigures, sumDownloads, sumViews, type Total } from "#discovery/analytics/read.js";
import { dayOf, toDate } from "#lib/days.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { type Bucket, type Step, toBuckets } from "#web/parts/buckets.js";

/** The periods that pages offer. */
export const timelines = [
  "previous_30_days",
  "previous_90_days",
  "previous_365_days",
  "all_time",
] as const satisfies Timeline[];

export type Offered = (typeof timelines)[number];

export const readTimeline = (given: string | undefined): Offered =>
  timelines.find((name) => name === given) ?? "previous_30_days";

/** The days of a period, and today. */
export function daysOf(timeline: Offered, now: number): { first: number | undefined; last: number } {
  return { ...toRange({ timeline }, now), last: dayOf(now) };
}

export interface Traffic {
  timeline: Offered;
  step: Step;
  /** The last day of the period. */
  today: number;
  downloads: readonly Bucket[];
  /** As many as downloads, of the same days. */
  views: readonly Bucket[];
  /** By project and day. */
  figures: { downloads: readonly Figure[]; views: readonly Figure[] };
  referrers: readonly Total[];
  countries: { views: readonly Total[]; downloads: readonly Total[] };
  /** Whether countries are recorded; administrators are told how to change that. */
  hasCountries: boolean;
  isAdmin: boolean;
  /** The same period in a question to the API. */
  apiRange: string;
}

export async function readTraffic(
  { db, clock, config }: Resources,
  viewer: Viewer,
  projectIds: readonly string[],
  timeline: Offered,
): Promise<Traffic> {
  const range = daysOf(timeline, clock.now());
  const query = { projectIds, range };
  const downloads = await listDownloadFigures(db, query);
  const views = await listViewFigures(db, query);
  const today = range.last;
  const first = range.first ?? [...downloads, ...views].reduce((least, { day }) => Math.min(least, day), today);
  const { step, buckets } = toBuckets(downloads, first, today);
  const isAdmin = viewer.kind !== "anonymous" && [viewer.user.role, viewer.user.dormantRole].includes("admin");
  return {
    ...{ timeline, step, today, downloads: buckets, views: toBuckets(views, first, today).buckets },
    figures: { downloads, views },
    referrers: await sumViews(db, { ...query, by: "referrer" }),
    countries: {
      views: await sumViews(db, { ...query, by: "country" }),
      downloads: await sumDownloads(db, { ...query, by: "country" }),
    },
    ...{ hasCountries: config.http.countryHeader !== undefined, isAdmin },
    apiRange: today - first < maxDays ? `startDate=${toDate(first)}&endDate=${toDate(today)}` : `timeline=${timeline}`,
  };
}
