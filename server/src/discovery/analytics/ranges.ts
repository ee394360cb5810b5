// The requested days: a timeline by name, or two dates. Days are counted from 1970 in UTC, as in the sums.

import { dayOf, startOfDay, toDate } from "#lib/days.js";
import { invalid } from "#platform/errors.js";
import { say } from "#words/said.js";

export interface DayRange {
  /** Undefined: from the beginning. */
  first: number | undefined;
  /** The last day of the range; before the first day if the range is empty. */
  last: number;
}

/** Five years, leap days and all. */
export const maxDays = 1827;

export function parseDate(text: string, path: string): number {
  const time = Date.parse(`${text}T00:00:00Z`);
  // Dates that do not exist, such as the 31st of February, are parsed as others or not at all.
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(time) || toDate(dayOf(time)) !== text)
    throw invalid({ path, message: say.problems.date("2026-01-31") });
  return dayOf(time);
}

/** The first day of the month that is so many months before that of the given day. */
function monthStart(day: number, monthsBefore = 0): number {
  const date = new Date(startOfDay(day));
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - monthsBefore, 1));
}

function yearStart(day: number, yearsBefore = 0): number {
  return dayOf(Date.UTC(new Date(startOfDay(day)).getUTCFullYear() - yearsBefore, 0, 1));
}

/** Weeks begin on Monday; the first day of 1970 was a Thursday. */
const weekStart = (day: number): number => day - ((day + 3) % 7);

/** Relative to the current day. Each ends yesterday at the latest, because the figures of today are incomplete. */
const timelines = {
  yesterday: (today) => [today - 1, today - 1],
  this_week: (today) => [weekStart(today), today - 1],
  last_week: (today) => [weekStart(today) - 7, weekStart(today) - 1],
  previous_7_days: (today) => [today - 7, today - 1],
  this_month: (today) => [monthStart(today), today - 1],
  last_month: (today) => [monthStart(today, 1), monthStart(today) - 1],
  previous_30_days: (today) => [today - 30, today - 1],
  previous_90_days: (today) => [today - 90, today - 1],
  this_year: (today) => [yearStart(today), today - 1],
  last_year: (today) => [yearStart(today, 1), yearStart(today) - 1],
  previous_365_days: (today) => [today - 365, today - 1],
  all_time: (today) => [undefined, today - 1],
} as const satisfies Record<string, (today: number) => readonly [number | undefined, number]>;

export type Timeline = keyof typeof timelines;
export const timelineNames = Object.keys(timelines) as Timeline[];

export interface RangeWords {
  timeline?: Timeline;
  startDate?: string;
  endDate?: string;
}

/** The default is the last 30 days. */
export function toRange({ timeline, startDate, endDate }: RangeWords, now: number): DayRange {
  if (startDate === undefined && endDate === undefined) {
    const [first, last] = timelines[timeline ?? "previous_30_days"](dayOf(now));
    return { first, last };
  }
  if (timeline !== undefined) throw invalid({ path: "timeline", message: say.problems.timelineAlone });
  if (startDate === undefined) throw invalid({ path: "startDate", message: say.problems.missing });
  if (endDate === undefined) throw invalid({ path: "endDate", message: say.problems.missing });
  const [first, last] = [parseDate(startDate, "startDate"), parseDate(endDate, "endDate")];
  if (last < first) throw invalid({ path: "endDate", message: say.problems.beforeStart });
  if (last - first >= maxDays) throw invalid({ path: "startDate", message: say.problems.daysBefore(maxDays) });
  return { first, last };
}
