// Reading projects; the rules of interface §4 are quoted where they are tested.
import { describe, expect, test } from "vitest";
import { hashIndexOf } from "#content/hashes/hash-index.js";
import { siteUrl, testApp, uniqueName } from "#test/server/harness.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, clock } = world;
const author = await make.user();

describe("getProject", () => {
  test('"wrapper with project (full)": every field of the table, by id and by slug', async () => {
    const project = await makeProject(world, author, { description: "# Hello", types: ["mod", "plugin"] });
    const { body } = await as.anyone.get(`/api/project/${project.slug}`);
    expect(body).toEqual({
      success: true,
      project: {
        id: project.id,
        teamId: project.teamId,
        orgId: null,
        name: "Sample project",
        icon: null,
        status: "approved",
        requestedStatus: null,
        summary: "A project for a test",
        description: "# Hello",
        type: ["mod", "plugin"],
        categories: [],
        featuredCategories: [],
        licenseId: "MIT",
        licenseName: "MIT License",
        licenseUrl: expect.stringMatching(/^https:/),
        dateUpdated: expect.stringMatching(/Z$/),
        datePublished: expect.stringMatching(/Z$/),
        downloads: 0,
        followers: 0,
        slug: project.slug,
        visibility: "listed",
        issueTrackerUrl: null,
        projectSourceUrl: null,
        projectWikiUrl: null,
        discordInviteUrl: null,
        donationLinks: [],
        disclosures: { ai: null, telemetry: null, paidFeatures: null },
        importedFrom: null,
        clientSide: expect.any(String),
        serverSide: "required",
        loaders: [],
        gameVersions: [],
        gallery: [],
        members: [
          {
            id: expect.any(String),
            userId: author.id,
            teamId: project.teamId,
            userName: author.userName,
            avatar: `${siteUrl}/cdn/data/user/${author.id}/default.png`,
            role: "Owner",
            isOwner: true,
            accepted: true,
            permissions: [],
            organisationPermissions: [],
          },
        ],
        organisation: null,
        color: expect.stringMatching(/^#[0-9a-f]{6}$/),
      },
    });
    for (const ref of [project.id, project.slug.toUpperCase()])
      expect((await as.anyone.get(`/api/project/${ref}`)).body).toEqual(body);
    expect((await as.anyone.get(`/api/project/${project.slug}/check`)).body).toEqual({ id: project.id });
  });

  test('"includeVersions … adds a versions field", "featuredOnly … restricts the included versions to featured ones"', async () => {
    const project = await makeProject(world, author);
    await makeVersion(world, author, project.id);
    await makeVersion(world, author, project.id, { featured: true });
    const versions = async (query: string) =>
      (await as.anyone.get(`/api/project/${project.id}${query}`)).body.project.versions;
    expect(await versions("")).toBeUndefined();
    expect(await versions("?includeVersions=false&featuredOnly=true")).toBeUndefined();
    expect(await versions("?includeVersions=true")).toHaveLength(2);
    expect(await versions("?includeVersions=true&featuredOnly=true")).toHaveLength(1);
  });

  test("checkProject and getProject answer 404 for missing projects and 400 for invalid refs", async () => {
    for (const ref of ["nope", "AAAAAAAA", "%27or%201=1", "..%2F..%2Fetc"]) {
      expect(await as.anyone.get(`/api/project/${ref}`)).toFail(404, "projectNotFound");
      expect(await as.anyone.get(`/api/project/${ref}/check`)).toFail(404, "projectNotFound");
    }
    expect(await as.anyone.get(`/api/project/${"x".repeat(65)}`)).toFail(400);
  });

  test("the next answer shows a change and has another ETag", async () => {
    const project = await makeProject(world, author);
    const first = await as.anyone.get(`/api/project/${project.id}`);
    const conditional = () =>
      as.anyone.get(`/api/project/${project.id}`, { headers: { "if-none-match": first.headers.get("etag")! } });
    expect((await conditional()).status).toBe(304);
    await setProject(world, project.id, { summary: "Changed" });
    expect((await conditional()).body.project.summary).toBe("Changed");
  });

  test("every answer shows the new name of a renamed user", async () => {
    const owner = await make.user();
    const project = await makeProject(world, owner);
    await makeVersion(world, owner, project.id);
    await as.anyone.get(`/api/project/${project.id}?includeVersions=true`);
    const userName = uniqueName("renamed");
    await as.user(owner).patch("/api/user", { userName });
    const { project: after } = (await as.anyone.get(`/api/project/${project.id}?includeVersions=true`)).body;
    expect([after.members[0].userName, after.versions[0].author.userName]).toEqual([userName, userName]);
    expect((await as.anyone.get(`/api/projects?ids=${project.id}`)).body[0].author).toBe(userName);
  });
});

describe("getProjects", () => {
  test("returns list items in request order; include adds versions in three forms", async () => {
    const [a, b] = [await makeProject(world, author), await makeProject(world, author)];
    for (let n = 0; n < 17; n++) {
      await makeVersion(world, author, a.id, { versionNumber: `1.0.${n}-X`, channel: n < 2 ? "beta" : "release" });
      clock.advance(1000);
    }
    const get = async (query: string) =>
      (await as.anyone.get(`/api/projects?ids=${b.id},${a.id},AAAAAAAA${query}`)).body;
    const plain = await get("");
    expect(plain.map((item: { id: string }) => item.id)).toEqual([b.id, a.id]);
    expect(plain[0]).toEqual({
      icon: null,
      id: b.id,
      slug: b.slug,
      name: "Sample project",
      summary: "A project for a test",
      type: ["mod"],
      downloads: 0,
      followers: 0,
      dateUpdated: expect.any(String),
      datePublished: expect.any(String),
      status: "approved",
      visibility: "listed",
      clientSide: "unknown",
      serverSide: "unknown",
      featuredCategories: [],
      categories: [],
      gameVersions: [],
      loaders: [],
      featured_gallery: null,
      color: expect.stringMatching(/^#/),
      author: author.userName,
      isOrgOwned: false,
    });
    expect((await get("&include=version-list"))[1].versions).toHaveLength(17);
    expect((await get("&include=version-list"))[1].versions[0]).toBe("1.0.16-X");
    expect((await get("&include=version-slug"))[1].versions[0]).toBe("1.0.16-x");
    const info = await get("&include=version-info");
    expect(info[0].versions).toEqual([]);
    expect(info[1].versions).toHaveLength(15);
    expect(info[1].versions[0]).toMatchObject({ versionNumber: "1.0.16-X", author: { role: "" } });
    expect((await get("&include=version-info&version-info-limit=3"))[1].versions).toHaveLength(3);
    expect((await get("&include=version-list&releaseChannel=beta-only"))[1].versions).toHaveLength(2);
    expect((await get("&include=version-slug&include=version-info"))[1].versions[0]).toMatchObject({ projectId: a.id });
    expect((await get("&include=other"))[1].versions).toBeUndefined();
  });

  test("accepts ids, slugs and old slugs; each project appears once, hidden ones never", async () => {
    const [a, b] = [await makeProject(world, author), await makeProject(world, author)];
    const hidden = await makeProject(world, author, { visibility: "private" });
    const newSlug = `renamed-${b.slug}`.slice(0, 60);
    expect(await as.user(author).patch(`/api/project/${b.id}`, { slug: newSlug })).toSucceed();
    const refs = [b.slug, a.slug.toUpperCase(), a.id, newSlug, hidden.slug, hidden.id, "no-such-project"];
    // The second time everything is in memory.
    for (let time = 1; time <= 2; time++) {
      const { body } = await as.anyone.get(`/api/projects?ids=${refs}`);
      expect(body.map((item: { id: string }) => item.id)).toEqual([b.id, a.id]);
    }
    const versions = await as.anyone.get(`/api/projects/versions?ids=${refs}`);
    expect(versions.body).toEqual({ [b.id]: [], [a.id]: [] });
  });

  test('"ids (string[], max 100)"; above any limit 400', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, n) => `id${n}`).join(",");
    expect(await as.anyone.get(`/api/projects?ids=${ids(100)}`)).toSucceed();
    for (const query of [
      "",
      "?ids=",
      `?ids=${ids(101)}`,
      "?ids=a&version-info-limit=0",
      "?ids=a&version-info-limit=101",
      "?ids=a&version-info-limit=x",
      "?ids=a&include=version-list&releaseChannel=nope",
    ])
      expect(await as.anyone.get(`/api/projects${query}`), query).toFail(400);
  });
});

