// Following and saving from a project's page: real forms of real pages, with and without an account.
import { describe, expect, test } from "vitest";
import type { Actor, Reply } from "#test/callers/actors.js";
import { submit as submitForm } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";

const world = await testApp();
const { as, make } = world;
const owner = await make.user();
const project = await makeProject(world, owner, { name: "Followed" });
const path = `/project/${project.slug}`;

const submit = (actor: Actor, to: string, fields: Record<string, string> | [string, string][] = {}, cookie?: string) =>
  submitForm(actor.with(cookie === undefined ? {} : { cookie }), to, fields);
const page = (actor: Actor, to: string): Promise<Reply> => actor.get(to, { headers: { accept: "text/html" } });
const followOf = async (actor: Actor) => (await actor.get(`/api/project/${project.id}/follow`)).body;
const goesTo = ({ status, headers }: Reply) => [status, headers.get("location")];

describe("submitFollow and submitUnfollow", () => {
  test("follow with one click, show it, and unfollow with another", async () => {
    const user = as.user(await make.user());
    expect((await page(user, path)).text).toContain(`action="${path}/follow"`);
    expect(goesTo(await submit(user, `${path}/follow`))).toEqual([303, path]);
    expect(await followOf(user)).toMatchObject({ following: true, preferences: { mode: "default" } });
    const { text } = await page(user, path);
    expect(text).toContain("You follow this project.");
    expect(text).toContain(`action="${path}/unfollow"`);
    expect(goesTo(await submit(user, `${path}/unfollow`))).toEqual([303, path]);
    expect(await followOf(user)).toMatchObject({ following: false });
  });

  test("redirect back to the page of the button, and never to another site", async () => {
    const user = as.user(await make.user());
    const next = `${path}/versions?v=0.4.8`;
    expect((await page(user, next)).text).toContain(`name="next" value="${next}"`);
    expect(goesTo(await submit(user, `${path}/follow`, { next }))).toEqual([303, next]);
    expect(goesTo(await submit(user, `${path}/unfollow`, { next }))).toEqual([303, next]);
    for (const hostile of ["https://evil.example", "//evil.example", "/\\evil.example", "x".repeat(4000)])
      expect(goesTo(await submit(user, `${path}/follow`, { next: hostile }))).toEqual([303, path]);
  });

  test("do no harm if sent twice", async () => {
    const user = as.user(await make.user());
    const before = (await as.anyone.get(`/api/project/${project.id}`)).body.project.followers;
    const twice = await Promise.all([submit(user, `${path}/follow`), submit(user, `${path}/follow`)]);
    expect(twice.map(goesTo)).toEqual([
      [303, path],
      [303, path],
    ]);
    expect((await as.anyone.get(`/api/project/${project.id}`)).body.project.followers).toBe(before + 1);
    for (let time = 0; time < 2; time++) expect(goesTo(await submit(user, `${path}/unfollow`))).toEqual([303, path]);
  });

  test("keep the chosen updates, also after a second click on Follow", async () => {
    const account = await make.user();
    const user = as.user(account);
    const cookie = `auth-token=${account.sessionToken}; setup=0.4.8|puzzle_loader`;
    await submit(user, `${path}/follow`, { mode: "setup", channel: "beta" }, cookie);
    const chosen = {
      mode: "filtered",
      gameVersions: ["0.4.8"],
      loaders: ["puzzle_loader"],
      channels: ["release", "beta"],
    };
    expect((await followOf(user)).preferences).toEqual(chosen);
    await submit(user, `${path}/follow`);
    expect((await followOf(user)).preferences).toEqual(chosen);
    expect((await page(user, path)).text).toContain("0.4.8 · Puzzle Loader, Release and Beta");
    await submit(user, `${path}/follow`, { mode: "none" });
    expect((await followOf(user)).preferences.mode).toBe("none");
  });

  test("ignore unknown modes", async () => {
    const user = as.user(await make.user());
    expect(goesTo(await submit(user, `${path}/follow`, { mode: "loudly", channel: "gold" }))).toEqual([303, path]);
    expect((await followOf(user)).preferences.mode).toBe("default");
  });

  test("without a session say so, and change nothing", async () => {
    expect((await submit(as.anyone, `${path}/follow`)).status).toBe(401);
    expect((await submit(as.anyone, `${path}/unfollow`)).status).toBe(401);
  });

  test("are a 404 for a project that the user may not see", async () => {
    const hidden = await makeProject(world, owner, { visibility: "private" });
    const user = as.user(await make.user());
    for (const act of ["follow", "unfollow", "save"])
      expect((await submit(user, `/project/${hidden.slug}/${act}`)).status, act).toBe(404);
  });
});

