import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { categoryName } from "./category-names.js";
import { tagName } from "./tag-names.js";

/** Names that are the same in English and German. */
const shared =
  "bloom cartoon fantasy halloween horror parkour path-tracing pbr pixel-art quests screenshot skyblock".split(" ");

const { categories } = parse(readFileSync(new URL("../../content/taxonomy/default.yaml", import.meta.url), "utf8")) as {
  categories: { name: string }[];
};
const names = [...new Set(categories.map(({ name }) => name))];

test("every category that comes with the service has a German name, or one that is the same in both languages", () => {
  const same = names.filter((name) => categoryName(name, "de") === tagName(name) && !/^\d/.test(name));
  expect(same.sort()).toEqual(shared);
});

test("a category that an operator added is shown under its own name", () => {
  expect([categoryName("space-travel", "de"), categoryName("space-travel", "en")]).toEqual(
    Array(2).fill("Space travel"),
  );
  expect(categoryName("decoration", "en")).toBe("Decoration");
});
