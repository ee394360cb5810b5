// Stored pages of projects: the same as pages that are made at the request, and used only as long as they show the current state.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { preparedOf } from "#content/catalog/prepared-catalog.js";
import { liveIndexOf } from "#discovery/search/live-index.js";
import { write } from "#platform/changes/write.js";
import { plainCall } from "#test/callers/plain-call.js";
import { testApp } from "#test/server/harness.js";
import { makeProject, setProject, type TestProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { projectPages } from "#web/pages/project/ready-pages.js";
import { PageMaker } from "./page-maker.js";
import { encodePage } from "./stored-page.js";
import { storedPagesOf } from "./stored-pages.js";

const world = await testApp({ preparesInThread: true });
const { as, make, clock, resources } = world;
const pages = storedPagesOf(resources);
const maker = new PageMaker(resources, projectPages);
const owner = await make.user();
const mark = "made in the background";

const browser = { accept: "text/html", "accept-encoding": "gzip" };
async function open({ slug }: Pick<TestProject, "slug">, headers: Record<string, string> = {}) {
  const reply = await plainCall(world.origin, "GET", `/project/${slug}`, { ...browser, ...headers });
  const isPacked = reply.headers.get("content-encoding") === "gzip";
  return { ...reply, text: (isPacked ? gunzipSync(reply.bytes) : reply.bytes).toString() };
}

/** After a change of any setting, no page in memory is used. */
const forgetKept = () => write(resources, {}, async (tx) => tx.changed("setting", "nothing"));

/** Everything that pages need without waiting: prepared projects, the index, and the parts that all pages have. */
async function makeReady(): Promise<void> {
  const rows = await resources.db.selectFrom("projects").select("id").execute();
  await preparedOf(resources).load(rows.map(({ id }) => id));
  await liveIndexOf(resources).current();
  await as.anyone.get("/status", { headers: { accept: "text/html" } });
}

async function storeAll(): Promise<void> {
  await makeReady();
  await maker.lookThrough();
}

/** Replaces the content of the stored page, so that its use is seen. */
async function storeMarked({ id }: TestProject): Promise<void> {
  await storeAll();
  const text = (html: string) => ({ texts: [html], live: [] });
  const parts = { section: "mod", head: text("<head></head>"), content: text(mark) };
  pages.use((file) => file.put([{ projectId: id, ...encodePage(pages.originOf(id)!, parts) }]));
}

async function isStoredUsed(project: TestProject, headers?: Record<string, string>): Promise<boolean> {
  await forgetKept();
  await makeReady();
  return (await open(project, headers)).text.includes(mark);
}

const aProject = (name: string, options: Parameters<typeof makeProject>[2] = {}) =>
  makeProject(world, owner, { name, ...options });

describe("a stored page", () => {
  let project: TestProject;
  beforeEach(async () => {
    project = await aProject("Stored & kept", { description: "# Words\n\nOf 1234 <b>things</b>" });
    await makeVersion(world, owner, project.id, { versionNumber: "1.0.0" });
  });

  test("has the same text as one that is made at the request, in every encoding", async () => {
    const library = await aProject("Needed by it");
    const dependencies = [{ projectId: library.id, versionId: null, type: "required" as const }];
    await makeVersion(world, owner, project.id, { versionNumber: "2.0.0", dependencies });
    await setProject(world, project.id, { downloads: 12_345 });
    await makeReady();
    const made = await open(project);
    expect(made.text).toContain("Needed by it");
    await storeAll();
    await forgetKept();
    await makeReady();
    const stored = await open(project);
    expect(stored.text).toBe(made.text);
    expect(stored.headers.get("etag")).not.toBe(made.headers.get("etag"));
    expect((await open(project, { "if-none-match": stored.headers.get("etag")! })).status).toBe(304);
    for (const encoding of ["identity", "gzip, br"]) {
      await forgetKept();
      await makeReady();
      expect((await open(project, { "accept-encoding": encoding })).text, encoding).toBe(made.text);
    }
  });

  test("is used at once, and not by visitors with another language or a cookie", async () => {
    await storeMarked(project);
    expect(await isStoredUsed(project)).toBe(true);
    expect(await isStoredUsed(project, { "accept-language": "de" })).toBe(false);
    expect(await isStoredUsed(project, { cookie: "theme=dark" })).toBe(false);
  });

  test.each<[string, (project: TestProject) => Promise<unknown>]>([
    ["the project has changed", ({ id }) => setProject(world, id, { summary: "Another summary" })],
    ["it has a new version", ({ id }) => makeVersion(world, owner, id, { versionNumber: "3.0.0" })],
    ["its author has another project", () => aProject("By the same author")],
    [
      "a member has another name",
      () =>
        write(resources, {}, async (tx) => {
          const name = `renamed-${clock.now()}`;
          await tx.db.updateTable("users").set({ user_name: name }).where("id", "=", owner.id).execute();
          tx.changed("user", owner.id);
        }),
    ],
  ])("is not used any more when %s, until it is made again", async (_name, change) => {
    await storeMarked(project);
    expect(await isStoredUsed(project)).toBe(true);
    await change(project);
    expect(await isStoredUsed(project)).toBe(false);
    await storeMarked(project);
    expect(await isStoredUsed(project)).toBe(true);
  });

  test("is not used any more when a project that it shows is hidden, and goes with its own", async () => {
    const shown = await aProject("Soon hidden");
    // Only the most downloaded projects of an author are shown.
    await setProject(world, shown.id, { downloads: 999 });
    await storeMarked(project);
    expect(pages.originOf(project.id)!.tiles).toContain(shown.id);
    await setProject(world, shown.id, { visibility: "private" });
    expect(await isStoredUsed(project)).toBe(false);
    await setProject(world, project.id, { visibility: "private" });
    expect((await open(project)).status).toBe(404);
    await storeAll();
    expect(pages.originOf(project.id)).toBeUndefined();
  });

  test("is used while other projects change in a way that their tiles do not show", async () => {
    const library = await aProject("Shown as a tile");
    const dependencies = [{ projectId: library.id, versionId: null, type: "required" as const }];
    await makeVersion(world, owner, project.id, { versionNumber: "2.0.0", dependencies });
    await storeMarked(project);
    const before = pages.recordsOf([library.id]);
    await makeVersion(world, owner, library.id, { versionNumber: "1.0.0" });
    expect(await isStoredUsed(project)).toBe(true);
    expect(pages.recordsOf([library.id])).not.toBe(before);
    await maker.lookThrough();
    expect(await isStoredUsed(project)).toBe(true);
    await setProject(world, library.id, { name: "With another name" });
    expect(await isStoredUsed(project)).toBe(false);
  });

  test("is not used with another look of the site", async () => {
    await storeMarked(project);
    const { look } = resources.config;
    resources.config.look = { ...look, name: "Another shelf" };
    expect(await isStoredUsed(project)).toBe(false);
    resources.config.look = look;
    expect(await isStoredUsed(project)).toBe(true);
  });

  test("shows the figures and the times of the moment", async () => {
    await storeAll();
    const tags = new Set<string>();
    const figures = async () => {
      await forgetKept();
      await makeReady();
      const { text, headers } = await open(project);
      tags.add(headers.get("etag")!.slice(0, 10));
      return text;
    };
    preparedOf(resources).figuresChanged([{ projectId: project.id, downloads: 54_321, versions: [] }]);
    const many = await figures();
    for (const text of ["54,321 downloads", "54.3K downloads", '"userInteractionCount":54321'])
      expect(many).toContain(text);
    clock.advance(2 * 60 * 60_000);
    expect(await figures()).toContain("2 hours ago</time>");
    // Both came from the same stored page, whose tag begins like this.
    expect(tags.size).toBe(1);
    preparedOf(resources).figuresChanged([{ projectId: project.id, downloads: 1, versions: [] }]);
    expect(await figures()).toMatch(/title="1 download".* 1 download</s);
  });

  test("is made again after a week", async () => {
    await storeMarked(project);
    clock.advance(6 * 24 * 60 * 60_000);
    await storeAll();
    expect(await isStoredUsed(project)).toBe(true);
    clock.advance(2 * 24 * 60 * 60_000);
    await storeAll();
    expect(await isStoredUsed(project)).toBe(false);
  });

  test("cannot be made while the size of a picture is not known", async () => {
    const picture = await aProject("Pictured", { description: "![](https://pictures.test/one.png)" });
    await storeAll();
    expect(pages.originOf(picture.id)!.isEmpty).toBe(true);
    await forgetKept();
    await makeReady();
    expect((await open(picture)).text).toContain("Pictured");
  });

  test("cannot be confused by a text that looks like a gap", async () => {
    const tricky = await aProject("live-0-number- 1000000000000000", { description: "live--count- live-1-1-" });
    await storeAll();
    const { text } = await open(tricky);
    for (const part of ["live-0-number- 1000000000000000", "live--count- live-1-1-"]) expect(text).toContain(part);
  });
});

test("pages are made at the request if stored ones are damaged, and stored again", async () => {
  const project = await aProject("Damaged");
  await storeMarked(project);
  const damaged = Buffer.from("not a page, but long enough to be one");
  const origin = JSON.stringify(pages.originOf(project.id));
  for (const broken of [
    { origin, page: damaged },
    { origin: origin.slice(1), page: damaged },
  ]) {
    pages.use((file) => file.put([{ projectId: project.id, ...broken }]));
    expect(await isStoredUsed(project)).toBe(false);
    expect((await open(project)).text).toContain("Damaged");
    await storeMarked(project);
    expect(await isStoredUsed(project)).toBe(true);
  }

  pages.close();
  const path = join(preparedOf(resources).folder!, "pages.db");
  writeFileSync(path, "not a database, but a text that is long enough to be the head of one".repeat(50));
  await forgetKept();
  await makeReady();
  expect((await open(project)).text).toContain("Damaged");
  expect(existsSync(path)).toBe(false);
  // No page is made for a file that cannot be used.
  expect(pages.isUsable).toBe(false);
  const made = vi.spyOn(projectPages, "find");
  await maker.lookThrough();
  expect(made).not.toHaveBeenCalled();
  // As at the next start.
  pages.close();
  await storeMarked(project);
  expect(await isStoredUsed(project)).toBe(true);
});
