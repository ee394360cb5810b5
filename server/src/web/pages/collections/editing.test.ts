// Creating and changing collections, and reporting, as a browser without script uses them.
import { describe, expect, test } from "vitest";
import { heading, location, readPage, submit, typed, wrongWith } from "#test/callers/page-forms.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make } = world;
const author = await make.user();
const reporter = await make.user();
const project = await makeProject(world, author, { name: "Lamps" });

const makeCollection = async (fields: Record<string, unknown> = {}): Promise<string> =>
  (await as.user(author).post("/api/collections", { name: "A collection", ...fields })).body.collectionId;

describe("getNewCollectionPage and submitNewCollection", () => {
  test("create a collection, with a project if one was given", async () => {
    expect(location(await readPage(as.anyone, "/collections/new"))).toContain("/auth/sign-in");
    expect((await readPage(as.user(author), `/collections/new?project=${project.slug}`)).text).toContain(project.slug);
    const fields = { name: "Things that glow", description: "", visibility: "unlisted", project: project.slug };
    const done = await submit(as.user(author), "/collections/new", fields);
    expect(done.status).toBe(303);
    const page = await readPage(as.user(author), location(done)!);
    expect(heading(page)).toBe("Things that glow");
    expect(page.text).toContain("Lamps");
  });

  test("show problems beside the field, with what was typed", async () => {
    const page = await submit(as.user(author), "/collections/new", { name: "x", visibility: "secret" });
    expect([page.status, typed(page, "name"), Boolean(wrongWith(page, "name"))]).toEqual([400, "x", true]);
    expect(wrongWith(page, "visibility")).toBeDefined();
  });
});

test("getCollectionEditPage and submitCollectionEdit change a collection, for its owner only", async () => {
  const id = await makeCollection();
  const path = `/collection/${id}/edit`;
  expect((await readPage(as.user(reporter), path)).status).toBe(403);
  expect(typed(await readPage(as.user(author), path), "name")).toBe("A collection");
  const fields = { name: "Other name", description: "Said so", visibility: "private" };
  expect((await submit(as.user(reporter), path, fields)).status).toBe(403);
  expect(location(await submit(as.user(author), path, fields))).toBe(`/collection/${id}`);
  expect((await as.anyone.get(`/collection/${id}`)).status).toBe(404);
  const bad = await submit(as.user(author), path, { ...fields, name: "x".repeat(60) });
  expect([bad.status, typed(bad, "name")]).toEqual([400, "x".repeat(60)]);
  expect((await submit(as.user(author), "/collection/follows/edit", fields)).status).toBe(409);
  expect((await readPage(as.user(author), "/collection/nothing-here/edit")).status).toBe(404);
});

test("addToCollection accepts a URL or a slug, removeFromCollection removes a project", async () => {
  const id = await makeCollection();
  const path = `/collection/${id}/projects`;
  const hidden = await makeProject(world, reporter, { visibility: "private" });
  const added = await submit(as.user(author), path, {
    project: `http://modshelf.test/project/${project.slug}/versions`,
  });
  expect(location(added)).toBe(`/collection/${id}/edit`);
  expect((await as.anyone.get(`/collection/${id}`)).text).toContain("Lamps");
  for (const unknown of [hidden.slug, uniqueName("none"), ""]) {
    const page = await submit(as.user(author), path, { project: unknown });
    expect([page.status, Boolean(wrongWith(page, "project"))]).toEqual([404, true]);
  }
  expect((await submit(as.user(reporter), path, { project: project.slug })).status).toBe(403);
  expect((await submit(as.user(author), `${path}/remove`, { project: project.id })).status).toBe(303);
  expect((await as.anyone.get(`/collection/${id}`)).text).not.toContain("Lamps");
});

test("getCollectionDeletePage asks for confirmation, submitCollectionDeletion deletes", async () => {
  const id = await makeCollection();
  expect((await readPage(as.user(author), `/collection/${id}/delete`)).text).toContain("<form");
  expect((await submit(as.user(reporter), `/collection/${id}/delete`)).status).toBe(403);
  expect((await submit(as.user(author), `/collection/${id}/delete`)).status).toBe(303);
  expect((await as.anyone.get(`/collection/${id}`)).status).toBe(404);
});

