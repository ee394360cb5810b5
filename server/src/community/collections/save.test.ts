// Saving a project with one click, through the forms of its page.
import { describe, expect, test } from "vitest";
import type { Actor, Reply } from "#test/callers/actors.js";
import { readPage as page, submit } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { countStatements } from "#test/server/statement-count.js";
import { makeProject } from "#test/worlds/content.js";

const world = await testApp();
const { as, make } = world;
const owner = await make.user();
const project = await makeProject(world, owner);
const path = `/project/${project.slug}`;

const goesTo = ({ status, headers }: Reply) => [status, headers.get("location")];
const collectionsOf = async (
  actor: Actor,
): Promise<{ id: string; name: string; projects: string[]; visibility: string }[]> =>
  (await actor.get("/api/collections")).body;

describe("submitSave with one click", () => {
  const click = (actor: Actor, fields: Record<string, string>, to = path) => submit(actor, `${to}/save`, fields);
  const namesOf = async (actor: Actor) =>
    (await collectionsOf(actor)).map(({ name, projects, visibility }) => [name, visibility, projects]).sort();

  test("save to a private collection that the first click creates, return to the page, and remove again", async () => {
    const user = as.user(await make.user());
    const next = `${path}/versions`;
    expect((await page(user, next)).text).toContain('title="Add to Saved"');
    const both = await Promise.all([click(user, { act: "add", next }), click(user, { act: "add", next })]);
    expect(both.map(goesTo)).toEqual(both.map(() => [303, next]));
    expect(await namesOf(user)).toEqual([["Saved", "private", [project.id]]]);
    const second = await makeProject(world, owner, { name: "Second" });
    await click(user, { act: "add", next: "https://evil.example" }, `/project/${second.slug}`);
    expect((await collectionsOf(user))[0]!.projects.sort()).toEqual([project.id, second.id].sort());
    const [saved] = await collectionsOf(user);
    expect((await page(user, path)).text).toContain('title="Remove from Saved"');
    expect(goesTo(await click(user, { act: "remove", collection: saved!.id }))).toEqual([303, path]);
    expect(await namesOf(user)).toEqual([["Saved", "private", [second.id]]]);
  });

  test("save to the collection that was chosen last, also to a new one", async () => {
    const user = as.user(await make.user());
    const { collectionId } = (await user.post("/api/collections", { name: "Curated" })).body;
    await click(user, { act: "add" });
    // A collection that was only edited is not a place to save to.
    expect((await namesOf(user)).map(([name]) => name)).toEqual(["Curated", "Saved"]);
    world.clock.advance(1000);
    await click(user, { act: "add", collection: collectionId });
    const second = `/project/${(await makeProject(world, owner)).slug}`;
    expect((await page(user, second)).text).toContain('title="Add to Curated"');
    world.clock.advance(1000);
    await click(user, { act: "create", name: "Newest" });
    expect((await page(user, second)).text).toContain('title="Add to Newest"');
    // In three collections by now: one click does not undo all of that.
    expect((await page(user, path)).text).toContain(`<a class="button quiet" href="${path}/save">`);
    expect((await click(user, { act: "create", name: "x" })).status).toBe(400);
  });

  test.each(["user", "moderator"] as const)("touch no collection of another user (as a %s)", async (role) => {
    const other = as.user(await make.user());
    const { collectionId } = (await other.post("/api/collections", { name: "Theirs", projects: [project.id] })).body;
    const second = `/project/${(await makeProject(world, owner)).slug}`;
    const stranger = as.user(await make.user({ role }));
    expect((await click(stranger, { act: "add", collection: collectionId }, second)).status).toBe(404);
    expect((await click(stranger, { act: "remove", collection: collectionId })).status).toBe(404);
    expect((await click(stranger, { act: "remove" })).status).toBe(404);
    expect((await click(stranger, { act: "add", collection: "x".repeat(4000) })).status).toBe(404);
    expect(await namesOf(other)).toEqual([["Theirs", "public", [project.id]]]);
    expect(await namesOf(stranger)).toEqual([]);
  });
});

describe("cards of signed-in users", () => {
  const member = async () => {
    const user = await make.user();
    return { user, actor: as.user(user) };
  };
  const buttons = (text: string) => [...text.matchAll(/data-swap="save (\w+)"/g)].map(([, id]) => id);

  test("have the button of the project's page, which returns to the list, with any number of cards at the same cost", async () => {
    const author = await make.user();
    const profile = `/user/${author.userName}`;
    const first = await makeProject(world, author, { name: "Cards 1" });
    const { actor } = await member();
    const costs = async () => {
      // New projects are loaded once.
      await page(actor, profile);
      return countStatements(world.resources.db, () => page(actor, profile));
    };
    const before = await costs();
    const others = [await makeProject(world, author, { name: "Cards 2" }), await makeProject(world, author)];
    expect(await costs()).toBe(before);
    const { text } = await page(actor, profile);
    expect(buttons(text).sort()).toEqual([first, ...others].map(({ id }) => id).sort());
    expect(text).toContain(`<form method="post" action="/project/${first.slug}/save" data-enhance`);
    expect(text).toContain('aria-label="Cards 1: Add to Saved"');
    expect(goesTo(await submit(actor, `/project/${first.slug}/save`, { act: "add", next: profile }))).toEqual([
      303,
      profile,
    ]);
    const after = (await page(actor, profile)).text;
    expect(after).toContain('aria-label="Cards 1: Remove from Saved"');
    expect(after).toContain('aria-label="Cards 2: Add to Saved"');
    expect(await costs()).toBe(before);
    await actor.post("/api/collections", { name: "Again", projects: [first.id] });
    expect((await page(actor, profile)).text).toContain('aria-label="Cards 1: Saved"');
  });

  test("are on all lists of cards, and not on those of guests", async () => {
    const { actor } = await member();
    for (const list of ["/", "/mods", "/search?q=Cards"]) {
      expect(buttons((await page(actor, list)).text).length, list).toBeGreaterThan(0);
      expect(buttons((await as.anyone.get(list)).text), list).toEqual([]);
    }
  });
});
