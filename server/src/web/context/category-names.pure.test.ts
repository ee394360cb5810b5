import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { categoryName } from "./category-names.js";
import { tagName } from "./tag-names.js";

/** Words that both languages have. */
const shared =
  "bloom cartoon fantasy halloween horror parkour path-tracing pbr pixel-art quests screenshot skyblock".split(" ");

const { categories } = parse(readFileSync(new URL("../../content/taxonomy/default.yaml", import.meta.url), "utf8")) as {
  categories: { name: string }[];
};
const names = [...new Set(categories.map(({ name }) => name))];

test("every category that comes with the service has a German name, or one that both languages have", () => {
  const same = names.filter((name) => categoryName(name, "de") === tagName(name) && !/^\d/.test(name));
  expect(same.sort()).toEqual(shared);
});

test("an operator's own category reads as it is called", () => {
  expect([categoryName("space-travel", "de"), categoryName("space-travel", "en")]).toEqual(
    Array(2).fill("Space travel"),
  );
  expect(categoryName("decoration", "en")).toBe("Decoration");
});
