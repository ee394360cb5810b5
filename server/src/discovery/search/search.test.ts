// Searching over HTTP: accepted and refused parameters, the answer, and that each request sees the changes of the
// previous one.
import { describe, expect, test } from "vitest";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { write } from "#platform/changes/write.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { makeOrg, makeProject, type ProjectOptions, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { searchProjects } from "./read.js";
import { toSearchQuery } from "./search-query.js";

const world = await testApp();
const { as, make, resources, clock } = world;
const owner = await make.user();

/** A word that no other test's projects have; letters only. */
const uniqueWord = () => uniqueName("w").replaceAll(/[-0-9]/g, (sign) => "ghijklmnopq"[Number(sign)] ?? "x");
const project = (options: ProjectOptions = {}) => makeProject(world, owner, options);
const search = (query: string) => as.anyone.get(`/api/search?${query}`);
const find = async (text: string, more = ""): Promise<string[]> => {
  const reply = await search(`q=${encodeURIComponent(text)}${more}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.hits.map(({ id }: { id: string }) => id);
};

describe("searchProjects answers", () => {
  test("with list items like every other list, the query, and the total", async () => {
    const word = uniqueWord();
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await project({ name: `${word} ${n}` })).id);
    const { body } = await search(`q=${word}&limit=2&offset=1&sortby=recently_published`);
    expect(Object.keys(body).sort()).toEqual(
      ["estimatedTotalHits", "hits", "limit", "offset", "processingTimeMs", "query"].sort(),
    );
    expect(body).toMatchObject({ query: word, limit: 2, offset: 1, estimatedTotalHits: 3 });
    expect(body.processingTimeMs).toBeGreaterThanOrEqual(0);
    const items = await as.anyone.get(`/api/projects?ids=${[ids[1], ids[0]]}`);
    expect(body.hits).toEqual(items.body);
  });

  test("with 20 by default, pages from 1, and the offset taking precedence over the page", async () => {
    const word = uniqueWord();
    for (let n = 0; n < 23; n++) await project({ name: `${word} ${n}` });
    expect((await search(`q=${word}`)).body).toMatchObject({ limit: 20, offset: 0, estimatedTotalHits: 23 });
    const [first, second] = [await find(word), await find(word, "&page=2")];
    expect([first.length, second.length]).toEqual([20, 3]);
    expect(new Set([...first, ...second]).size).toBe(23);
    expect(await find(word, "&page=2&limit=5&offset=20")).toEqual(second);
    expect(await find(word, "&page=5&limit=5")).toEqual(second.slice(0, 3));
  });

  test("with an empty page and the right total far past the end", async () => {
    const word = uniqueWord();
    await project({ name: word });
    for (const far of ["offset=1", "offset=1000000", "page=2", "page=9007199254740991&limit=100"])
      expect((await search(`q=${word}&${far}`)).body, far).toMatchObject({ hits: [], estimatedTotalHits: 1 });
  });

  test("the same again as unchanged, and otherwise when a hit has changed", async () => {
    const word = uniqueWord();
    const { id } = await project({ name: word });
    const { headers } = await search(`q=${word}`);
    const again = () => as.anyone.get(`/api/search?q=${word}`, { headers: { "if-none-match": headers.get("etag")! } });
    expect((await again()).status).toBe(304);
    expect(headers.get("cache-control")).toBe("no-cache");
    await setProject(world, id, { downloads: 7 });
    expect((await again()).status).toBe(200);
  });
});

describe("searchProjects refuses with the valid values", () => {
  test.each([
    ["type=modd", "type", /"modd".*mod, datamod, resource-pack/],
    ["type=mod&type=shader", "type", /string/],
    ["sortby=newest", "sortby", /relevance, downloads, trending/],
    ["facets=yes", "facets", /1, true, 0, false/],
    ["ch=stable", "ch", /"stable".*release, release-only, beta/],
    ["ch=!", "ch", /release/],
    ["c=!fishy", "c", /"fishy".*adventure/],
    ["e=both", "e", /client, server/],
    ["e=!client", "e", /client, server/],
    ["li=mit", "li", /oss, !oss/],
    ["limit=0", "limit", /at least 1/],
    ["limit=101", "limit", /at most 100/],
    ["limit=ten", "limit", /integer/],
    ["offset=-1", "offset", /at least 0/],
    ["offset=1e999", "offset", /at most 9007199254740991|integer/],
    ["page=0", "page", /at least 1/],
    ["page=-3", "page", /at least 1/],
    ["page=1.5", "page", /integer/],
    [`q=${"x".repeat(65)}`, "q", /at most 64 characters/],
    [`q=${"y".repeat(10_000)}`, "q", /at most 64 characters/],
    [`l=${"z".repeat(66)}`, "l", /65/],
    [Array.from({ length: 33 }, () => "v=0.4.8").join("&"), "v", /32/],
  ])("%.40s", async (query, path, message) => {
    const reply = await search(query);
    expect(reply).toFail(400, "invalidRequest");
    expect(reply.body.issues).toContainEqual({ path, message: expect.stringMatching(message) });
  });

  test("but finds nothing for an unknown loader or game version", async () => {
    const word = uniqueWord();
    const { id } = await project({ name: word });
    await makeVersion(world, owner, id, { gameVersions: ["0.4.8"], loaders: ["quilt"] });
    for (const query of ["v=9.9.9", "l=forge", "l=quilt&l=forge", "v=0.4.8&l=forge", "v=__proto__", "l=constructor"])
      expect((await search(`q=${word}&facets=1&${query}`)).body, query).toMatchObject({
        hits: [],
        estimatedTotalHits: 0,
      });
    // One of several game versions is enough, and an unknown one excludes nothing.
    for (const query of ["v=9.9.9&v=0.4.8", "v=!9.9.9", "l=!forge"])
      expect((await search(`q=${word}&${query}`)).body.hits, query).toHaveLength(1);
  });

  test("but ignores empty and unknown parameters", async () => {
    expect(await search("q=&type=&l=&v=&ch=&c=&e=&li=&sortby=&facets=&utm_source=x")).toSucceed();
  });
});

describe("searchProjects accepts any text", () => {
  const texts = [
    ...["*", "%", "_", '"', "'", "\\", "/", "(", ")", ":", "^", "-", "+", "~", "&", "|", "!", "<->", "'a' & 'b'"],
    ...["a*", '"unclosed', "name:x", "NEAR(a b)", "a AND", "NOT", "{a}:b", "') or 1=1--", "\x01", "\u202e"],
    ...["\ud800", "🔥".repeat(32), "\u0301".repeat(64), "ﷺ".repeat(64), "ก".repeat(64), "a b c d e f g h i j k l m"],
  ];
  test.each(texts.map((text) => [text]))("%j", async (text) => {
    const encoded = [...text]
      .map((letter) => (letter.isWellFormed() ? encodeURIComponent(letter) : "%ED%A0%80"))
      .join("");
    for (const more of ["", "&sortby=downloads&facets=1"]) {
      const reply = await search(`q=${encoded}${more}`);
      expect(reply.status, reply.text).toBe(200);
    }
  });

  test("except for NUL, which a URL cannot contain; internally it is treated like any other character", async () => {
    expect(await search("q=a%00b")).toFail(400, "invalidUrl");
    const word = uniqueWord();
    const { id } = await project({ name: word });
    const searchQuery = toSearchQuery({ q: `\0${word}\0\ud800` }, await getTaxonomy(resources));
    expect((await searchProjects(resources, searchQuery)).projects.map((found) => found.id)).toEqual([id]);
  });

  test("and finds nothing for punctuation alone, and everything for an empty text", async () => {
    await project();
    expect((await search("q=%3F!")).body.estimatedTotalHits).toBe(0);
    const all = (await search("")).body.estimatedTotalHits;
    expect(all).toBeGreaterThan(0);
    expect((await search("q=%20%20")).body.estimatedTotalHits).toBe(all);
  });
});

describe("searchProjects filters", () => {
  test("by loader and game version on one version", async () => {
    const word = uniqueWord();
    const [apart, together] = [await project({ name: `${word} a` }), await project({ name: `${word} b` })];
    await makeVersion(world, owner, apart.id, { loaders: ["quilt"], gameVersions: ["0.4.6"] });
    await makeVersion(world, owner, apart.id, { loaders: ["puzzle_loader"], gameVersions: ["0.4.8"] });
    await makeVersion(world, owner, together.id, { loaders: ["quilt", "puzzle_loader"], gameVersions: ["0.4.8"] });
    expect(await find(word, "&l=quilt&v=0.4.8")).toEqual([together.id]);
    expect(await find(word, "&l=quilt&l=puzzle_loader")).toEqual([together.id]);
    expect((await find(word, "&l=quilt&v=0.4.8&v=0.4.6")).sort()).toEqual([apart.id, together.id].sort());
    expect(await find(word, "&v=!0.4.6")).toEqual([together.id]);
    expect(await find(word, "&l=!quilt")).toEqual([]);
  });

  test("by channel on that same version, including more stable ones unless the value ends in -only", async () => {
    const word = uniqueWord();
    const [stable, early] = [await project({ name: `${word} a` }), await project({ name: `${word} b` })];
    await makeVersion(world, owner, stable.id, { channel: "release", loaders: ["quilt"], gameVersions: ["0.4.6"] });
    await makeVersion(world, owner, stable.id, { channel: "beta", loaders: ["quilt"], gameVersions: ["0.4.8"] });
    await makeVersion(world, owner, early.id, { channel: "alpha", loaders: ["quilt"], gameVersions: ["0.4.8"] });
    expect(await find(word, "&ch=release")).toEqual([stable.id]);
    expect(await find(word, "&ch=release&l=quilt&v=0.4.8")).toEqual([]);
    expect(await find(word, "&ch=Beta&v=0.4.8")).toEqual([stable.id]);
    expect((await find(word, "&ch=alpha&v=0.4.8")).sort()).toEqual([stable.id, early.id].sort());
    expect(await find(word, "&ch=alpha-only&v=0.4.8")).toEqual([early.id]);
    expect((await find(word, "&ch=alpha-only&ch=beta-only&v=0.4.8")).sort()).toEqual([stable.id, early.id].sort());
    expect(await find(word, "&ch=!release")).toEqual([early.id]);
    expect(await find(word, "&ch=!alpha-only&v=0.4.8")).toEqual([stable.id]);
    const { facets } = (await search(`q=${word}&v=0.4.8&facets=1`)).body;
    expect(facets.ch).toEqual({ beta: 1, "beta-only": 1, alpha: 2, "alpha-only": 1, dev: 2 });
  });

  test("by 512x+, in every encoding of its sign", async () => {
    const word = uniqueWord();
    const { id } = await project({ name: word, types: ["resource-pack"] });
    await write(resources, {}, async (tx) => {
      await tx.db.insertInto("project_categories").values({ project_id: id, category: "512x+", featured: 0 }).execute();
      tx.changed("project", id);
    });
    for (const value of ["512x+", "512x%2B", "512x%2b"]) {
      expect(await find(word, `&c=${value}`), value).toEqual([id]);
      expect(await find(word, `&c=!${value}`), value).toEqual([]);
    }
  });

  test("and counts facets only on request", async () => {
    const word = uniqueWord();
    const { id } = await project({ name: word });
    await makeVersion(world, owner, id, { loaders: ["quilt"], gameVersions: ["0.4.8"] });
    expect((await search(`q=${word}&facets=0`)).body.facets).toBeUndefined();
    const counts = {
      type: { mod: 1 },
      l: { quilt: 1 },
      v: { "0.4.8": 1 },
      ch: { release: 1 },
      c: {},
      li: { "!oss": 1 },
    };
    expect((await search(`q=${word}&facets=1`)).body.facets).toMatchObject(counts);
    expect((await search(`q=${word}&type=shader&facets=true`)).body).toMatchObject({
      hits: [],
      facets: { type: { mod: 1 } },
    });
  });

  test("and counts facets without a text again after each change", async () => {
    const count = async () => (await search("v=0.4.8&facets=1")).body.facets.l.paradox ?? 0;
    const before = await count();
    const { id } = await project();
    await makeVersion(world, owner, id, { loaders: ["paradox"], gameVersions: ["0.4.8"] });
    expect([await count(), await count()]).toEqual([before + 1, before + 1]);
    await setProject(world, id, { visibility: "unlisted" });
    expect(await count()).toBe(before);
  });
});

describe("searchProjects sorts", () => {
  test.each([
    ["downloads", { downloads: 5 }],
    ["follow_count", { followers: 5 }],
    ["recently_updated", { date_updated: 4_000_000_000_000 }],
    ["recently_published", { date_published: 4_000_000_000_000 }],
  ])("by %s", async (sort, change) => {
    const word = uniqueWord();
    const [first, second, third] = [
      await project({ name: word }),
      await project({ name: word }),
      await project({ name: word }),
    ];
    expect(await find(word, `&sortby=${sort}`)).toHaveLength(3);
    await setProject(world, second.id, change);
    expect((await find(word, `&sortby=${sort}`))[0]).toBe(second.id);
    expect(new Set(await find(word, `&sortby=${sort}`))).toEqual(new Set([first.id, second.id, third.id]));
  });

  test("by recent downloads: the last two weeks, older downloads counting less", async () => {
    const word = uniqueWord();
    const today = Math.floor(clock.now() / 86_400_000);
    const downloads: [daysAgo: number, count: number][] = [
      [0, 10],
      [8, 20],
      [13, 40],
      [14, 9000],
    ];
    const ids: string[] = [];
    for (const [daysAgo, count] of downloads) {
      const { id } = await project({ name: word });
      const version = await makeVersion(world, owner, id);
      ids.push(id);
      await write(resources, {}, async (tx) => {
        const row = { version_id: version.id, project_id: id, day: today - daysAgo, country: "", count };
        await tx.db.insertInto("download_days").values(row).execute();
        tx.changed("project", id);
      });
    }
    await setProject(world, ids[3]!, { downloads: 9000 });
    expect(await find(word, "&sortby=trending")).toEqual(ids);
    // Two days later the third one's downloads are too old as well, and it has fewer of them.
    clock.advance(2 * 86_400_000);
    const later = [ids[0], ids[1], ids[3], ids[2]];
    await expect.poll(() => find(word, "&sortby=trending")).toEqual(later);
    // Without a text, relevance means trending.
    const trending = (await search("sortby=trending&limit=100")).body.hits;
    expect((await search("limit=100")).body.hits).toEqual(trending);
  });
});

describe("searchProjects shows in the next request", () => {
  test("new projects, changed names, texts and owners, and deletions", async () => {
    const [word, other] = [uniqueWord(), uniqueWord()];
    const { id } = await project({ name: word, description: "before" });
    expect(await find(word)).toEqual([id]);
    await setProject(world, id, { name: other });
    expect([await find(word), await find(other)]).toEqual([[], [id]]);
    expect(await find(`${other} before`)).toEqual([id]);
    await setProject(world, id, { description: "afterwards" });
    expect([await find(`${other} before`), await find(`${other} afterwards`)]).toEqual([[], [id]]);
    await write(resources, {}, async (tx) => {
      await tx.db.deleteFrom("projects").where("id", "=", id).execute();
      tx.changed("project", id);
    });
    expect(await find(other)).toEqual([]);
  });

  test("the new name of an author or organization", async () => {
    const [author, renamed, orgSlug] = [uniqueWord(), uniqueWord(), uniqueWord()];
    const user = await make.user({ userName: author });
    const org = await makeOrg(world, user, { slug: orgSlug });
    const own = await makeProject(world, user);
    const ofOrg = await makeProject(world, user, { orgId: org.id });
    expect([await find(author), await find(orgSlug)]).toEqual([[own.id], [ofOrg.id]]);
    expect(await as.user(user).patch("/api/user", { userName: renamed })).toSucceed();
    expect([await find(author), await find(renamed)]).toEqual([[], [own.id]]);
    const slug = uniqueWord();
    await write(resources, {}, async (tx) => {
      await tx.db.updateTable("organizations").set({ slug }).where("id", "=", org.id).execute();
      tx.changed("organization", org.id);
    });
    const reply = await search(`q=${slug}`);
    expect(reply.body.hits).toMatchObject([{ id: ofOrg.id, author: slug }]);
  });

  test("changed visibility: only listed and archived projects, for every caller", async () => {
    const word = uniqueWord();
    const { id } = await project({ name: word });
    const moderator = as.user(await make.user({ role: "moderator" }));
    for (const [status, visibility, isFound] of [
      ["approved", "archived", true],
      ["approved", "unlisted", false],
      ["approved", "listed", true],
      ["approved", "private", false],
      ["draft", "listed", false],
      ["processing", "listed", false],
      ["withheld", "listed", false],
      ["rejected", "listed", false],
    ] as const) {
      await setProject(world, id, { status, visibility });
      for (const actor of [as.anyone, as.user(owner), moderator]) {
        const { hits } = (await actor.get(`/api/search?q=${word}`)).body;
        expect(hits.length, `${status} ${visibility}`).toBe(isFound ? 1 : 0);
      }
    }
  });
});

describe("the routes of the filters", () => {
  test.each([
    ["getSortFilters", "sort-by", "sortby", ["relevance", "trending"]],
    ["getLoaderFilters", "loaders", "l", [{ name: "quilt", supportedProjectTypes: ["mod", "modpack", "world"] }]],
    ["getGameVersionFilters", "game-versions", "v", [expect.objectContaining({ value: "0.4.8" })]],
    ["getChannelFilters", "channels", "ch", ["release", "beta", "beta-only"]],
    ["getCategoryFilters", "categories", "c", ["adventure", "magic"]],
    ["getFeatureFilters", "features?type=shader", "c", ["shadows"]],
    ["getResolutionFilters", "resolutions?type=resource-pack", "c", ["8x-", "512x+"]],
    ["getPerformanceFilters", "performance-impact?type=shader", "c", ["potato", "low"]],
    ["getEnvironmentFilters", "environments", "e", ["client", "server"]],
    ["getLicenseFilters", "license", "li", ["oss"]],
    ["getDisclosureFilters", "disclosures", "d", ["ai", "no-ai", "no-telemetry"]],
  ])("%s: /api/search/filters/%s", async (_id, path, queryKey, some) => {
    const reply = await as.anyone.get(`/api/search/filters/${path}`);
    expect(reply).toSucceed();
    expect(reply.body).toMatchObject({ success: true, queryKey, list: expect.arrayContaining(some) });
    expect(reply.headers.get("cache-control")).toBe("public, max-age=300");
    // Every offered value is accepted.
    for (const item of reply.body.list.slice(0, 40)) {
      const value = item.name ?? item.value ?? item;
      expect(await search(`${queryKey}=${encodeURIComponent(value)}`)).toSucceed();
    }
  });

  test("are for mods without a type, sorted by relevance by default, and refuse an unknown type", async () => {
    const list = async (query: string) => (await as.anyone.get(`/api/search/filters/categories${query}`)).body.list;
    expect(await list("")).toEqual(await list("?type=mod"));
    expect(await list("?type=")).toEqual(await list("?type=mod"));
    expect(await list("?type=world")).not.toEqual(await list(""));
    expect((await as.anyone.get("/api/search/filters/sort-by")).body.default).toBe("relevance");
    const refused = await as.anyone.get("/api/search/filters/loaders?type=mods");
    expect(refused).toFail(400, "invalidRequest");
    expect(refused.body.message).toMatch(/mod, datamod/);
  });
});