describe("getRandomProjects", () => {
  test('"count (number, default 20, max 100)": only listed projects, without author and isOrgOwned', async () => {
    const alone = await testApp();
    const owner = await alone.make.user();
    for (let n = 0; n < 25; n++) await makeProject(alone, owner, { slug: uniqueName("random") });
    for (const visibility of ["unlisted", "private", "archived"] as const)
      await makeProject(alone, owner, { visibility });
    await makeProject(alone, owner, { status: "draft" });
    const get = async (query: string) => (await alone.as.anyone.get(`/api/projects/random${query}`)).body;
    expect(await get("")).toHaveLength(20);
    const all = await get("?count=100");
    expect(all).toHaveLength(25);
    expect("author" in all[0] || "isOrgOwned" in all[0]).toBe(false);
    expect(new Set(all.map((item: { visibility: string }) => item.visibility))).toEqual(new Set(["listed"]));
    // A few of many are drawn in memory.
    await hashIndexOf(alone.resources).settled();
    const drawn = new Set<string>();
    while (drawn.size < 25) {
      const few: string[] = (await get("?count=3")).map(({ id }: { id: string }) => id);
      expect(new Set(few).size).toBe(3);
      for (const id of few) drawn.add(id);
    }
    expect(drawn).toEqual(new Set(all.map(({ id }: { id: string }) => id)));
    for (const count of ["0", "101", "-1", "x", "1.5"])
      expect(await alone.as.anyone.get(`/api/projects/random?count=${count}`)).toFail(400);
    await alone.stop();
  });
});