describe("getFollowPage", () => {
  test("redirects guests to the sign-in page and back", async () => {
    expect((await page(as.anyone, path)).text).toContain(`href="${path}/follow"`);
    const reply = await page(as.anyone, `${path}/follow`);
    expect(goesTo(reply)).toEqual([303, `/auth/sign-in?next=${encodeURIComponent(`${path}/follow`)}`]);
  });

  test("shows the present choice", async () => {
    const user = as.user(await make.user());
    await submit(user, `${path}/follow`, { mode: "all" });
    const { text } = await page(user, `${path}/follow`);
    expect(text).toMatch(/value="all"[^>]*checked/);
    expect(text).not.toMatch(/value="setup"/);
  });
});

describe("getSavePage and submitSave", () => {
  const collectionsOf = async (
    actor: Actor,
  ): Promise<{ id: string; name: string; projects: string[]; visibility: string }[]> =>
    (await actor.get("/api/collections")).body;

  test("add a project to collections, existing and new, and remove it again", async () => {
    const user = as.user(await make.user());
    await user.post("/api/collections", { name: "Old one" });
    expect((await page(user, `${path}/save`)).text).toContain("Old one");
    const [old] = await collectionsOf(user);
    const reply = await submit(user, `${path}/save`, { in: old!.id, name: "New one", visibility: "unlisted" });
    expect(goesTo(reply)).toEqual([303, path]);
    const both = await collectionsOf(user);
    expect(both.map(({ name, projects }) => [name, projects]).sort()).toEqual([
      ["New one", [project.id]],
      ["Old one", [project.id]],
    ]);
    expect(both.find(({ name }) => name === "New one")!.visibility).toBe("unlisted");
    expect((await page(user, `${path}/save`)).text.match(/type="checkbox"[^>]*checked/g)).toHaveLength(2);
    await submit(user, `${path}/save`, { in: old!.id });
    expect((await collectionsOf(user)).filter(({ projects }) => projects.length > 0)).toHaveLength(1);
    await submit(user, `${path}/save`);
    expect((await collectionsOf(user)).every(({ projects }) => projects.length === 0)).toBe(true);
  });

  test("accept several ticked collections", async () => {
    const user = as.user(await make.user());
    for (const name of ["One", "Two"]) await user.post("/api/collections", { name: `Number ${name}` });
    const ids = (await collectionsOf(user)).map(({ id }) => id);
    await submit(
      user,
      `${path}/save`,
      ids.map((id) => ["in", id]),
    );
    expect((await collectionsOf(user)).every(({ projects }) => projects.includes(project.id))).toBe(true);
  });

  test("show an invalid name again, with what was ticked and typed", async () => {
    const user = as.user(await make.user());
    await user.post("/api/collections", { name: "Kept" });
    const [kept] = await collectionsOf(user);
    const reply = await submit(user, `${path}/save`, { in: kept!.id, name: "x", visibility: "public" });
    expect(reply.status).toBe(400);
    expect(reply.text).toContain('id="name-wrong"');
    expect(reply.text).toMatch(/name="name"[^>]*value="x"/);
    expect(reply.text).toMatch(new RegExp(`value="${kept!.id}"[^>]*checked`));
    expect(reply.text).toMatch(/value="public" selected/);
    expect((await collectionsOf(user))[0]!.projects).toEqual([]);
  });

  test("change no collection of another user", async () => {
    const other = as.user(await make.user());
    await other.post("/api/collections", { name: "Not yours" });
    const [foreign] = await collectionsOf(other);
    const user = as.user(await make.user());
    expect(goesTo(await submit(user, `${path}/save`, { in: foreign!.id }))).toEqual([303, path]);
    expect((await collectionsOf(other))[0]!.projects).toEqual([]);
  });

  test("need a session", async () => {
    expect((await page(as.anyone, `${path}/save`)).headers.get("location")).toMatch(/^\/auth\/sign-in/);
    const lost = await submit(as.anyone, `${path}/save`, { name: "My typed text" });
    expect(lost.status).toBe(401);
    expect(lost.text).toContain("My typed text");
  });
});
