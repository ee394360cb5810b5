// updateProject and the routes for description, tags, links and license: every field, its limits, and what it changes.
import { describe, expect, test } from "vitest";
import { routes } from "#app.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { makeProject, type ProjectOptions } from "#test/worlds/content.js";
import { projectEditRoutes } from "./edit-routes.js";

const world = await testApp({ routes: [...new Set([...routes, ...projectEditRoutes])] });
const { as, make, resources } = world;
const author = await make.user();
const actor = as.user(author);

const makeOwn = (options?: ProjectOptions) => makeProject(world, author, options);
const read = async (ref: string) => (await actor.get(`/api/project/${ref}`)).body.project;
/** Sends a change to a new project. */
const sendTo = async (rest: string, body: object, options?: ProjectOptions) => {
  const project = await makeOwn(options);
  return { project, reply: await actor.patch(`/api/project/${project.id}${rest}`, body) };
};

describe("updateProject", () => {
  test("changes the given fields and leaves the others", async () => {
    const { id } = await makeOwn({ name: "Before", summary: "As it was" });
    const before = await read(id);
    expect((await actor.patch(`/api/project/${id}`, { name: "After" })).body).toEqual({
      success: true,
      message: expect.any(String),
      slug: before.slug,
    });
    expect(await read(id)).toEqual({ ...before, name: "After" });
    await actor.patch(`/api/project/${id}`, {});
    expect(await read(id)).toEqual({ ...before, name: "After" });
    const edit = { visibility: "unlisted", summary: "Anew", clientSide: "optional", serverSide: "required" };
    expect(await actor.patch(`/api/project/${id}`, edit)).toSucceed();
    expect(await read(id)).toEqual({ ...before, name: "After", ...edit });
  });

  test("accepts the form that existing clients send, and every form of ref", async () => {
    const { id, slug } = await makeOwn();
    const parts = {
      icon: "",
      name: "From a form",
      slug: `${slug}-2`,
      visibility: "archived",
      type: '["shader","resource-pack"]',
      clientSide: "unknown",
      serverSide: "unknown",
      summary: "Sent as a form",
    };
    const reply = await actor.form("PATCH", `/api/project/${slug.toUpperCase()}`, parts);
    expect(reply.body).toMatchObject({ success: true, slug: `${slug}-2` });
    expect(await read(id)).toMatchObject({
      name: "From a form",
      slug: `${slug}-2`,
      visibility: "archived",
      type: ["shader", "resource-pack"],
      clientSide: "required",
      serverSide: "unsupported",
      summary: "Sent as a form",
    });
  });

  test.each([
    { name: "" },
    { name: "x" },
    { name: " lamps" },
    { name: "a\tb" },
    { name: 7 },
    { summary: "" },
    { summary: "x".repeat(321) },
    { slug: "UPPER" },
    { slug: "a" },
    { slug: 7 },
    { visibility: "public" },
    { visibility: ["listed"] },
    { type: [] },
    { type: "spaceship" },
    { type: ["modpack", "mod"] },
    { type: '{"mod":1}' },
    { clientSide: "maybe" },
    { serverSide: 7 },
    { icon: 5 },
  ])("refuses %o and changes nothing", async (body) => {
    const { id } = await makeOwn();
    const before = await read(id);
    expect(await actor.patch(`/api/project/${id}`, { ...body, ...("name" in body ? {} : { name: "Changed" }) })).toFail(
      400,
    );
    expect(await read(id)).toEqual(before);
  });

  test("ignores fields that the caller may not set", async () => {
    const { id } = await makeOwn({ status: "draft" });
    const before = await read(id);
    const greedy = {
      id: "kX3vQ9aB",
      teamId: "other",
      orgId: "other",
      org_id: "other",
      status: "approved",
      requestedStatus: "approved",
      downloads: 9,
      followers: 9,
      color: "#ffffff",
      dateUpdated: "2030-01-01T00:00:00.000Z",
      gameVersions: ["0.1.0"],
      members: [],
      licenseId: "MIT-0",
      description: "by the wrong door",
    };
    expect(await actor.patch(`/api/project/${id}`, greedy)).toSucceed();
    expect(await read(id)).toEqual(before);
    expect(await actor.form("PATCH", `/api/project/${id}`, { status: "approved", downloads: "9" })).toSucceed();
    expect(await read(id)).toEqual(before);
  });

  test("a change of types removes categories that do not fit and recomputes the environments", async () => {
    const { id } = await makeOwn({ types: ["mod"] });
    const tags = { categories: ["magic", "bug-fix", "decoration"], featuredCategories: ["magic", "decoration"] };
    expect(await actor.patch(`/api/project/${id}/tags`, tags)).toSucceed();
    expect(await actor.patch(`/api/project/${id}`, { type: ["resource-pack"], serverSide: "optional" })).toSucceed();
    expect(await read(id)).toMatchObject({
      categories: ["decoration"],
      featuredCategories: ["decoration"],
      clientSide: "required",
      serverSide: "unsupported",
    });
    expect(await actor.patch(`/api/project/${id}`, { type: ["mod"], clientSide: "optional" })).toSucceed();
    expect(await read(id)).toMatchObject({ categories: ["decoration"], clientSide: "optional" });
  });

  test("audits renames and changes of visibility, and nothing else", async () => {
    const { id, slug } = await makeOwn();
    await actor.patch(`/api/project/${id}`, { name: "Quiet", visibility: "listed", slug });
    await actor.patch(`/api/project/${id}`, { visibility: "private", slug: `${slug}-x` });
    const rows = await resources.db
      .selectFrom("audit_log")
      .select(["action", "detail"])
      .where("object_id", "=", id)
      .orderBy("id")
      .execute();
    expect(rows.slice(1).map(({ action, detail }) => [action, JSON.parse(detail)])).toEqual([
      ["project.rename", { from: slug, to: `${slug}-x` }],
      ["project.visibility.set", { from: "listed", to: "private" }],
    ]);
  });
});

