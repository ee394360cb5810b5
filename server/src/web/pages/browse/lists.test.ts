// The start page, project lists and the search, as a browser without script uses them.
import { describe, expect, test } from "vitest";
import { rebuildIndex } from "#discovery/search/rebuild.js";
import { drawPicture } from "#test/files/pictures.js";
import { testApp } from "#test/server/harness.js";
import { makeManyProjects, makeOrg, makeProject, setProject } from "#test/worlds/content.js";
import { listWorld } from "#test/worlds/list-world.js";
import { makeVersion } from "#test/worlds/versions.js";

const { world, author, publish, quilted, page, names } = await listWorld();
const { as, make } = world;
const hidden = await makeProject(world, author, { name: "Hidden thing", visibility: "unlisted" });

describe("getHomePage", () => {
  test("has a search field, a choice of set-up, and current projects", async () => {
    const reply = await page("/");
    expect(reply).toSucceed();
    expect(reply.text).toMatch(/<form class="site-search" action="\/search">/);
    expect(reply.text).toContain('action="/settings/setup"');
    // The site has four projects, so that one list is enough.
    expect(reply.text).toContain("<h2>Recently published</h2>");
    expect(names(reply)).toEqual(["Both", "Puzzling", "Quilted", "Shiny"]);
    expect(reply.text).not.toContain("Hidden thing");
    expect(reply.text).toContain('"SearchAction"');
  });

  test("shows what fits the visitor's set-up, a featured project with its picture, and figures of the site", async () => {
    const busy = await testApp();
    const owner = await busy.make.user();
    let last = "";
    for (const loader of ["quilt", "puzzle_loader"]) {
      const { slug, id } = await makeProject(busy, owner, { name: `${loader} lamp` });
      last = id;
      await makeVersion(busy, owner, id, { loaders: [loader], gameVersions: ["0.4.8"] });
      if (loader === "quilt") {
        const image = await drawPicture({ width: 640, height: 360 });
        const added = { image, title: "Dusk", featured: "true" };
        expect(await busy.as.user(owner).form("POST", `/api/project/${slug}/gallery`, added)).toSucceed();
      }
    }
    await rebuildIndex(busy.resources, { fromScratch: true });
    const home = async (cookie: string) =>
      (await busy.as.anyone.get("/", { headers: { accept: "text/html", cookie } })).text;
    const guest = await home("");
    expect(guest).not.toContain("For your setup");
    expect(guest).toMatch(
      /<section class="featured" aria-label="Featured"><img src="[^"]+" alt width="720".*quilt lamp<\/a>/,
    );
    expect(guest).toMatch(/<dt>Projects<\/dt><dd>\d+<\/dd>/);
    const fitting = /<h2>For your setup<\/h2>(.*?)<\/section>/s.exec(await home("setup=0.4.8|puzzle_loader"))![1]!;
    expect(fitting).toContain("puzzle_loader lamp");
    expect(fitting).not.toContain("quilt lamp");
    const org = await makeOrg(busy, owner, { name: "Lantern Works" });
    for (const name of ["Third", "Fourth", "Fifth"]) await makeProject(busy, owner, { name, orgId: org.id });
    expect(await home(""), "the name of the organization, not its slug").toMatch(
      /Third<\/a> <span class="project-card-by">by <bdi>Lantern Works<\/bdi>/,
    );
    const sections = async () =>
      [...(await home("")).matchAll(/<h2>([^<]*)<\/h2><a href="\/projects/g)].map(([, title]) => title);
    // A list with the same projects in the same order as another one would say nothing new.
    expect(await sections()).toEqual(["Trending", "Recently published"]);
    const [, setup, trending] = (await home("setup=0.4.8|quilt|puzzle_loader")).split(
      /<h2>(?:For your setup|Trending)</,
    );
    const rows = ["quilt lamp", "puzzle_loader lamp", "Third"].map((name) =>
      [setup, trending].map((row) => /^.*?<\/section>/s.exec(row!)![0].includes(`>${name}<`)),
    );
    expect(rows, "no project is in two rows").toEqual([
      [true, false],
      [true, false],
      [false, true],
    ]);
    await setProject(busy, last, { date_updated: busy.clock.now() + 60_000 });
    expect(await sections()).toEqual(["Trending", "Recently updated", "Recently published"]);
  });

  test("tells visitors of an empty site so, and its operator what to do", async () => {
    const empty = await testApp();
    const guest = await empty.as.anyone.get("/", { headers: { accept: "text/html" } });
    expect(guest.text).toContain("Nothing has been published yet");
    const admin = await empty.make.user({ role: "admin" });
    const operator = await empty.as.user(admin).get("/", { headers: { accept: "text/html" } });
    expect(operator.text).toContain("Set up this site");
    expect(operator.text).toContain('href="/admin/taxonomy"');
  });
});

describe("a list of one type", () => {
  test.each([
    ["getModsPage", "/mods", ["Both", "Puzzling", "Quilted"]],
    ["getShadersPage", "/shaders", ["Shiny"]],
    ["getModpacksPage", "/modpacks", []],
    ["getResourcePacksPage", "/resource-packs", []],
    ["getDatamodsPage", "/datamods", []],
    ["getPluginsPage", "/plugins", []],
    ["getWorldsPage", "/worlds", []],
    ["getProjectsPage", "/projects", ["Both", "Puzzling", "Quilted", "Shiny"]],
    ["getSearchPage", "/search", ["Both", "Puzzling", "Quilted", "Shiny"]],
  ])("%s shows its projects", async (_id, path, wanted) => {
    const reply = await page(path);
    expect(reply).toSucceed();
    expect(names(reply)).toEqual(wanted);
    if (wanted.length === 0) expect(reply.text).toContain("Nothing here yet");
    expect(reply.text).toContain(`<link rel="canonical"`);
  });
});

test("a list that is sorted by publication shows the dates of publication", async () => {
  const old = await publish("Old but updated", ["world"], [], ["0.4.8"]);
  const at = Date.UTC(2020, 0, 2);
  await setProject(world, old.id, { date_published: at });
  const isThere = async (path: string) => (await page(path)).text.includes('<time datetime="2020-01-02T');
  expect(await isThere("/worlds?sort=published")).toBe(true);
  expect(await isThere("/worlds?sort=updated")).toBe(false);
  expect(await isThere("/")).toBe(true);
});

describe("searching", () => {
  test("finds projects of all types, with the number of each", async () => {
    const reply = await page("/search?q=thing");
    expect(names(reply)).toEqual(["Both", "Puzzling", "Quilted", "Shiny"]);
    expect(reply.text).toMatch(/<a href="\/mods\?q=thing">Mods <span class="muted">3<\/span>/);
    expect(reply.text).toMatch(/<a href="\/shaders\?q=thing">Shaders <span class="muted">1<\/span>/);
    expect(reply.text).toContain('content="noindex"');
    expect(reply.text).toContain("Results for “thing”");
  });

  test("escapes hostile text", async () => {
    const reply = await page(`/search?q=${encodeURIComponent('"><img src=x onerror=alert(1)>')}`);
    expect(reply).toSucceed();
    expect(reply.text).not.toContain("<img src=x");
    for (const text of ["%F0%9F%98%80", "%E0%A4%B9", "a".repeat(500), "%20", "'; drop table projects; --", "%25_%25"])
      expect((await page(`/search?q=${text}`)).status, text).toBe(200);
  });

  test("finds users and organizations by their exact names", async () => {
    const org = await makeOrg(world, author, { name: "Named org" });
    expect((await page(`/search?q=${author.userName}`)).text).toContain(`href="/user/${author.userName}"`);
    expect((await page(`/search?q=${org.slug}`)).text).toContain(`href="/organization/${org.slug}"`);
    expect((await page("/search?q=thing")).text).not.toContain("Is it one of these");
  });
});

describe("pages of a list", () => {
  test("link to each other, and end with a 404 that leads back", async () => {
    const many = await testApp();
    const owner = await many.make.user();
    const like = await makeProject(many, owner, { name: "Many" });
    await makeManyProjects(many, like.id, 24);
    await rebuildIndex(many.resources, { fromScratch: true });
    const get = (path: string) => many.as.anyone.get(path, { headers: { accept: "text/html" } });
    const first = await get("/mods?n=10");
    expect(first.text).toContain("25 projects");
    expect(first.text).toContain('<link rel="next" href="/mods?n=10&amp;page=2"/>');
    const last = await get("/mods?n=10&page=3");
    expect(last).toSucceed();
    expect(last.text).toContain('aria-current="page">3</a>');
    const beyond = await get("/mods?n=10&page=4");
    expect(beyond.status).toBe(404);
    expect(beyond.text).toContain('href="/mods?n=10&amp;page=3"');
    expect(first.text, "three pages are a click away each").not.toContain('class="pagination-jump"');
    await makeManyProjects(many, like.id, 40);
    await rebuildIndex(many.resources, { fromScratch: true });
    const long = await get("/mods?n=10&sort=downloads&l=!void");
    const [, jump] = /<form class="pagination-jump" action="\/mods">(.*?)<\/form>/.exec(long.text)!;
    for (const field of ['name="l" value="!void"', 'name="sort" value="downloads"', 'name="n" value="10"', 'max="7"'])
      expect(jump).toContain(field);
    expect(await get("/mods?l=!void&sort=downloads&n=10&page=7")).toSucceed();
  });
});

describe("the view of a list", () => {
  const shown = (path: string, views = "") =>
    as.anyone.get(path, { headers: { accept: "text/html", cookie: `views=${views}` } });

  test("is the visitor's preference for each type, or that of the URL", async () => {
    expect((await shown("/mods")).text).toContain('<ul class="project-cards">');
    expect((await shown("/mods", "mod.list")).text).toContain('<ul class="project-cards roomy">');
    expect((await shown("/shaders", "mod.list")).text).toContain('<ul class="project-cards">');
    const tiles = await shown("/mods?view=gallery&l=quilt", "mod.list");
    expect(tiles.text).toContain('<ul class="project-cards tiles">');
    expect(tiles.text).toMatch(/value="gallery"[^>]*aria-pressed="true"/);
    expect(tiles.text, "the choice is no part of the address it leads to").toContain(
      'name="next" value="/mods?l=quilt"',
    );
  });
});

test("the navigation leads to the types that have projects, and marks the current one", async () => {
  const fresh = await testApp();
  const owner = await fresh.make.user();
  const get = async (path: string) => {
    const { text } = await fresh.as.anyone.get(path, { headers: { accept: "text/html" } });
    return /<nav class="site-nav"[^>]*>(.*?)<\/nav>/.exec(text)![1]!;
  };
  expect(await get("/about"), "on an empty shelf all of them").toContain('href="/worlds"');
  const { slug } = await makeProject(fresh, owner, { types: ["shader"] });
  fresh.clock.advance(61_000);
  const marked = (current: string) =>
    new RegExp(
      `^<a href="/shaders" aria-current="${current}"><svg class="icon violet"[^>]*><use [^>]*#contrast"></use></svg> Shaders</a>$`,
    );
  expect(await get("/shaders")).toMatch(marked("page"));
  expect(await get(`/project/${slug}`)).toMatch(marked("true"));
});

test("a card names the environment, and its tags lead to lists", async () => {
  const tags = async (path: string, name: string) =>
    new RegExp(`>${name} thing</a>.*?<p class="tags">(.*?)</p>`)
      .exec((await page(path)).text)![1]!
      .replaceAll(/<svg class="icon[^>]*><use href="[^"]*#(\w+)"><\/use><\/svg>/g, "($1)");
  expect(await tags("/shaders", "Shiny")).toBe(
    '<a href="/shaders" tabindex="-1">(contrast) Shader</a><span>(screen) Client</span>' +
      '<a href="/shaders?l=simply_shaders" tabindex="-1">(sun) Simply Shaders</a>',
  );
  expect(await tags("/mods", "Quilted")).not.toContain("<span>");
  for (const [clientSide, serverSide, shown] of [
    ["unsupported", "required", "(server) Server"],
    ["optional", "optional", "(network) Client and server"],
    ["required", "unknown", "(screen) Client"],
  ] as const) {
    await setProject(world, quilted.id, { client_side: clientSide, server_side: serverSide });
    expect(await tags("/mods", "Quilted"), shown).toContain(`<span>${shown}</span>`);
  }
});

test("unlisted projects are in no list, for any viewer", async () => {
  for (const actor of [as.anyone, as.user(author), as.user(await make.user({ role: "moderator" }))])
    for (const path of ["/", "/mods", "/projects", "/search?q=hidden"])
      expect((await page(path, { actor })).text, path).not.toContain(`/project/${hidden.slug}"`);
});
