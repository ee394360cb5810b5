// The taxonomies to begin with: each can be put in force as it is.
import { expect, test } from "vitest";
import { presetNames, readPreset } from "./presets.js";

test.each(presetNames)("%s has project types and game versions, and refers to nothing that it lacks", (name) => {
  const document = readPreset(name);
  expect(document.projectTypes.length).toBeGreaterThan(0);
  expect(document.gameVersions.length).toBeGreaterThan(0);
});