describe("updateProjectDescription", () => {
  test("stores markdown unchanged, up to its limit", async () => {
    const { id } = await makeOwn();
    const send = (description: unknown) => actor.patch(`/api/project/${id}/description`, { description });
    for (const text of ["# Lamps\r\n\n<b>bold</b> \u0009 [x](javascript:1)", "x".repeat(65_256), ""]) {
      expect(await send(text)).toSucceed();
      expect((await read(id)).description).toBe(text);
    }
    await send("words");
    for (const wrong of ["x".repeat(65_257), 5, ["words"], {}, "nul\u0000"]) expect(await send(wrong)).toFail(400);
    expect(await actor.patch(`/api/project/${id}/description`, {})).toSucceed();
    expect((await read(id)).description).toBe("words");
    expect(await send(null)).toSucceed();
    expect((await read(id)).description).toBe("");
  });
});

describe("updateProjectTags", () => {
  test("keeps tags that fit the types, and features only tags that are kept", async () => {
    const { project, reply } = await sendTo("/tags", {
      categories: ["magic", "cartoon", "magic", "utility"],
      featuredCategories: ["utility", "cartoon", "food"],
    });
    expect(reply.body).toMatchObject({ categories: ["magic", "utility"], featuredCategories: ["utility"] });
    expect(await read(project.id)).toMatchObject({ categories: ["magic", "utility"], featuredCategories: ["utility"] });
    expect(await actor.patch(`/api/project/${project.id}/tags`, { featuredCategories: ["magic"] })).toSucceed();
    expect(await read(project.id)).toMatchObject({ categories: ["magic", "utility"], featuredCategories: ["magic"] });
    expect(await actor.patch(`/api/project/${project.id}/tags`, { categories: ["food"] })).toSucceed();
    expect(await read(project.id)).toMatchObject({ categories: ["food"], featuredCategories: [] });
    expect(await actor.patch(`/api/project/${project.id}/tags`, { categories: [] })).toSucceed();
    expect((await read(project.id)).categories).toEqual([]);
  });

  test("names unknown tags and then changes nothing", async () => {
    const { project, reply } = await sendTo("/tags", { categories: ["magic", "Magic", "toString"] });
    expect(reply).toFail(400, "invalidRequest");
    expect(reply.body.issues.map(({ message }: { message: string }) => message)).toEqual([
      'the category "Magic" does not exist',
      'the category "toString" does not exist',
    ]);
    expect((await read(project.id)).categories).toEqual([]);
    const featured = await sendTo("/tags", { categories: ["magic"], featuredCategories: ["nonsense"] });
    expect(featured.reply.body.message).toContain("nonsense");
  });

  test.each([
    { featuredCategories: ["magic", "food", "utility", "social"] },
    { categories: "magic" },
    { categories: [null] },
    { categories: ["x".repeat(65)] },
    { categories: Array(201).fill("magic") },
    { categories: { 0: "magic" } },
  ])("refuses %o", async (body) => {
    expect((await sendTo("/tags", body)).reply).toFail(400);
  });
});