describe("getHomePageCarousel", () => {
  test("lists 20 random projects and then trending ones, each once and only listed ones", async () => {
    const alone = await testApp();
    const owner = await alone.make.user();
    for (let n = 0; n < 35; n++) await makeProject(alone, owner, { slug: uniqueName("carousel") });
    for (const visibility of ["unlisted", "private"] as const) await makeProject(alone, owner, { visibility });
    const { body, headers } = await alone.as.anyone.get("/api/projects/home-page-carousel");
    const ids = body.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(20);
    expect(ids.length).toBeLessThanOrEqual(30);
    const trending = (await alone.as.anyone.get("/api/search?sortby=trending&limit=10")).body.hits;
    expect(ids).toEqual(expect.arrayContaining(trending.map(({ id }: { id: string }) => id)));
    expect(body[0]).toMatchObject({ author: owner.userName, visibility: "listed" });
    expect(headers.get("cache-control")).toBe("public, max-age=600");
    await alone.stop();
  });
});

describe("getProjectsVersions", () => {
  test("has a key for every visible id, an empty list if no version matches, and a limit per project", async () => {
    const [a, b, hidden] = [
      await makeProject(world, author),
      await makeProject(world, author),
      await makeProject(world, author, { status: "draft" }),
    ];
    for (const channel of ["release", "beta", "alpha"] as const) {
      await makeVersion(world, author, a.id, {
        channel,
        gameVersions: [channel === "beta" ? "0.4.9" : "0.4.8"],
        loaders: channel === "alpha" ? [] : ["quilt"],
      });
      clock.advance(1000);
    }
    const get = async (query: string) =>
      (await as.anyone.get(`/api/projects/versions?ids=${a.id},${b.id},${hidden.id},AAAAAAAA${query}`)).body;
    const channelsOf = async (query: string) =>
      (await get(query))[a.id].map((version: { releaseChannel: string }) => version.releaseChannel);
    expect(Object.keys(await get("&extra=key"))).toEqual([a.id, b.id]);
    expect((await get(""))[b.id]).toEqual([]);
    expect(await channelsOf("")).toEqual(["alpha", "beta", "release"]);
    // "beta returns beta and release", "beta-only returns only that channel"
    expect(await channelsOf("&releaseChannel=beta")).toEqual(["beta", "release"]);
    expect(await channelsOf("&releaseChannel=beta-only")).toEqual(["beta"]);
    expect(await channelsOf("&gameVersion=0.4.8")).toEqual(["alpha", "release"]);
    expect(await channelsOf("&gameVersion=0.4.8&loader=quilt")).toEqual(["release"]);
    expect(await channelsOf("&limit=1")).toEqual(["alpha"]);
    for (const query of ["&limit=0", "&limit=101", "&releaseChannel=x"])
      expect(await as.anyone.get(`/api/projects/versions?ids=${a.id}${query}`)).toFail(400);
    expect(await as.anyone.get("/api/projects/versions")).toFail(400);
  });
});

describe("getUserProjects and getOwnProjects", () => {
  test("are sorted by downloads; outsiders see projects that are listed, unlisted or archived", async () => {
    const owner = await make.user();
    const visible = [];
    for (const [index, visibility] of (["listed", "unlisted", "archived"] as const).entries()) {
      const project = await makeProject(world, owner, { visibility });
      await setProject(world, project.id, { downloads: index });
      visible.unshift(project.id);
    }
    const secret = await makeProject(world, owner, { visibility: "private" });
    const draft = await makeProject(world, owner, { status: "draft" });
    const ids = async (actor: typeof as.anyone, path: string) =>
      (await actor.get(path)).body.map((item: { id: string }) => item.id);
    for (const ref of [owner.id, owner.userName, owner.userName.toUpperCase()])
      expect(await ids(as.anyone, `/api/user/${ref}/projects`)).toEqual(visible);
    expect(new Set(await ids(as.user(owner), `/api/user/${owner.id}/projects`))).toEqual(
      new Set([...visible, secret.id, draft.id]),
    );
    expect((await ids(as.user(owner), "/api/project")).length).toBe(5);
    expect((await ids(as.user(owner), "/api/project?listedOnly=true")).length).toBe(2);
    expect(await as.anyone.get("/api/project")).toFail(401, "signInNeeded");
    expect(await as.anyone.get("/api/user/nobody-at-all/projects")).toFail(404, "userNotFound");
  });
});
