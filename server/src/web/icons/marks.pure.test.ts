// The marks of tags: every name of the included taxonomies has one of its own, and the operator's choice comes first.
import { expect, test } from "vitest";
import { presetNames, readPreset } from "#content/taxonomy/presets.js";
import { readDefaultTaxonomyText } from "#content/taxonomy/taxonomy.js";
import { markOf } from "./marks.js";
import { shapes, sprite } from "./shapes.js";

test.each(presetNames)("every type, loader and category of the taxonomy %s has a drawing of its own", (name) => {
  const { projectTypes, loaders, categories } = readPreset(name);
  for (const type of projectTypes) expect(markOf("type", type.name).hue, type.name).toBeDefined();
  for (const loader of loaders) expect(markOf("loader", loader.name).hue, loader.name).toBeDefined();
  for (const category of categories) expect(markOf("category", category.name).shape, category.name).not.toBe("tag");
});

test("unknown names have a plain drawing without a color", () => {
  expect(markOf("type", "hat")).toEqual({ shape: "box" });
  expect(markOf("loader", "hatter")).toEqual({ shape: "plug" });
  expect(markOf("category", "constructor")).toEqual({ shape: "tag" });
});

test("the operator's icon and color come first; an icon that does not exist is ignored", () => {
  expect(markOf("loader", "quilt", { icon: "leaf", color: "#1a2b3c" })).toEqual({ shape: "leaf", color: "#1a2b3c" });
  expect(markOf("category", "magic", { icon: "leaf" })).toEqual({ shape: "leaf", hue: "violet" });
  expect(markOf("type", "mod", { icon: "toString" })).toEqual({ shape: "box", hue: "green" });
});

test("the sprite has every drawing once, as a plain path", () => {
  const text = sprite();
  for (const name of Object.keys(shapes)) expect(text.split(`id="${name}"`)).toHaveLength(2);
  for (const path of Object.values(shapes)) expect(path).toMatch(/^[Mm][\d\s.,MmLlHhVvCcSsAaZz-]+$/);
});

test("the taxonomy file lists the names of all drawings", () => {
  const listed = /The icons:([\s#\w,]+)\./.exec(readDefaultTaxonomyText())![1]!;
  expect(listed.match(/\w+/g)).toEqual(Object.keys(shapes));
});
