// Feeds: their content, visibility, and that every reader can parse them.

import { describe, expect, test } from "vitest";
import { consumers } from "#operations/background/consumers.js";
import { catchUp } from "#platform/changes/consumer.js";
import { write } from "#platform/changes/write.js";
import { allOf, parseXml, textOf } from "#test/callers/xml.js";
import { siteUrl, testApp, uniqueName } from "#test/server/harness.js";
import { countStatements } from "#test/server/statement-count.js";
import { addMember, makeOrg, makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { createFeedKey, deleteFeedKey } from "./write.js";

const world = await testApp();
const { as, make, clock, resources } = world;
const author = await make.user();
clock.freeze();

interface Item {
  id: string;
  title: string;
  url: string;
  content_text: string;
  tags: string[];
  date_published: string;
  authors: { name: string; url: string }[];
  attachments: { url: string; mime_type: string; size_in_bytes: number }[];
}

async function readJson(path: string, actor = as.anyone): Promise<{ items: Item[]; [key: string]: unknown }> {
  const reply = await actor.get(path);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.headers.get("content-type")).toBe("application/feed+json; charset=utf-8");
  return JSON.parse(reply.text);
}

async function readAtom(path: string) {
  const reply = await as.anyone.get(path);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
  return parseXml(reply.text);
}

const idsOf = async (path: string, actor = as.anyone) =>
  (await readJson(path, actor)).items.map(({ id }) => id.split("/").pop());

/** Publishes a version one second after the last one, so that their order is defined. */
async function publish(projectId: string, options: Parameters<typeof makeVersion>[3] = {}) {
  clock.advance(1000);
  return makeVersion(world, author, projectId, options);
}

async function makeCollection(visibility: "public" | "unlisted" | "private", projectIds: string[]): Promise<string> {
  const id = uniqueName("Col");
  await write(resources, {}, async (tx) => {
    const dates = { date_created: tx.now, date_updated: tx.now };
    await tx.db
      .insertInto("collections")
      .values({ id, user_id: author.id, name: "Mine & <yours>", description: "", visibility, icon_id: null, ...dates })
      .execute();
    for (const project_id of projectIds)
      await tx.db
        .insertInto("collection_projects")
        .values({ collection_id: id, project_id, date_added: tx.now })
        .execute();
    tx.changed("collection", id);
  });
  return id;
}

const org = await makeOrg(world, author);
const project = await makeProject(world, author, { name: 'A <b> & "c"', summary: "Sum\u0001mary" });
const release = await publish(project.id, {
  title: "First ]]> release",
  changelog: "# Tom & Jerry <script>\u0000\u0008\ud800</content>".replace("\0", ""),
  gameVersions: ["0.4.8"],
  loaders: ["quilt"],
});
const beta = await publish(project.id, { channel: "beta", gameVersions: ["0.4.9"], loaders: ["puzzle_loader"] });
const orgProject = await makeProject(world, author, { orgId: org.id });
const orgVersion = await publish(orgProject.id, {
  channel: "alpha",
  gameVersions: ["0.4.8"],
  loaders: ["puzzle_loader"],
});
const collection = await makeCollection("public", [project.id, orgProject.id]);

/** Every feed, with the ids of its versions, newest first. */
const feeds = [
  { name: "getReleaseFeed", path: "/feeds/releases", ids: [orgVersion.id, beta.id, release.id] },
  { name: "getProjectsFeed", path: "/feeds/projects", ids: [orgProject.id, project.id] },
  { name: "getProjectFeed", path: `/project/${project.slug}/feed`, ids: [beta.id, release.id] },
  { name: "getUserFeed", path: `/user/${author.userName}/feed`, ids: [beta.id, release.id] },
  { name: "getOrganizationFeed", path: `/organization/${org.slug}/feed`, ids: [orgVersion.id] },
  { name: "getCollectionFeed", path: `/collection/${collection}/feed`, ids: [orgVersion.id, beta.id, release.id] },
];

test("getAllFeed lists new projects and new versions together, newest first", async () => {
  const ids = await idsOf("/feeds/all.json");
  expect(ids.toSorted()).toEqual([orgVersion.id, beta.id, release.id, orgProject.id, project.id].toSorted());
  const { items } = await readJson("/feeds/all.json");
  const times = items.map((item) => item.date_published);
  expect(times).toEqual(times.toSorted().reverse());
  expect((await as.anyone.get("/feeds/all.rss")).status).toBe(404);
});

