// The versions that a follower is notified of, as a table.
import { describe, expect, test } from "vitest";
import { initialDefaults, initialPreferences, type PublishedVersion, wantsVersion } from "./policy.js";
import type { FollowDefaults, FollowPreferences } from "./shapes.js";

const version: PublishedVersion = { channel: "beta", gameVersions: ["0.4.8", "0.4.7"], loaders: ["quilt"] };
const told = (
  own: Partial<FollowPreferences>,
  defaults: Partial<FollowDefaults> = {},
  published: Partial<PublishedVersion> = {},
): boolean =>
  wantsVersion({ ...initialPreferences, ...own }, { ...initialDefaults, ...defaults }, { ...version, ...published });

describe("a follower", () => {
  test.each<[string, Parameters<typeof told>, boolean]>([
    ["no choice: notified of everything", [{}], true],
    ['"all": notified regardless of the filters', [{ mode: "all", channels: ["dev"], loaders: [] }], true],
    ['"none": not notified', [{ mode: "none" }], false],
    ['"default": notified as the account\'s defaults say', [{}, { mode: "none" }], false],
    ["a choice for this project overrides the defaults", [{ mode: "all" }, { mode: "none" }], true],
    ["notified of a chosen channel", [{ mode: "filtered", channels: ["release", "beta"] }], true],
    ["not notified of another channel", [{ mode: "filtered", channels: ["release"] }], false],
    ["notified of a chosen game version", [{ mode: "filtered", gameVersions: ["0.4.7", "0.1.0"] }], true],
    ["not notified of other game versions", [{ mode: "filtered", gameVersions: ["0.1.0"] }], false],
    ["with an empty list of game versions is told of none", [{ mode: "filtered", gameVersions: [] }], false],
    ["notified of a chosen loader", [{ mode: "filtered", loaders: ["quilt"] }], true],
    ["not notified of another loader", [{ mode: "filtered", loaders: ["paradox"] }], false],
    [
      "notified of a version that needs no loader, with any chosen loader",
      [{ mode: "filtered", loaders: ["paradox"] }, {}, { loaders: [] }],
      true,
    ],
    [
      "notified only if all filters match",
      [{ mode: "filtered", loaders: ["quilt"], gameVersions: ["0.4.8"], channels: ["release"] }],
      false,
    ],
    ["the defaults may have filters too", [{}, { mode: "filtered", gameVersions: ["0.1.0"] }], false],
  ])("%s", (_what, given, expected) => {
    expect(told(...given)).toBe(expected);
  });
});
