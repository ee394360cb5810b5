// Every preset is a valid taxonomy.
import { expect, test } from "vitest";
import { presetNames, readPreset } from "./presets.js";

test.each(presetNames)("%s has project types and game versions, and every name that it refers to exists", (name) => {
  const document = readPreset(name);
  expect(document.projectTypes.length).toBeGreaterThan(0);
  expect(document.gameVersions.length).toBeGreaterThan(0);
});

test("the preset for Minecraft has the names that Modrinth uses", () => {
  const { loaders, categories, gameVersions } = readPreset("minecraft");
  const has = (names: readonly string[], wanted: readonly string[]) => wanted.filter((name) => !names.includes(name));
  expect(
    has(
      loaders.map(({ name }) => name),
      ["fabric", "neoforge", "paper", "purpur", "bungeecord", "iris"],
    ),
  ).toEqual([]);
  const named = categories.map(({ name }) => name);
  expect(has(named, ["kitchen-sink", "vanilla-like", "8x-", "512x+", "path-tracing", "screenshot"])).toEqual([]);
  expect(gameVersions[0]?.value).toBe("1.21.11");
});
