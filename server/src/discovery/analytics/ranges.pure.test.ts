import { describe, expect, test } from "vitest";
import { toDate } from "#lib/days.js";
import { parseDate, type Timeline, timelineNames, toRange } from "./ranges.js";

/** A Wednesday. */
const now = Date.parse("2026-03-04T12:00:00Z");
const words = (timeline: Timeline, at = now) => {
  const { first, last } = toRange({ timeline }, at);
  return [first === undefined ? undefined : toDate(first), toDate(last)];
};

describe("a timeline", () => {
  test.each<[Timeline, string | undefined, string]>([
    ["yesterday", "2026-03-03", "2026-03-03"],
    ["this_week", "2026-03-02", "2026-03-03"],
    ["last_week", "2026-02-23", "2026-03-01"],
    ["previous_7_days", "2026-02-25", "2026-03-03"],
    ["this_month", "2026-03-01", "2026-03-03"],
    ["last_month", "2026-02-01", "2026-02-28"],
    ["previous_30_days", "2026-02-02", "2026-03-03"],
    ["previous_90_days", "2025-12-04", "2026-03-03"],
    ["this_year", "2026-01-01", "2026-03-03"],
    ["last_year", "2025-01-01", "2025-12-31"],
    ["previous_365_days", "2025-03-04", "2026-03-03"],
    ["all_time", undefined, "2026-03-03"],
  ])("%s is from %s to %s", (timeline, first, last) => {
    expect(words(timeline)).toEqual([first, last]);
  });

  test("that starts today is empty, because today is not over", () => {
    const { first, last } = toRange({ timeline: "this_year" }, Date.parse("2026-01-01T00:00:00Z"));
    expect(last).toBe(first! - 1);
  });

  test("for the last month in January is December", () => {
    expect(words("last_month", Date.parse("2026-01-31T23:59:59Z"))).toEqual(["2025-12-01", "2025-12-31"]);
  });

  test("never reaches today, whichever it is and on whichever day", () => {
    for (let day = 0; day < 800; day++)
      for (const timeline of timelineNames) {
        const at = now + day * 86_400_000;
        expect(toRange({ timeline }, at).last).toBeLessThan(Math.floor(at / 86_400_000));
      }
  });
});

describe("two dates", () => {
  test("are taken as they are, both included", () => {
    const { first, last } = toRange({ startDate: "2024-02-29", endDate: "2024-02-29" }, now);
    expect([toDate(first!), toDate(last)]).toEqual(["2024-02-29", "2024-02-29"]);
  });

  test.each([
    [{ startDate: "2026-01-01" }, "endDate"],
    [{ endDate: "2026-01-01" }, "startDate"],
    [{ startDate: "2026-01-02", endDate: "2026-01-01" }, "endDate"],
    [{ startDate: "2020-01-01", endDate: "2026-01-01" }, "startDate"],
    [{ startDate: "2026-01-01", endDate: "2026-01-02", timeline: "yesterday" as const }, "timeline"],
  ])("%j is refused by name", (given, path) => {
    expect(() => toRange(given, now)).toThrow(path);
  });

  test.each([
    "",
    "2026-02-30",
    "2026-13-01",
    "2026-1-1",
    "20260101",
    "2026-01-01T00:00:00Z",
    "+002026-01-01",
    "now",
    "2026-01-01 ",
  ])("%j is no date", (text) => {
    expect(() => parseDate(text, "startDate")).toThrow("startDate");
  });

  test("five years are the most", () => {
    expect(() => toRange({ startDate: "2021-01-01", endDate: "2026-01-01" }, now)).not.toThrow();
    expect(() => toRange({ startDate: "2021-01-01", endDate: "2026-01-02" }, now)).toThrow("startDate");
  });
});
