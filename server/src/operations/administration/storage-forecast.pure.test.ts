// The arithmetic of the storage forecast.
import { expect, test } from "vitest";
import { forecast } from "./storage-forecast.js";

const day = 24 * 60 * 60 * 1000;
const gib = 2 ** 30;
const now = 1000 * day;
const at = { now, reserve: gib };
const state = { firstDate: now - 400 * day, month: 30 * gib, quarter: 90 * gib, freeBytes: 101 * gib };

test("the room that uploads may use is divided by the growth of a day", () => {
  expect(forecast(state, at)).toEqual({ perDay: gib, basis: 30, roomBytes: 100 * gib, days: 100 });
});

test("the faster of the two periods counts, and ninety days only for a site of that age", () => {
  expect(forecast({ ...state, month: 3 * gib }, at)).toMatchObject({ basis: 90, days: 100 });
  expect(forecast({ ...state, month: 60 * gib }, at)).toMatchObject({ basis: 30, days: 50 });
  expect(forecast({ ...state, month: 3 * gib, firstDate: now - 60 * day }, at)).toMatchObject({
    basis: 30,
    days: 1000,
  });
});

test("a full disk lasts no day", () => {
  expect(forecast({ ...state, freeBytes: gib / 2 }, at)).toMatchObject({ roomBytes: 0, days: 0 });
});

test.each([
  ["no files", { firstDate: null }],
  ["files of less than thirty days", { firstDate: now - 29 * day }],
  ["no growth", { month: 0, quarter: 0 }],
  ["storage whose size is not known", { freeBytes: undefined }],
])("there is no forecast with %s", (_, change) => {
  expect(forecast({ ...state, ...change }, at)).toBeUndefined();
});
