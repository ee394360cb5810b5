// Numbers, sizes and times in the notation of a language. Browsers load this file too, so it imports no words.
import type { Locale } from "#words/languages.js";

export interface Format {
  /** 1,204 */
  number(value: number): string;
  /** 1,204 up to 9,999, then 12.4K. */
  count(value: number): string;
  /** 4.1 MiB, as settings and limits count. */
  bytes(value: number): string;
  /** 15 November 2026 */
  date(time: number): string;
  /** 15 November 2026 at 06:35 UTC */
  dateTime(time: number): string;
  /** 3 days ago; the date if that is long past. */
  ago(time: number): string;
  /** 5 hours */
  duration(ms: number): string;
  list(words: readonly string[]): string;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const steps: [Intl.RelativeTimeFormatUnit & ("minute" | "hour" | "day" | "week" | "month"), number, number][] = [
  ["minute", minute, hour],
  ["hour", hour, day],
  ["day", day, 7 * day],
  ["week", 7 * day, 30 * day],
  ["month", 30 * day, 365 * day],
];

/** Creating formatters costs more than using them. */
const toolsIn = new Map<Locale, ReturnType<typeof makeTools>>();

const makeTools = (locale: Locale) => ({
  number: rememberSmall(new Intl.NumberFormat(locale)),
  compact: new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 }),
  decimal: new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }),
  date: new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }),
  dateTime: rememberLast(new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" })),
  relative: new Intl.RelativeTimeFormat(locale, { numeric: "auto" }),
  list: new Intl.ListFormat(locale),
});

/** Lists show hundreds of small numbers. */
function rememberSmall(tool: Intl.NumberFormat): (value: number) => string {
  const known: string[] = [];
  return (value) => {
    if (!Number.isInteger(value) || value < 0 || value >= 1000) return tool.format(value);
    known[value] ??= tool.format(value + 0);
    return known[value];
  };
}

/** A page often shows the same time twice in a row. */
function rememberLast(tool: Intl.DateTimeFormat): (time: number) => string {
  let last = { time: Number.NaN, text: "" };
  return (time) => {
    if (time !== last.time) last = { time, text: tool.format(time) };
    return last.text;
  };
}

export function formatIn(locale: Locale, now: number): Format {
  let tools = toolsIn.get(locale);
  if (!tools) {
    tools = makeTools(locale);
    toolsIn.set(locale, tools);
  }
  const { number, compact, decimal, date, dateTime, relative, list } = tools;
  const unit = (value: number, name: string) =>
    new Intl.NumberFormat(locale, { style: "unit", unit: name, unitDisplay: "long", maximumFractionDigits: 0 }).format(
      value,
    );
  return {
    number,
    count: (value) => (value < 10_000 ? number(value) : compact.format(value)),
    bytes: (value) => {
      const power = value < 1024 ? 0 : Math.min(3, Math.floor(Math.log2(value) / 10));
      return `${decimal.format(value / 1024 ** power)}\u00a0${["B", "KiB", "MiB", "GiB"][power]}`;
    },
    date: (time) => date.format(time),
    dateTime: (time) => `${dateTime(time)} UTC`,
    ago: (time) => {
      const past = Math.max(0, now - time);
      if (past < minute) return relative.format(0, "second");
      const step = steps.find(([, , below]) => past < below);
      return step ? relative.format(-Math.floor(past / step[1]), step[0]) : date.format(time);
    },
    duration: (ms) => {
      if (ms < hour) return unit(Math.max(1, Math.round(ms / minute)), "minute");
      return ms < 2 * day ? unit(Math.round(ms / hour), "hour") : unit(Math.round(ms / day), "day");
    },
    list: (words) => list.format(words),
  };
}
