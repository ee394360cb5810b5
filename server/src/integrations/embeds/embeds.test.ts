// oEmbed: how other sites show a link to a project, and that attackers cannot make them show anything else.
import { describe, expect, test } from "vitest";
import { siteUrl, testApp } from "#test/server/harness.js";
import { makeOrg, makeProject } from "#test/worlds/content.js";

const world = await testApp();
const { as, make } = world;
const author = await make.user();
const project = await makeProject(world, author, { name: `<img onerror="x">`, summary: "A & B </blockquote>" });
const ask = (url: string, more = "") => as.anyone.get(`/oembed?url=${encodeURIComponent(url)}${more}`);
const page = `${siteUrl}/project/${project.slug}`;

describe("getEmbed", () => {
  test("describes a project, with every text escaped", async () => {
    const reply = await ask(page);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body).toMatchObject({
      version: "1.0",
      type: "rich",
      title: `<img onerror="x">`,
      author_name: author.userName,
      author_url: `${siteUrl}/user/${author.userName}`,
      provider_url: siteUrl,
      width: 480,
      height: 128,
    });
    expect(reply.body.html).toBe(
      `<blockquote cite="${page}"><a href="${page}">&lt;img onerror=&quot;x&quot;&gt;</a><p>A &amp; B &lt;/blockquote&gt;</p></blockquote>`,
    );
    expect(reply.headers.get("etag")).toBeTruthy();
    expect(reply.headers.get("access-control-allow-origin")).toBe("*");
  });

  test.each(["versions", "version/1.0.0", "gallery?page=2#x", ""])("accepts the project's page %j", async (below) => {
    expect((await ask(`${page}/${below}`)).status).toBe(200);
    expect((await ask(`${siteUrl}/mod/${project.id}/${below}`)).status).toBe(200);
  });

  test("links to the page under its current name", async () => {
    expect((await ask(`${siteUrl}/project/${project.id}`)).body.html).toContain(`href="${page}"`);
  });

  test("names the organization that owns the project", async () => {
    const org = await makeOrg(world, author);
    const owned = await makeProject(world, author, { orgId: org.id });
    expect((await ask(`${siteUrl}/project/${owned.slug}`)).body.author_url).toBe(`${siteUrl}/organization/${org.slug}`);
  });

  test("respects maxwidth and maxheight", async () => {
    expect((await ask(page, "&maxwidth=100&maxheight=50")).body).toMatchObject({ width: 100, height: 50 });
    expect((await ask(page, "&maxwidth=5000")).body).toMatchObject({ width: 480, height: 128 });
    for (const query of ["maxwidth=0", "maxwidth=-1", "maxheight=wide", "maxwidth=1e99", "format=xml"])
      expect(await ask(page, `&${query}`), query).toFail(400, "invalidRequest");
  });

  test.each([
    "https://evil.example/project/x",
    `${siteUrl}.evil.example/project/x`,
    `${siteUrl}@evil.example/project/x`,
    siteUrl.replace("//", "//user:pass@"),
    siteUrl.replace("http:", "https:"),
    `${siteUrl}:81/project/x`,
    siteUrl,
    `${siteUrl}/`,
    `${siteUrl}/project`,
    `${siteUrl}/project/`,
    `${siteUrl}/project//${project.slug}`,
    `${siteUrl}/user/${author.userName}`,
    `${siteUrl}/__proto__/${project.slug}`,
    `${siteUrl}/project/%E0%A4%A`,
    `${siteUrl}/project/${"x".repeat(65)}`,
    `${siteUrl}/project/no-such-project`,
    "javascript:alert(1)",
    "//evil.example",
    "project/x",
    "not an address",
  ])("answers 404 for %s", async (url) => {
    expect(await ask(url)).toFail(404, "projectNotFound");
  });

  test("does not reveal hidden projects, and requires a URL", async () => {
    const secret = await makeProject(world, author, { visibility: "private" });
    expect(await ask(`${siteUrl}/project/${secret.slug}`)).toFail(404, "projectNotFound");
    expect(await as.anyone.get("/oembed")).toFail(400, "invalidRequest");
    expect(await ask(`${page}?${"x".repeat(2000)}`)).toFail(400, "invalidRequest");
  });
});