describe("getFollowingFeed", () => {
  test("lists versions of the projects that its owner follows, with a key that gives no other access and can be replaced", async () => {
    const reader = await make.user();
    await as.user(reader).post(`/api/project/${project.slug}/follow`);
    const makeKey = () => write(world.resources, { credential: "test" }, (tx) => createFeedKey(tx, reader.id));
    const key = await makeKey();
    expect(await idsOf(`/feeds/following.json?key=${key}`)).toEqual([beta.id, release.id]);
    expect(await idsOf(`/feeds/following.json?key=${key}&ch=release`)).toEqual([release.id]);
    const reply = await as.anyone.get(`/feeds/following.atom?key=${key}`);
    expect(reply.headers.get("cache-control")).toBe("private, no-store");
    expect(reply.text).toContain(`key=${key}`);
    expect(await as.anyone.get("/api/user", { headers: { authorization: key } })).toFail(401);
    expect(await as.anyone.get(`/feeds/following.atom?key=${reader.sessionToken}`)).toFail(404, "notFound");
    const second = await makeKey();
    expect(await as.anyone.get(`/feeds/following.atom?key=${key}`)).toFail(404, "notFound");
    expect(await idsOf(`/feeds/following.json?key=${second}`)).toHaveLength(2);
    await write(world.resources, { credential: "test" }, (tx) => deleteFeedKey(tx, reader.id));
    expect(await as.anyone.get(`/feeds/following.json?key=${second}`)).toFail(404, "notFound");
  });

  test("needs an issued key, and is not available for suspended users", async () => {
    for (const key of ["x", "msc_", `msc_${"a".repeat(49)}`, "%27"])
      expect(await as.anyone.get(`/feeds/following.atom?key=${key}`), key).toFail(404, "notFound");
    expect((await as.anyone.get("/feeds/following.atom")).status).toBe(400);
    const reader = await make.user();
    const key = await write(world.resources, { credential: "test" }, (tx) => createFeedKey(tx, reader.id));
    await world.resources.db.updateTable("users").set({ date_suspended: 1 }).where("id", "=", reader.id).execute();
    expect(await as.anyone.get(`/feeds/following.atom?key=${key}`)).toFail(404, "notFound");
  });
});

describe.each(feeds)("$name", ({ path, ids }) => {
  test("lists the newest first, with the same entries in both formats", async () => {
    expect(await idsOf(`${path}.json`)).toEqual(ids);
    const entries = allOf(await readAtom(`${path}.atom`), "entry");
    expect(entries.map((entry) => textOf(entry, "id").split("/").pop())).toEqual(ids);
    const { items } = await readJson(`${path}.json`);
    expect(entries.map((entry) => textOf(entry, "id"))).toEqual(items.map(({ id }) => id));
    expect(entries.map((entry) => textOf(entry, "updated"))).toEqual(items.map((item) => item.date_published));
  });

  test("describes itself, with absolute URLs that lead back to it", async () => {
    const atom = await readAtom(`${path}.atom`);
    expect(atom.attributes.xmlns).toBe("http://www.w3.org/2005/Atom");
    expect(textOf(atom, "id")).toMatch(/^tag:modshelf\.test,2026:\w+\/[\w-]+$/);
    expect(textOf(atom, "updated")).toBe(textOf(allOf(atom, "entry")[0]!, "updated"));
    const links = allOf(atom, "link").map(({ attributes }) => attributes);
    expect(links[0]).toMatchObject({ rel: "self", href: `${siteUrl}${path}.atom` });
    expect(links.every(({ href }) => href!.startsWith(`${siteUrl}`))).toBe(true);
    const json = await readJson(`${path}.json`);
    expect(json).toMatchObject({ version: "https://jsonfeed.org/version/1.1", feed_url: `${siteUrl}${path}.json` });
    expect(json.items.every(({ url }) => url.startsWith(`${siteUrl}/project/`))).toBe(true);
  });

  test("is not sent again to a client that has it, and answers HEAD", async () => {
    for (const format of ["atom", "json"]) {
      const first = await as.anyone.get(`${path}.${format}`);
      const etag = first.headers.get("etag")!;
      const again = await as.anyone.get(`${path}.${format}`, { headers: { "if-none-match": etag } });
      expect([again.status, again.text]).toEqual([304, ""]);
      const head = await as.anyone.head(`${path}.${format}`);
      expect([head.status, head.headers.get("etag"), head.text]).toEqual([200, etag, ""]);
      expect(first.headers.get("access-control-allow-origin")).toBe("*");
    }
  });

  test("exists in two formats, and accepts only valid filters", async () => {
    for (const format of ["rss", "xml", "ATOM", "json.gz"])
      expect(await as.anyone.get(`${path}.${format}`)).toFail(404, "notFound");
    expect(await as.anyone.get(`${path}.json?releaseChannel=nightly`)).toFail(400, "invalidRequest");
    expect(await as.anyone.get(`${path}.json?ch=${"x".repeat(65)}`)).toFail(400, "invalidRequest");
    expect(await idsOf(`${path}.json?gameVersion=${encodeURIComponent("';--<&\u0001")}`)).toEqual([]);
    expect((await as.anyone.post(`${path}.json`)).status).toBe(405);
  });
});

