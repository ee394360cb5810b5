// Numbers, sizes and times in the notation of a language. Browsers load this file too, so it imports no words.
import { integerTexts, shortTexts } from "#lib/integer-texts.js";
import type { Locale } from "#words/languages.js";

export interface Format {
  /** 1,204 */
  number(value: number): string;
  /** 1,204 up to 9,999, then 12.4K. */
  count(value: number): string;
  /** 12% of 0.12 */
  percent(share: number): string;
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
  /** a, b and c */
  list(words: readonly string[]): string;
  /** a, b, c */
  series(words: readonly string[]): string;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [
  ["minute", minute, hour],
  ["hour", hour, day],
  ["day", day, 7 * day],
  ["week", 7 * day, 30 * day],
  ["month", 30 * day, 365 * day],
] as const;

/** From here on, numbers are shown in short notation. */
const leastShort = 10_000;
/** The days of a century. */
const mostDays = 36_525;
/** Up to 1024.0 of a unit. */
const mostTenths = 10_241;

/** Creating formatters costs more than using them, and using them costs more than the rest of a row in a table. */
const toolsIn = new Map<Locale, ReturnType<typeof makeTools>>();

function makeTools(locale: Locale) {
  const number = integerTexts(new Intl.NumberFormat(locale));
  const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone: "UTC" });
  const both = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  const dayText = remember(mostDays, (at) => date.format(at * day));
  const minuteText = remember(day / minute, (at) => time.format(at * minute));
  const tenths = remember(mostTenths, (value) => decimal.format(value / 10));
  const short = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
  // A date with a time consists of both and the same words between them.
  const between = both.format(0).slice(dayText(0).length, -minuteText(0).length);
  return {
    number,
    short: shortTexts(short, number, tenths),
    tenths,
    date: (at: number) => dayText(Math.floor(at / day)),
    dateTime: (at: number) => dayText(Math.floor(at / day)) + between + minuteText(Math.floor((at % day) / minute)),
    justNow: relative.format(0, "second"),
    past: steps.map(([unit]) => remember(100, (count) => relative.format(-count, unit))),
    percent: new Intl.NumberFormat(locale, { style: "percent" }),
    list: new Intl.ListFormat(locale),
    /** The last one that was made: all parts of a page use the same. */
    last: undefined as { now: number; format: Format } | undefined,
  };
}

/** Keeps the texts of integers from 0 to `most`. */
function remember(most: number, make: (value: number) => string): (value: number) => string {
  const known = new Map<number, string>();
  return (value) => {
    const found = known.get(value);
    if (found !== undefined) return found;
    const text = make(value);
    if (Number.isInteger(value) && value >= 0 && value < most) known.set(value, text);
    return text;
  };
}

export function formatIn(locale: Locale, now: number): Format {
  let tools = toolsIn.get(locale);
  if (!tools) {
    tools = makeTools(locale);
    toolsIn.set(locale, tools);
  }
  if (tools.last?.now !== now) tools.last = { now, format: makeFormat(locale, tools, now) };
  return tools.last.format;
}

function makeFormat(locale: Locale, tools: ReturnType<typeof makeTools>, now: number): Format {
  const { number, short, tenths, date, dateTime, justNow, past, percent, list } = tools;
  const unit = (value: number, name: string) =>
    new Intl.NumberFormat(locale, { style: "unit", unit: name, unitDisplay: "long", maximumFractionDigits: 0 }).format(
      value,
    );
  return {
    number,
    count: (value) => (value < leastShort ? number(value) : short(value)),
    percent: (share) => percent.format(share),
    bytes: (value) => {
      const power = value < 1024 ? 0 : Math.min(3, Math.floor(Math.log2(value) / 10));
      return `${tenths(Math.round((10 * value) / 1024 ** power))}\u00a0${["B", "KiB", "MiB", "GiB"][power]}`;
    },
    date,
    dateTime: (time) => `${dateTime(time)} UTC`,
    ago: (time) => {
      const age = Math.max(0, now - time);
      if (age < minute) return justNow;
      const at = steps.findIndex(([, , below]) => age < below);
      return at < 0 ? date(time) : past[at]!(Math.floor(age / steps[at]![1]));
    },
    duration: (ms) => {
      if (ms < hour) return unit(Math.max(1, Math.round(ms / minute)), "minute");
      return ms < 2 * day ? unit(Math.round(ms / hour), "hour") : unit(Math.round(ms / day), "day");
    },
    list: (words) => list.format(words),
    series: (words) => words.join(locale === "zh" ? "、" : ", "),
  };
}
