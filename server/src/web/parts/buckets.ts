// Days of downloads put together into as many bars as can be told apart. Pure.
import { dayOf, startOfDay } from "#lib/days.js";

export interface Bucket {
  /** Days since 1970, both included. */
  first: number;
  last: number;
  count: number;
}

export type Step = "day" | "week" | "month";

const mostDays = 120;
const mostWeeks = 160;

/** Days without a download are there too, as zero. */
export function toBuckets(
  figures: readonly { day: number; count: number }[],
  first: number,
  last: number,
): { step: Step; buckets: Bucket[] } {
  const days = last - first + 1;
  const step: Step = days <= mostDays ? "day" : days <= mostWeeks * 7 ? "week" : "month";
  const buckets: Bucket[] = [];
  for (let day = first; day <= last; ) {
    const end = Math.min(last, endOf(day, step));
    buckets.push({ first: day, last: end, count: 0 });
    day = end + 1;
  }
  let at = 0;
  for (const { day, count } of [...figures].sort((a, b) => a.day - b.day)) {
    while (at < buckets.length && buckets[at]!.last < day) at++;
    const bucket = buckets[at];
    if (bucket && day >= bucket.first) bucket.count += count;
  }
  return { step, buckets };
}

/** Weeks end on Sundays; the first day of 1970 was a Thursday. */
function endOf(day: number, step: Step): number {
  if (step === "day") return day;
  if (step === "week") return day + 6 - ((day + 3) % 7);
  const date = new Date(startOfDay(day));
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)) - 1;
}

const factors = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** A round number that is not below the highest bar, and can be halved. */
export function roundAbove(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, highest)));
  const rounded = (factors.find((factor) => factor * power >= highest) ?? 10) * power;
  return Math.max(2, 2 * Math.ceil(rounded / 2));
}
