// Sitemaps: every public page once, nothing else, in parts of limited size.
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { write } from "#platform/changes/write.js";
import { allOf, parseXml, textOf } from "#test/callers/xml.js";
import { engine, siteUrl, testApp, uniqueName } from "#test/server/harness.js";
import { makeOrg, makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, clock, resources } = world;
const { db } = resources;
const tenMinutes = 10 * 60_000;

async function read(path: string) {
  const reply = await as.anyone.get(path);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.headers.get("content-type")).toBe("application/xml; charset=utf-8");
  return parseXml(reply.text);
}

const listSitemaps = async () => allOf(await read("/sitemap.xml"), "sitemap").map((each) => textOf(each, "loc"));
const pathOf = (url: string) => {
  expect(url.startsWith(`${siteUrl}/`)).toBe(true);
  return url.slice(siteUrl.length);
};

/** All links of all sitemaps, as a crawler finds them. */
async function crawl(): Promise<string[]> {
  const links: string[] = [];
  for (const url of await listSitemaps())
    for (const each of allOf(await read(pathOf(url)), "url")) links.push(pathOf(textOf(each, "loc")));
  return links;
}

const author = await make.user();
await make.user();
const suspended = await make.user();

describe("getSitemapIndex", () => {
  test("for an empty site lists only its own pages", async () => {
    expect(await listSitemaps()).toEqual([`${siteUrl}/sitemaps/pages-1.xml`]);
    expect(await crawl()).toEqual(expect.arrayContaining(["/", "/projects", "/mods", "/resource-packs", "/api/docs"]));
  });
});

describe("getFormerSitemap", () => {
  test("has the sitemaps at the URLs of the earlier service", async () => {
    for (const [former, present] of [
      ["sitemap.xml", "/sitemap.xml"],
      ["sitemap-nav.xml", "/sitemaps/pages-1.xml"],
      ["sitemap-pages-1.xml", "/sitemaps/pages-1.xml"],
    ])
      expect((await as.anyone.get(`/cdn/sitemap/${former}`)).text).toBe((await as.anyone.get(present!)).text);
    for (const path of ["/cdn/sitemap/nothing.xml", "/cdn/sitemap/constructor", "/cdn/sitemap/sitemap-projects-9.xml"])
      expect(await as.anyone.get(path)).toFail(404, "notFound");
  });
});

