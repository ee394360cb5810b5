// The parts of an import that need no registry: the pauses that it is asked for, and how foreign values are made to fit.
import { describe, expect, test } from "vitest";
import { readPreset } from "#content/taxonomy/presets.js";
import { compileTaxonomy } from "#content/taxonomy/taxonomy.js";
import { fitProject, numbersOf, typesOf, unknownNames } from "./fit.js";
import { parseSourceUrl } from "./open-source.js";
import { retryAfter, spentWait } from "./polite-client.js";
import type { SourceProject, SourceVersion } from "./source.js";

const now = Date.UTC(2026, 0, 1);

describe("a pause", () => {
  test.each([
    [{ "retry-after": "7" }, 7000],
    [{ "retry-after": new Date(now + 30_000).toUTCString() }, 30_000],
    [{ "retry-after": new Date(now - 30_000).toUTCString() }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "12" }, 12_000],
    [{}, undefined],
  ])("after a refusal with %j", (headers, ms) => {
    expect(retryAfter(headers, now)).toBe(ms);
  });

  test.each([
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "12" }, 12_000],
    [{ "x-ratelimit-remaining": "1", "x-ratelimit-reset": "12" }, undefined],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(now / 1000 + 9) }, 9000],
    [{ "ratelimit-remaining": "0", "ratelimit-reset": "3" }, 3000],
    [{ ratelimit: "limit=100, remaining=0, reset=5" }, 5000],
    [{ ratelimit: '"read";r=0;t=6' }, 6000],
    [{ ratelimit: '"read";r=10;t=6' }, undefined],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "-1" }, undefined],
  ])("when the quota is spent: %j", (headers, ms) => {
    expect(spentWait(headers, now)).toBe(ms);
  });
});

test.each([
  ["https://mods.example", "https://mods.example", undefined],
  ["https://mods.example//", "https://mods.example", undefined],
  ["https://api.modrinth.example/v2/", "https://api.modrinth.example", "modrinth"],
  ["https://mods.example/shop/api", "https://mods.example/shop", "crmm"],
])("the source %s is at %s", (text, base, kind) => {
  expect(parseSourceUrl(text)).toEqual({ base, kind });
});

test.each(["mods.example", "ftp://x", "https://a:b@x", "https://x/?a", "https://x/#a", ""])(
  "%s is no source",
  (text) => {
    expect(parseSourceUrl(text)).toBeUndefined();
  },
);

const taxonomy = compileTaxonomy(readPreset("minecraft"));
const version = (id: string, number: string, loaders: string[]): SourceVersion => ({
  ...{ id, number, title: number, changelog: "", channel: "release", featured: false, loaders },
  ...{ gameVersions: ["1.20.1"], datePublished: 0, authorId: null, authorName: null, files: [], dependencies: [] },
  yanked: null,
});
const project = (changes: Partial<SourceProject> = {}): SourceProject => ({
  ...{ id: "AABBCCDD", slug: "lamps", name: "Lamps", summary: "Lamps", description: "", types: ["mod"] },
  ...{ typesFollowLoaders: true, categories: [], featuredCategories: [], license: { id: "MIT", name: "", url: "" } },
  links: { issueTracker: null, sourceCode: null, wikiPage: null, discordServer: null },
  ...{ donationLinks: [], disclosures: undefined, clientSide: "required", serverSide: "sometimes" },
  ...{ visibility: "listed", iconUrl: null, gallery: [], members: [], orgId: null, datePublished: 0, dateUpdated: 0 },
  ...changes,
});

describe("a project of Modrinth", () => {
  test.each([
    [["mod"], ["fabric"], ["mod"]],
    [["mod"], ["fabric", "paper"], ["mod", "plugin"]],
    [["mod"], ["paper"], ["plugin"]],
    [["mod"], ["datapack"], ["datapack"]],
    [["resource-pack"], ["minecraft"], ["resourcepack"]],
    [["mod"], [], ["mod"]],
  ])("with the type %j and the loaders %j has the types %j here", (types, loaders, expected) => {
    expect(typesOf(taxonomy, project({ types }), [version("a", "1", loaders)])).toEqual(expected);
  });

  test("that has a number several times gets different ones, always the same", () => {
    const told: string[] = [];
    const versions = [version("a", "1.0", ["fabric"]), version("b", "1.0", ["forge"]), version("c", "(new) 1", [])];
    expect([...numbersOf("lamps", versions, (text) => told.push(text)).values()]).toEqual([
      "1.0",
      "1.0+forge",
      "new-1",
    ]);
    expect(told.length).toBe(2);
  });

  test("is shortened where it is too long, and loses links that are none", () => {
    const told: string[] = [];
    const links = { ...project().links, sourceCode: "javascript:alert(1)", wikiPage: "https://wiki.example/" };
    const given = project({ name: `${"x".repeat(31)}😀 and more`, summary: "a\nb", links });
    const fitted = fitProject(taxonomy, given, ["mod"], (text) => told.push(text));
    expect(fitted).toMatchObject({
      name: "x".repeat(31),
      summary: "a b",
      serverSide: "unknown",
      license: { id: "MIT" },
    });
    expect(fitted.links).toMatchObject({ sourceCode: null, wikiPage: "https://wiki.example/" });
    expect(told.length).toBe(2);
  });

  test("has a license by its name if its id is unknown, and is reported if it has no URL", () => {
    const custom = project({ license: { id: "LicenseRef-Lamp", name: "Lamp", url: "https://lamp.example/" } });
    expect(fitProject(taxonomy, custom, ["mod"], () => {}).license).toEqual({
      ...{ id: null, name: "Lamp", url: "https://lamp.example/" },
    });
    expect(unknownNames(taxonomy, custom, ["mod"], [])).toEqual([]);
    const none = project({ license: { id: "LicenseRef-Lamp", name: "Lamp", url: "" } });
    expect(unknownNames(taxonomy, none, ["mod"], [version("a", "1", ["lamp"])])).toEqual([
      "license LicenseRef-Lamp",
      "loader lamp",
    ]);
  });
});
