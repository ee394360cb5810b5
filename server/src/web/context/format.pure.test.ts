// Texts that are kept or put together are the same as those of Intl.
import { expect, test } from "vitest";
import { locales } from "#words/languages.js";
import { formatIn } from "./format.js";

const now = Date.parse("2026-11-15T06:35:20Z");
const minute = 60_000;
/** Around each minute of a day, and each month of many years. */
const times = [
  ...Array.from({ length: 1440 }, (_, at) => now - at * minute),
  ...Array.from({ length: 700 }, (_, at) => now - at * 31 * 24 * 60 * minute - at * 1234),
];
const values = [0, 1, 9, 10, 999, 1000, 9999, 10_000, 1_048_576, 5e9, 0.25, 7.5];
/** Around each place where a number gets one more digit, and others of all lengths. */
const integers = [
  ...Array.from({ length: 16 }, (_, digits) =>
    [-50_001, -501, -500, -51, -50, -1, 0, 1, 49, 50, 449, 450, 5001].map((more) => 10 ** digits + more),
  ).flat(),
  ...Array.from({ length: 20_000 }, (_, at) => Math.floor(1.0015 ** at)),
].filter((value) => value >= 0 && value <= Number.MAX_SAFE_INTEGER);
const sizes = [1, 1023, 1024, 5e9, 3e12, ...Array.from({ length: 1000 }, (_, at) => 1024 * 1024 + at * 997)];

test.each(locales)("numbers and times in %s are those of Intl", (locale) => {
  const format = formatIn(locale, now);
  const both = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const number = new Intl.NumberFormat(locale);
  const short = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
  const bytesOf = (value: number) => decimal.format(value / 1024 ** Math.min(3, Math.floor(Math.log2(value) / 10)));
  // The second time, they are those that were kept.
  for (const _round of [1, 2]) {
    expect(times.map(format.dateTime)).toEqual(times.map((time) => `${both.format(time)} UTC`));
    expect(times.map(format.date)).toEqual(times.map((time) => date.format(time)));
    expect(values.map(format.number)).toEqual(values.map((value) => number.format(value)));
    expect(integers.map(format.number)).toEqual(integers.map((value) => number.format(value)));
    expect(integers.map(format.count)).toEqual(
      integers.map((value) => (value < 10_000 ? number : short).format(value)),
    );
    expect(sizes.map((size) => format.bytes(size).split("\u00a0")[0])).toEqual(sizes.map(bytesOf));
  }
  expect(format.number(-0)).toBe("0");
  expect(format.series(["a", "b"])).toBe(locale === "zh" ? "a、b" : "a, b");
  expect(format.ago(now - 59_000)).toBe(relative.format(0, "second"));
  expect(format.ago(now - 59 * minute)).toBe(relative.format(-59, "minute"));
  expect(format.ago(now - 25 * 60 * minute)).toBe(relative.format(-1, "day"));
  expect(format.ago(now - 29 * 24 * 60 * minute)).toBe(relative.format(-4, "week"));
  expect(format.ago(now - 364 * 24 * 60 * minute)).toBe(relative.format(-12, "month"));
  expect(format.ago(now - 365 * 24 * 60 * minute)).toBe(date.format(now - 365 * 24 * 60 * minute));
  expect(formatIn(locale, now + minute).ago(now)).toBe(relative.format(-1, "minute"));
});