describe("getSitemap", () => {
  const org = { slug: "" };
  const project = { id: "", slug: "" };
  const version = { id: "", slug: "" };

  test("lists public projects, versions, authors, organizations and collections", async () => {
    Object.assign(org, await makeOrg(world, author));
    await makeOrg(world, author);
    Object.assign(project, await makeProject(world, author));
    const made = await makeVersion(world, author, project.id);
    Object.assign(version, { id: made.id, slug: made.versionNumber });
    await makeProject(world, author, { orgId: (org as { id?: string }).id! });
    for (const visibility of ["unlisted", "private"] as const) {
      const hidden = await makeProject(world, author, { visibility, slug: uniqueName("hidden") });
      await makeVersion(world, author, hidden.id);
    }
    const theirs = await makeProject(world, suspended, { visibility: "archived", slug: uniqueName("archived") });
    await db.updateTable("users").set({ date_suspended: 1 }).where("id", "=", suspended.id).execute();
    const collections = ["public", "unlisted", "private"].map((visibility) => ({
      ...{ id: uniqueName(visibility), user_id: author.id, name: "Mine", description: "", icon_id: null },
      ...{ visibility: visibility as "public", date_created: 0, date_updated: 0 },
    }));
    await db.insertInto("collections").values(collections).execute();
    clock.advance(tenMinutes);
    const links = await crawl();
    expect(new Set(links).size).toBe(links.length);
    expect(links).toEqual(
      expect.arrayContaining([
        `/project/${project.slug}`,
        `/project/${project.slug}/versions`,
        `/project/${project.slug}/changelog`,
        `/project/${project.slug}/version/${version.slug}`,
        `/project/${theirs.slug}`,
        `/user/${author.userName}`,
        `/organization/${org.slug}`,
        `/collection/${collections[0]!.id}`,
      ]),
    );
    expect(links.filter((link) => /hidden|unlisted|private/.test(link))).toEqual([]);
    expect(links.filter((link) => link.startsWith("/user/"))).toHaveLength(1);
    expect(links.filter((link) => link.startsWith("/organization/"))).toHaveLength(1);
  });

  test("says when a project last changed", async () => {
    const shown = (await as.anyone.get(`/api/project/${project.id}`)).body.project;
    const urls = allOf(await read("/sitemaps/projects-1.xml"), "url");
    const own = urls.find((each) => textOf(each, "loc").endsWith(project.slug))!;
    expect(textOf(own, "lastmod")).toBe(shown.dateUpdated);
  });

  test("immediately drops hidden, withdrawn or quarantined content", async () => {
    const hasVersion = async () => (await crawl()).includes(`/project/${project.slug}/version/${version.slug}`);
    const set = (change: { date_quarantined?: number | null; date_yanked?: number | null }) =>
      write(resources, {}, async (tx) => {
        await tx.db.updateTable("versions").set(change).where("id", "=", version.id).execute();
        tx.changed("project", project.id);
      });
    expect(await hasVersion()).toBe(true);
    for (const column of ["date_quarantined", "date_yanked"]) {
      await set({ [column]: 1 });
      expect(await hasVersion()).toBe(false);
      await set({ [column]: null });
      expect(await hasVersion()).toBe(true);
    }
    await setProject(world, project.id, { visibility: "private" });
    expect((await crawl()).filter((link) => link.includes(project.slug))).toEqual([]);
    await setProject(world, project.id, { visibility: "listed" });
    expect(await hasVersion()).toBe(true);
  });

  test("answers 304 to a client that has it, and 404 for other names", async () => {
    const reply = await as.anyone.get("/sitemaps/projects-1.xml");
    expect(reply.headers.get("cache-control")).toBe("public, max-age=600");
    const etag = reply.headers.get("etag")!;
    expect((await as.anyone.get("/sitemaps/projects-1.xml", { headers: { "if-none-match": etag } })).status).toBe(304);
    for (const file of [
      "projects-2.xml",
      "projects-0.xml",
      "projects-01.xml",
      "projects.xml",
      "pages-2.xml",
      "none-1.xml",
      "projects-1",
      "__proto__-1.xml",
      `projects-${"9".repeat(40)}.xml`,
    ])
      expect(await as.anyone.get(`/sitemaps/${file}`), file).toFail(404, "notFound");
  });

  test("is split into parts that contain everything once, even if most of it is not visible", async () => {
    const size = 15_000;
    const numbers =
      engine === "postgres"
        ? sql`generate_series(1, ${size}) as numbers(n)`
        : sql`(with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${size}) select n from numbers) as numbers`;
    await sql`insert into teams (id, kind, date_created) select 'Many' || n, 'project', 0 from ${numbers}`.execute(db);
    await sql`insert into projects (id, team_id, name, slug, summary, description, types, status, visibility, license_id,
        license_name, license_url, client_side, server_side, game_versions, loaders, downloads, followers, date_published, date_updated)
      select 'Many' || n, 'Many' || n, 'Many', 'many-' || n, 'Many', '', '["mod"]', 'approved',
        case when n % 3 = 0 then 'unlisted' else 'listed' end, '', '', '', 'unknown', 'unknown', '[]', '[]', 0, 0, 0, 0
      from ${numbers}`.execute(db);
    clock.advance(tenMinutes);
    await setProject(world, project.id, { visibility: "listed" });
    const sitemaps = await listSitemaps();
    expect(sitemaps.filter((url) => url.includes("/projects-"))).toHaveLength(3);
    const links = (await crawl()).filter((link) => /^\/project\/many-\d+$/.test(link));
    expect(links).toHaveLength(size * (2 / 3));
    expect(new Set(links).size).toBe(links.length);
    for (const url of sitemaps) expect(allOf(await read(pathOf(url)), "url").length).toBeLessThanOrEqual(25_000);
  });
});