describe("an entry", () => {
  test("has all the data that feed readers and bots need", async () => {
    const { items } = await readJson(`/project/${project.id}/feed.json`);
    expect(items[1]).toMatchObject({
      id: `tag:modshelf.test,2026:version/${release.id}`,
      url: `${siteUrl}/project/${project.slug}/version/${release.versionNumber}`,
      title: `A <b> & "c" ${release.versionNumber}: First ]]> release`,
      authors: [{ name: author.userName, url: `${siteUrl}/user/${author.userName}` }],
      tags: ["release", "quilt", "0.4.8"],
    });
    const [file] = items[1]!.attachments;
    expect(file).toMatchObject({ mime_type: "application/java-archive", size_in_bytes: 64 });
    expect((await as.anyone.get(file!.url.slice(siteUrl.length))).bytes).toEqual(release.bytes);
  });

  test("escapes markup and removes control characters in users' texts", async () => {
    const entry = allOf(await readAtom(`/project/${project.id}/feed.atom`), "entry")[1]!;
    expect(textOf(entry, "title")).toBe(`A <b> & "c" ${release.versionNumber}: First ]]> release`);
    expect(textOf(entry, "content")).toMatch(/^# Tom & Jerry <script>.*<\/content>$/);
    const link = allOf(entry, "link").find(({ attributes }) => attributes.rel === "enclosure")!;
    expect(link.attributes).toMatchObject({ type: "application/java-archive", length: "64" });
  });

  test("contains the beginning of a long changelog", async () => {
    const long = await makeProject(world, author, { visibility: "unlisted" });
    await publish(long.id, { changelog: "word ".repeat(10_000) });
    const { items } = await readJson(`/project/${long.id}/feed.json`);
    expect(items[0]!.content_text.length).toBeLessThanOrEqual(4001);
    expect(items[0]!.content_text.endsWith("…")).toBe(true);
  });
});

describe("a filter", () => {
  test.each([
    ["loader=puzzle_loader", [orgVersion.id, beta.id]],
    ["l=quilt", [release.id]],
    ["gameVersion=0.4.8", [orgVersion.id, release.id]],
    ["v=0.4.8&l=puzzle_loader", [orgVersion.id]],
    ["v=0.4.9&l=quilt", []],
    ["releaseChannel=beta", [beta.id, release.id]],
    ["ch=beta-only", [beta.id]],
    ["releaseChannel=", [orgVersion.id, beta.id, release.id]],
  ])("%s selects by one version", async (query, ids) => {
    expect(await idsOf(`/collection/${collection}/feed.json?${query}`)).toEqual(ids);
    expect((await idsOf(`/feeds/releases.json?${query}`)).filter((id) => ids.includes(id!))).toEqual(ids);
  });

  test("is part of the feed's own URL", async () => {
    const atom = await readAtom(`/project/${project.slug}/feed.atom?v=0.4.8&l=a%26b`);
    expect(allOf(atom, "link")[0]!.attributes.href).toBe(
      `${siteUrl}/project/${project.slug}/feed.atom?gameVersion=0.4.8&loader=a%26b`,
    );
  });

  test("on new projects finds those with a matching version", async () => {
    expect(await idsOf("/feeds/projects.json?l=quilt")).toContain(project.id);
    expect(await idsOf("/feeds/projects.json?l=quilt")).not.toContain(orgProject.id);
  });
});

describe("content that is not public", () => {
  const everywhere = async (versionId: string): Promise<string[]> => {
    const found: string[] = [];
    for (const { name, path } of feeds) {
      const reply = await as.anyone.get(`${path}.json`);
      if (reply.text.includes(versionId)) found.push(name);
    }
    return found;
  };
  const all = ["getReleaseFeed", "getProjectFeed", "getUserFeed", "getCollectionFeed"];
  const setVersion = (id: string, change: { date_yanked?: number | null; date_quarantined?: number | null }) =>
    write(resources, {}, async (tx) => {
      await tx.db.updateTable("versions").set(change).where("id", "=", id).execute();
      tx.changed("project", project.id);
    });

  test.each(["date_yanked", "date_quarantined"] as const)("a version with %s is in no feed", async (column) => {
    expect(await everywhere(beta.id)).toEqual(all);
    await setVersion(beta.id, { [column]: 1 });
    expect(await everywhere(beta.id)).toEqual([]);
    expect(await idsOf("/feeds/projects.json?l=puzzle_loader")).not.toContain(project.id);
    await setVersion(beta.id, { [column]: null });
    expect(await everywhere(beta.id)).toEqual(all);
  });

  test.each([
    ["unlisted", "approved", ["getProjectFeed"]],
    ["archived", "approved", all],
    ["private", "approved", []],
    ["listed", "processing", []],
    ["listed", "withheld", []],
  ] as const)("a project that is %s and %s", async (visibility, status, expected) => {
    await setProject(world, project.id, { visibility, status });
    expect(await everywhere(beta.id)).toEqual(expected);
    const isListed = (expected as readonly string[]).includes("getReleaseFeed");
    expect((await idsOf("/feeds/projects.json")).includes(project.id)).toBe(isListed);
    await setProject(world, project.id, { visibility: "listed", status: "approved" });
  });

  test("members can read the feed of a private project, other callers cannot", async () => {
    const secret = await makeProject(world, author, { visibility: "private" });
    const version = await publish(secret.id);
    const [member, invitee] = [await make.user(), await make.user()];
    await addMember(world, secret.teamId, member);
    await addMember(world, secret.teamId, invitee, { accepted: false });
    expect(await idsOf(`/project/${secret.id}/feed.json`, as.user(member))).toEqual([version.id]);
    const shown = await as.user(member).get(`/project/${secret.id}/feed.json`);
    expect(shown.headers.get("cache-control")).toBe("private, no-cache");
    for (const actor of [as.anyone, as.user(invitee)])
      expect(await actor.get(`/project/${secret.id}/feed.json`)).toFail(404, "projectNotFound");
    for (const { path } of feeds) expect((await as.user(member).get(`${path}.json`)).text).not.toContain(version.id);
  });

  test("an unlisted collection is readable for callers who have its URL, a private one for its owner", async () => {
    const unlisted = await makeCollection("unlisted", [project.id]);
    const secret = await makeCollection("private", [project.id]);
    expect(await idsOf(`/collection/${unlisted}/feed.json`)).toContain(release.id);
    expect(await idsOf(`/collection/${secret}/feed.json`, as.user(author))).toContain(release.id);
    const moderator = await make.user({ role: "moderator" });
    for (const actor of [as.anyone, as.user(moderator)])
      expect(await actor.get(`/collection/${secret}/feed.json`)).toFail(404, "collectionNotFound");
    expect(await as.anyone.get("/collection/follows/feed.json")).toFail(404, "collectionNotFound");
  });

  test("the feed of a missing object gets the same refusal as any missing object", async () => {
    expect(await as.anyone.get("/user/nobody-at-all/feed.atom")).toFail(404, "userNotFound");
    expect(await as.anyone.get("/organization/none/feed.atom")).toFail(404, "organizationNotFound");
  });
});

describe("a long history", () => {
  test("has fifty entries, with as many statements as for one", async () => {
    const busy = await makeProject(world, author, { visibility: "unlisted" });
    const cost = (path: string) => countStatements(resources.db, () => as.anyone.get(path));
    const least = async (path: string) => Math.min(await cost(path), await cost(path), await cost(path));
    // Otherwise the statements of what follows from the publications are counted too.
    const settle = async () => {
      for (const consumer of consumers) await catchUp(resources, consumer);
    };
    const before: number[] = [];
    const paths = [
      `/project/${busy.id}/feed.atom`,
      "/feeds/releases.json",
      "/feeds/projects.json?v=0.4.8",
      `/collection/${collection}/feed.atom`,
    ];
    await publish(busy.id);
    await settle();
    for (const path of paths) before.push(await least(path));
    for (let n = 0; n < 60; n++) await publish(busy.id);
    const { items } = await readJson(`/project/${busy.id}/feed.json`);
    expect(items).toHaveLength(50);
    expect(items.map((item) => item.date_published)).toEqual(
      items
        .map((item) => item.date_published)
        .toSorted()
        .reverse(),
    );
    await settle();
    const after: number[] = [];
    for (const path of paths) after.push(await least(path));
    expect(after).toEqual(before);
  });

  test("without entries is a valid feed, and stays the same", async () => {
    const empty = await makeProject(world, author, { visibility: "unlisted" });
    const atom = await readAtom(`/project/${empty.id}/feed.atom`);
    expect(allOf(atom, "entry")).toEqual([]);
    const { project: shown } = (await as.anyone.get(`/api/project/${empty.id}`)).body;
    expect(textOf(atom, "updated")).toBe(shown.datePublished);
  });
});
