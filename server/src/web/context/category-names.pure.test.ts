import { expect, test } from "vitest";
import { presetNames, readPreset } from "#content/taxonomy/presets.js";
import { locales, wordsIn } from "#words/languages.js";
import { categoryName } from "./category-names.js";

const names = [...new Set(presetNames.flatMap((preset) => readPreset(preset).categories.map(({ name }) => name)))];

test.each(locales)("every category that comes with the service has a name in %s", (locale) => {
  const known = Object.keys(wordsIn(locale).names.categories);
  expect(names.filter((name) => !/^\d/.test(name)).sort()).toEqual(known.sort());
});

test("a category that an operator added is shown under its own name", () => {
  expect([categoryName("space-travel", "de"), categoryName("space-travel", "en")]).toEqual(
    Array(2).fill("Space travel"),
  );
  expect(categoryName("decoration", "en")).toBe("Decoration");
});
