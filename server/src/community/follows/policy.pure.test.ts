// Which versions a follower is told of, as a table.
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
    ["who chose nothing is told of everything", [{}], true],
    ["who wants all is told, whatever the filters say", [{ mode: "all", channels: ["dev"], loaders: [] }], true],
    ["who wants nothing is told of nothing", [{ mode: "none" }], false],
    ["who follows his defaults is told as they say", [{}, { mode: "none" }], false],
    ["who chose for this project is told so, whatever the defaults", [{ mode: "all" }, { mode: "none" }], true],
    ["is told of a channel that he chose", [{ mode: "filtered", channels: ["release", "beta"] }], true],
    ["is not told of another channel", [{ mode: "filtered", channels: ["release"] }], false],
    ["is told of one of his game versions", [{ mode: "filtered", gameVersions: ["0.4.7", "0.1.0"] }], true],
    ["is not told of other game versions", [{ mode: "filtered", gameVersions: ["0.1.0"] }], false],
    ["with an empty list of game versions is told of none", [{ mode: "filtered", gameVersions: [] }], false],
    ["is told of his loader", [{ mode: "filtered", loaders: ["quilt"] }], true],
    ["is not told of another loader", [{ mode: "filtered", loaders: ["paradox"] }], false],
    [
      "is told of what needs no loader, whichever is his",
      [{ mode: "filtered", loaders: ["paradox"] }, {}, { loaders: [] }],
      true,
    ],
    [
      "is told only where all filters agree",
      [{ mode: "filtered", loaders: ["quilt"], gameVersions: ["0.4.8"], channels: ["release"] }],
      false,
    ],
    ["may have the filters in his defaults", [{}, { mode: "filtered", gameVersions: ["0.1.0"] }], false],
  ])("%s", (_what, given, expected) => {
    expect(told(...given)).toBe(expected);
  });
});