describe("updateProjectLinks", () => {
  test("accepts http and https URLs; null or an empty text removes one", async () => {
    const links = {
      issueTracker: "https://example.org/issues?open=1#top",
      sourceCode: "http://[::1]:8080/x",
      wikiPage: "HTTPS://example.org",
      discordServer: `https://example.org/${"x".repeat(236)}`,
    };
    const { project, reply } = await sendTo("/external-links", links);
    expect(reply.body).toMatchObject(links);
    await actor.patch(`/api/project/${project.id}/external-links`, { issueTracker: "", sourceCode: null });
    expect(await read(project.id)).toMatchObject({
      issueTrackerUrl: null,
      projectSourceUrl: null,
      projectWikiUrl: links.wikiPage,
      discordInviteUrl: links.discordServer,
    });
  });

  test("accepts up to four https donation links, replaced as a whole", async () => {
    const donationLinks = [
      { platform: "Ko-fi", url: "https://ko-fi.com/ada" },
      { platform: "寄付 ☕", url: "HTTPS://example.org/support?of=ada" },
    ];
    const { project, reply } = await sendTo("/external-links", { donationLinks });
    expect(reply.body).toMatchObject({ donationLinks, wikiPage: null });
    await actor.patch(`/api/project/${project.id}/external-links`, { wikiPage: "https://example.org" });
    expect(await read(project.id)).toMatchObject({ donationLinks, projectWikiUrl: "https://example.org" });
    await actor.patch(`/api/project/${project.id}/external-links`, { donationLinks: [] });
    expect((await read(project.id)).donationLinks).toEqual([]);
  });

  test.each<unknown>([
    [{ platform: "Ko-fi", url: "http://ko-fi.com/ada" }],
    [{ platform: "Ko-fi", url: "javascript:alert(1)" }],
    [{ platform: "Ko-fi", url: "https://ko-fi.com@evil.example/" }],
    [{ platform: "Ko-fi", url: "" }],
    [{ platform: "", url: "https://example.org" }],
    [{ platform: " ", url: "https://example.org" }],
    [{ platform: "a\u202eb", url: "https://example.org" }],
    [{ platform: "p".repeat(33), url: "https://example.org" }],
    [{ url: "https://example.org" }],
    Array.from({ length: 5 }, () => ({ platform: "Ko-fi", url: "https://example.org" })),
    { 0: { platform: "Ko-fi", url: "https://example.org" } },
    7,
  ])("refuses %j as donation links", async (donationLinks) => {
    expect((await sendTo("/external-links", { donationLinks })).reply).toFail(400, "invalidRequest");
  });

  test.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "ftp://example.org",
    "//example.org",
    "example.org",
    "https://",
    "https:/example.org",
    "https://example.org/a b",
    "https://example.org/\u0000",
    " https://example.org",
    "https://example.org\n",
    "https://github.com@evil.example",
    "https://user:secret@example.org",
    "http://[not-an-address",
    `https://example.org/${"x".repeat(237)}`,
    5,
    ["https://example.org"],
  ])("refuses %j and changes no other link", async (link) => {
    const { project, reply } = await sendTo("/external-links", { wikiPage: "https://fine.example", sourceCode: link });
    expect(reply).toFail(400);
    expect(await read(project.id)).toMatchObject({ projectWikiUrl: null, projectSourceUrl: null });
  });
});

