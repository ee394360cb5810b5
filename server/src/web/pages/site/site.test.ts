// The pages about the site itself, the texts of the operator, and files for programs.
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { legalNames } from "#operations/legal/texts.js";
import { cardIcon } from "#platform/images/card.js";
import { heading, location, readPage, submit, wrongWith } from "#test/callers/page-forms.js";
import { drawPicture } from "#test/files/pictures.js";
import { testApp } from "#test/server/harness.js";
import { makeOrg, makeProject, setProject } from "#test/worlds/content.js";

const world = await testApp();
const { as, make, resources } = world;
const admin = await make.user({ role: "admin" });
const moderator = await make.user({ role: "moderator" });
const german = as.anyone.with({ "accept-language": "de-AT,de;q=0.9" });

describe("getLegalPage", () => {
  test.each(legalNames)("shows a text for %s that says that it was not reviewed, in both languages", async (name) => {
    const page = await readPage(as.anyone, `/legal/${name}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain("Not reviewed by the operator");
    expect(page.text).toContain("noindex");
    expect((await readPage(german, `/legal/${name}`)).text).toContain("Vom Betreiber nicht geprüft");
  });

  test("does not exist under other names", async () => {
    expect((await readPage(as.anyone, "/legal/nonsense")).status).toBe(404);
  });
});

describe("getLegalEditPage and submitLegalText", () => {
  test("are for administrators", async () => {
    expect(location(await readPage(as.anyone, "/admin/legal"))).toContain("/auth/sign-in");
    expect((await readPage(as.user(moderator), "/admin/legal")).status).toBe(404);
    expect((await submit(as.user(moderator), "/admin/legal", { page: "rules", text: "Mine" })).status).toBe(404);
    expect((await readPage(as.user(admin), "/admin/legal?page=nonsense")).status).toBe(404);
    expect((await submit(as.user(admin), "/admin/legal", { page: "nonsense", text: "x" })).status).toBe(404);
  });

  test("show the Markdown on the page, sanitized, and restore the default when it is emptied", async () => {
    const text = "# Be kind\n\nAnd **honest**.\n\n<script>alert(1)</script>";
    const saved = await submit(as.user(admin), "/admin/legal", { page: "rules", text });
    expect([saved.status, location(saved)]).toEqual([303, "/legal/rules"]);
    const page = await readPage(as.anyone, "/legal/rules");
    expect(page.text).toContain("<strong>honest</strong>");
    expect(page.text).not.toContain("<script>alert");
    expect(page.text).not.toContain("Not reviewed");
    expect((await readPage(as.user(admin), "/admin/legal?page=rules")).text).toContain("Be kind");
    await submit(as.user(admin), "/admin/legal", { page: "rules", text: "  " });
    expect((await readPage(as.anyone, "/legal/rules")).text).toContain("Not reviewed");
  });

  test("show both texts to a user who would overwrite a newer change", async () => {
    const stampOn = (page: { text: string }) => /name="stamp" value="([^"]*)"/.exec(page.text)![1]!;
    const stamp = stampOn(await readPage(as.user(admin), "/admin/legal?page=privacy"));
    await submit(as.user(admin), "/admin/legal", { page: "privacy", text: "Saved by another", stamp });
    const clash = await submit(as.user(admin), "/admin/legal", { page: "privacy", text: "My own", stamp });
    expect(clash.status).toBe(409);
    for (const text of ["Someone else saved changes", "Saved by another", "My own"]) expect(clash.text).toContain(text);
    expect((await readPage(as.anyone, "/legal/privacy")).text).toContain("Saved by another");
    const knowing = { page: "privacy", text: "My own", stamp: stampOn(clash) };
    expect((await submit(as.user(admin), "/admin/legal", knowing)).status).toBe(303);
    expect((await readPage(as.anyone, "/legal/privacy")).text).toContain("My own");
  });

  test("give back a text that is too long", async () => {
    const text = `${"long ".repeat(14_000)}end of it`;
    const page = await submit(as.user(admin), "/admin/legal", { page: "terms", text });
    expect([page.status, Boolean(wrongWith(page, "text"))]).toEqual([400, true]);
    expect(page.text).toContain("end of it");
  });
});

test("getAboutPage shows version and figures", async () => {
  const about = await readPage(as.anyone, "/about");
  expect(heading(about)).toBe("About this site");
  expect(about.text).toMatch(/Modshelf \d+\.\d+/);
  expect((await readPage(german, "/about")).text).toContain("Über diese Website");
});

test.each([
  ["moveApiReference", "/docs/api", "/api/docs"],
  ["moveOpenApi", "/docs/openapi.json", "/api/docs/openapi.json"],
])("%s redirects from %s to %s", async (_id, from, to) => {
  const reply = await as.anyone.get(from);
  expect([reply.status, reply.headers.get("location")]).toEqual([301, to]);
  expect((await as.anyone.get(to)).status).toBe(200);
});

test("getFeedsPage names every feed, with one for the visitor's set-up", async () => {
  const page = await as.anyone.get("/feeds", { headers: { cookie: "setup=0.4.8|quilt" } });
  for (const path of ["/feeds/releases.atom", "/feeds/projects.json", "/collection/{id}/feed.atom"])
    expect(page.text).toContain(path);
  expect(page.text).toContain("/feeds/releases.json?v=0.4.8&amp;l=quilt");
  expect((await as.anyone.get("/feeds/releases.json?v=0.4.8&l=quilt")).status).toBe(200);
});

test("submitFeedKey creates the URL of the feed of followed projects, shows it once, and revokes it", async () => {
  const reader = await make.user();
  expect((await as.anyone.get("/feeds")).text).toContain("Sign in to get your feed");
  expect((await as.user(reader).get("/feeds")).text).toContain("Create feed URL");
  const made = await submit(as.user(reader), "/feeds/key", { act: "make" });
  expect([made.status, made.headers.get("cache-control")]).toEqual([200, "no-store"]);
  const [, key] = /following\.json\?key=(msc_\w+)/.exec(made.text)!;
  expect((await as.anyone.get(`/feeds/following.json?key=${key}`)).status).toBe(200);
  const page = await as.user(reader).get("/feeds");
  expect(page.text).toContain("You have a feed URL");
  expect(page.text).not.toContain(key!);
  expect((await submit(as.user(reader), "/feeds/key", { act: "remove" })).status).toBe(303);
  expect((await as.anyone.get(`/feeds/following.json?key=${key}`)).status).toBe(404);
  expect((await submit(as.anyone, "/feeds/key", { act: "make" })).status).toBe(401);
});

test("getFavicon redirects to the icon of the site", async () => {
  const reply = await as.anyone.get("/favicon.ico");
  expect(reply.status).toBe(302);
  expect((await as.anyone.get(reply.headers.get("location")!)).headers.get("content-type")).toBe("image/svg+xml");
});

test("getOpenSearch and getWebManifest describe the search and the site to browsers", async () => {
  const search = await as.anyone.get("/opensearch.xml");
  expect(search.headers.get("content-type")).toContain("application/opensearchdescription+xml");
  expect(search.text).toContain('template="http://modshelf.test/search?q={searchTerms}"');
  const manifest = await as.anyone.get("/site.webmanifest");
  const { icons, start_url } = JSON.parse(manifest.text);
  expect(start_url).toBe("/");
  expect((await as.anyone.get(icons[0].src)).status).toBe(200);
});

describe("getProjectCard", () => {
  test("draws a card with the project's own icon, and is not sent twice", async () => {
    const owner = await make.user();
    const project = await makeProject(world, owner, { name: "</text><b>", summary: "A long summary ".repeat(20) });
    const card = await as.anyone.get(`/og/project/${project.id}.png`);
    expect([card.status, card.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(await sharp(card.bytes).metadata()).toMatchObject({ format: "png", width: 1200, height: 630 });
    const etag = card.headers.get("etag")!;
    const again = await as.anyone.get(`/og/project/${project.id}.png`, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
    await as
      .user(owner)
      .form("PATCH", `/api/project/${project.slug}/icon`, { icon: await drawPicture({ color: "#ff0000" }) });
    const after = await as.anyone.get(`/og/project/${project.slug}.png`);
    expect(after.headers.get("etag")).not.toBe(etag);
    const [red, green, blue] = await sharp(after.bytes)
      .extract({ left: 160, top: 160, width: 1, height: 1 })
      .raw()
      .toBuffer();
    expect(red! > 200 && green! < 60 && blue! < 60).toBe(true);
  });

  test("is a 503 while too many are drawn, which does not prevent uploads of icons", async () => {
    const owner = await make.user();
    const project = await makeProject(world, owner);
    const icon = await drawPicture();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630"/>';
    const bytes = await icon.bytes();
    let isOver = false;
    // The maximum number that may be drawn or wait; each is followed by another at once.
    const done = Promise.all(
      Array.from({ length: 9 }, async () => {
        while (!isOver) await resources.images.card({ svg, icon: bytes, ...cardIcon });
      }),
    );
    const card = await as.anyone.get(`/og/project/${project.id}.png`);
    expect(card).toFail(503, "unavailable");
    expect(card.headers.get("retry-after")).toBe("5");
    const upload = await as.user(owner).form("PATCH", `/api/project/${project.slug}/icon`, { icon });
    expect(upload.status).toBe(200);
    isOver = true;
    await done;
    expect((await as.anyone.get(`/og/project/${project.id}.png`)).status).toBe(200);
  });

  test("is not found if the viewer may not see the project, and is not cached then", async () => {
    const owner = await make.user();
    const project = await makeProject(world, owner);
    await setProject(world, project.id, { visibility: "private" });
    expect(await as.anyone.get(`/og/project/${project.id}.png`)).toFail(404, "projectNotFound");
    const own = await as.user(owner).get(`/og/project/${project.id}.png`);
    expect([own.status, own.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
  });
});

describe("cards of people, organizations and collections", () => {
  test("getUserCard, getOrganizationCard and getCollectionCard draw only the cards of pages", async () => {
    const owner = await make.user();
    const org = await makeOrg(world, owner, { name: "Café </text>" });
    const { collectionId } = (await as.user(owner).post("/api/collections", { name: "Ключи 灯 مصباح" })).body;
    for (const [page, card] of [
      [`/user/${owner.userName}`, `/og/user/${owner.id}.png`],
      [`/organization/${org.slug}`, `/og/organization/${org.id}.png`],
      [`/collection/${collectionId}`, `/og/collection/${collectionId}.png`],
    ] as const) {
      expect((await as.anyone.get(page)).text, page).toContain(
        `property="og:image" content="http://modshelf.test${card}"`,
      );
      const drawn = await as.anyone.get(card);
      expect([drawn.status, drawn.headers.get("content-type")], card).toEqual([200, "image/png"]);
      expect(await sharp(drawn.bytes).metadata()).toMatchObject({ format: "png", width: 1200, height: 630 });
      expect(drawn.headers.get("cache-control")).toBe("public, max-age=300");
      const etag = drawn.headers.get("etag")!;
      expect((await as.anyone.get(card, { headers: { "if-none-match": etag } })).status).toBe(304);
    }
    expect(await as.anyone.get("/og/user/nobody-of-that-name.png")).toFail(404, "userNotFound");
    expect(await as.anyone.get("/og/organization/none-of-that-name.png")).toFail(404, "organizationNotFound");
    expect(await as.anyone.get("/og/collection/nothing.png")).toFail(404, "collectionNotFound");
  });

  test("are not found for a private collection, and are not cached then", async () => {
    const owner = await make.user();
    const { collectionId } = (await as.user(owner).post("/api/collections", { name: "Secret", visibility: "private" }))
      .body;
    expect(await as.anyone.get(`/og/collection/${collectionId}.png`)).toFail(404, "collectionNotFound");
    const own = await as.user(owner).get(`/og/collection/${collectionId}.png`);
    expect([own.status, own.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
  });
});

test("getStatusPage shows the state and waiting times, and fails with the service", async () => {
  const page = await readPage(as.anyone, "/status");
  expect(page.status).toBe(200);
  expect(page.text).toContain("All systems operational");
  expect(page.text).toContain("Projects waiting for review");
  const stopping = await testApp();
  stopping.resources.readiness.beginStopping();
  const trouble = await readPage(stopping.as.anyone, "/status");
  expect([trouble.status, trouble.text.includes("Some systems have problems")]).toEqual([503, true]);
});