describe("getReportPage and submitReport", () => {
  const path = `/report?itemType=project&itemId=${project.id}`;

  test("keep the report's target through signing in", async () => {
    expect(location(await readPage(as.anyone, path))).toBe(`/auth/sign-in?next=${encodeURIComponent(path)}`);
  });

  test("refer bugs to the issue tracker and claims to the copyright page", async () => {
    await setProject(world, project.id, { issue_tracker_url: "https://bugs.example.org" });
    const page = await readPage(as.user(reporter), path);
    expect(heading(page)).toBe("Report Lamps");
    expect(page.text).toContain('href="https://bugs.example.org"');
    expect(page.text).toContain('href="/legal/copyright"');
  });

  test("ask for the target if it is missing or unknown", async () => {
    expect((await readPage(as.user(reporter), "/report")).text).toContain('name="itemType"');
    const unknown = await readPage(as.user(reporter), "/report?itemType=project&itemId=no-such-thing");
    expect([unknown.status, Boolean(wrongWith(unknown, "itemId"))]).toEqual([404, true]);
    const self = await readPage(as.user(reporter), `/report?itemType=user&itemId=${reporter.userName}`);
    expect(self.status).toBe(400);
    expect((await readPage(as.user(reporter), "/report?itemType=weather&itemId=rain")).status).toBe(404);
  });

  test("require a reason and a text, and keep what was typed", async () => {
    const fields = { itemType: "project", itemId: project.id, body: "It reads <passwords>" };
    const page = await submit(as.user(reporter), "/report", fields);
    expect([page.status, wrongWith(page, "reportType")]).toEqual([400, "Choose a reason"]);
    expect(page.text).toContain("It reads &lt;passwords>");
    const short = await submit(as.user(reporter), "/report", { ...fields, reportType: "spam", body: "short" });
    expect([short.status, Boolean(wrongWith(short, "body"))]).toEqual([400, true]);
    expect(short.text).toMatch(/value="spam"[^>]* checked|checked[^>]* value="spam"/);
    const signedOut = await submit(as.anyone, "/report", fields);
    expect([signedOut.status, signedOut.text.includes("It reads &lt;passwords>")]).toEqual([401, true]);
  });

  test("lead to the case; a second report leads to the open one", async () => {
    const fields = { itemType: "project", itemId: project.slug, reportType: "malicious", body: "It reads passwords" };
    const sent = await submit(as.user(reporter), "/report", fields);
    expect(sent.status).toBe(303);
    const [mine] = (await as.user(reporter).get("/api/report")).body;
    expect(location(sent)).toBe(`/dashboard/report/${mine.id}`);
    expect(mine).toMatchObject({ reportType: "malicious", itemId: project.id, body: "It reads passwords" });
    const again = await readPage(as.user(reporter), path);
    expect(again.text).toContain(`href="/dashboard/report/${mine.id}"`);
    expect(again.text).not.toContain("<textarea");
    expect(location(await submit(as.user(reporter), "/report", fields))).toBe(`/dashboard/report/${mine.id}`);
  });

  test("accept versions and users, and store where it was seen", async () => {
    const version = await makeVersion(world, author, project.id);
    const page = await readPage(as.user(reporter), `/report?itemType=version&itemId=${version.id}`);
    expect(heading(page)).toContain(version.versionNumber);
    const about = await readPage(
      as.user(reporter),
      `/report?itemType=user&itemId=${author.id}&about=${encodeURIComponent("/collection/abc")}`,
    );
    expect(about.text).toContain("About /collection/abc");
    const evil = await readPage(
      as.user(reporter),
      `/report?itemType=user&itemId=${author.id}&about=${encodeURIComponent("https://evil.example")}`,
    );
    expect(evil.text).not.toContain("evil.example\n");
  });
});