describe("updateProjectLicense", () => {
  const present = async (id: string) => {
    const { licenseId, licenseName, licenseUrl } = await read(id);
    return [licenseId, licenseName, licenseUrl];
  };

  test("by its id stores the name and the URL too", async () => {
    const { project, reply } = await sendTo("/license", { id: "Apache-2.0" }, { license: "" });
    const url = "https://spdx.org/licenses/Apache-2.0.html";
    expect(reply.body).toMatchObject({ id: "Apache-2.0", name: "Apache License 2.0", url });
    expect(await present(project.id)).toEqual(["Apache-2.0", "Apache License 2.0", url]);
    const own = { id: "all-rights-reserved", name: "ignored", url: "https://example.org/terms" };
    expect(await actor.patch(`/api/project/${project.id}/license`, own)).toSucceed();
    expect(await present(project.id)).toEqual(["all-rights-reserved", expect.stringContaining("All Rights"), own.url]);
  });

  test("with a custom license needs a name and a URL", async () => {
    const { project, reply } = await sendTo("/license", { name: "Lamp licence", url: "https://example.org/l" });
    expect(reply).toSucceed();
    expect(await present(project.id)).toEqual(["", "Lamp licence", "https://example.org/l"]);
    expect(await actor.patch(`/api/project/${project.id}/license`, { name: "Lamp licence 2" })).toSucceed();
    expect(await present(project.id)).toEqual(["", "Lamp licence 2", "https://example.org/l"]);
    expect(
      await actor.patch(`/api/project/${project.id}/license`, { id: "", url: "https://example.org/2" }),
    ).toSucceed();
    expect(await present(project.id)).toEqual(["", "Lamp licence 2", "https://example.org/2"]);
  });

  test.each([
    {},
    { id: null, name: null, url: null },
    { id: "mit" },
    { id: "LGPL-3.0" },
    { id: "no-such-licence" },
    { id: "constructor" },
    { id: "x".repeat(65) },
    { id: "MIT", url: "javascript:1" },
    { name: "Lamp licence" },
    { name: "Lamp\nlicence", url: "https://example.org" },
    { name: "x".repeat(129), url: "https://example.org" },
    { name: "Lamp licence", url: `https://example.org/${"x".repeat(237)}` },
    { id: ["MIT"] },
  ])("refuses %o and keeps the current license", async (body) => {
    const { project, reply } = await sendTo("/license", body, { license: "Zlib" });
    expect(reply).toFail(400);
    expect((await present(project.id))[0]).toBe("Zlib");
  });

  test("refuses a URL alone if the project has no license", async () => {
    expect((await sendTo("/license", { url: "https://example.org" }, { license: "" })).reply).toFail(400);
  });
});

test("two users who change different fields of one project at the same time both succeed", async () => {
  const { id, slug } = await makeOwn();
  const path = `/api/project/${id}`;
  const replies = await Promise.all([
    actor.patch(path, { name: "By the first" }),
    actor.patch(path, { summary: "By the second" }),
    actor.patch(`${path}/tags`, { categories: ["magic"] }),
    actor.patch(`${path}/external-links`, { wikiPage: "https://example.org/w" }),
    actor.patch(`${path}/external-links`, { sourceCode: "https://example.org/s" }),
    actor.patch(path, { slug: uniqueName("renamed") }),
  ]);
  for (const reply of replies) expect(reply).toSucceed();
  expect(await read(slug)).toMatchObject({
    name: "By the first",
    summary: "By the second",
    categories: ["magic"],
    projectWikiUrl: "https://example.org/w",
    projectSourceUrl: "https://example.org/s",
  });
});
