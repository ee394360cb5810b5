// Slugs under races, renames and deletions: a ref leads to the right project or to none.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { routes } from "#app.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { projectEditRoutes } from "./edit-routes.js";

const allRoutes = [...new Set([...routes, ...projectEditRoutes])];
const world = await testApp({ routes: allRoutes });
const { as, make, resources } = world;
const author = await make.user();
const actor = as.user(author);

const create = (slug: string, by = actor) =>
  by.post("/api/project", { name: "Lamps", slug, type: ["mod"], visibility: "listed", summary: "Light" });
const rename = (ref: string, slug: string) => actor.patch(`/api/project/${ref}`, { slug });
/** The id of the project that a ref leads to. */
const idOf = async (ref: string, by = actor): Promise<string | undefined> => {
  const reply = await by.get(`/api/project/${ref}`);
  expect([200, 404]).toContain(reply.status);
  return reply.body.project?.id;
};

describe("a race", () => {
  test("between 20 creations of the same slug has one winner", async () => {
    for (let round = 0; round < 3; round++) {
      const slug = uniqueName("race");
      const users = await Promise.all(Array.from({ length: 20 }, () => make.user()));
      const replies = await Promise.all(users.map((user) => create(slug, as.user(user))));
      const winners = replies.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      for (const reply of replies) if (reply !== winners[0]) expect(reply).toFail(409, "slugTaken");
      const teams = await resources.db
        .selectFrom("team_members")
        .select("user_id")
        .where(
          "user_id",
          "in",
          users.map(({ id }) => id),
        )
        .execute();
      expect(teams).toHaveLength(1);
    }
  });

  test("between renames and creations for the same slug has one winner", async () => {
    const slug = uniqueName("race");
    const projects = await Promise.all(Array.from({ length: 8 }, () => makeProject(world, author)));
    const replies = await Promise.all([
      ...projects.map(({ id }) => rename(id, slug)),
      ...Array.from({ length: 8 }, () => create(slug)),
    ]);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies) if (reply.status !== 200) expect(reply).toFail(409, "slugTaken");
    for (const project of projects) expect(await idOf(project.slug)).toBe(project.id);
  });

  test("between two projects that swap slugs leaves both unchanged, or one with a free slug", async () => {
    for (let round = 0; round < 5; round++) {
      const [one, other] = [await makeProject(world, author), await makeProject(world, author)];
      const replies = await Promise.all([rename(one.id, other.slug), rename(other.id, one.slug)]);
      for (const reply of replies) if (reply.status !== 200) expect(reply).toFail(409, "slugTaken");
      const rows = await resources.db
        .selectFrom("projects")
        .select(["id", "slug"])
        .where("id", "in", [one.id, other.id])
        .execute();
      expect(new Set(rows.map(({ slug }) => slug)).size).toBe(2);
      for (const { id, slug } of rows) expect(await idOf(slug)).toBe(id);
    }
  });

  test("between leaving and taking a slug leaves it with its current holder", async () => {
    for (let round = 0; round < 5; round++) {
      const slug = uniqueName("left");
      const leaving = await makeProject(world, author, { slug });
      const [left, created] = await Promise.all([rename(leaving.id, `${slug}-2`), create(slug)]);
      expect(left).toSucceed();
      expect(await idOf(`${slug}-2`)).toBe(leaving.id);
      expect(await idOf(slug)).toBe(created!.status === 200 ? created!.body.id : leaving.id);
    }
  });
});

describe("an old slug", () => {
  test("leads to its project for reads and writes until another project takes it", async () => {
    const [first, second] = [uniqueName("first"), uniqueName("second")];
    const { id } = await makeProject(world, author, { slug: first });
    expect(await rename(first, second)).toSucceed();
    expect(await idOf(first)).toBe(id);
    expect(await idOf(first.toUpperCase(), as.anyone)).toBe(id);
    expect((await actor.get(`/api/project/${first}/check`)).body).toEqual({ id });
    expect((await actor.patch(`/api/project/${first}`, { name: "By its old name" })).body.slug).toBe(second);
    const taken = await create(first);
    expect(taken).toSucceed();
    expect(await idOf(first)).toBe(taken.body.id);
    expect(await idOf(second)).toBe(id);
    expect(await idOf(first, as.anyone)).toBeUndefined();
  });

  test("can be taken back by its own project", async () => {
    const [first, second] = [uniqueName("first"), uniqueName("second")];
    const { id } = await makeProject(world, author, { slug: first });
    expect(await rename(id, second)).toSucceed();
    expect(await rename(id, first)).toSucceed();
    expect([await idOf(first), await idOf(second)]).toEqual([id, id]);
    const rows = await resources.db
      .selectFrom("project_old_slugs")
      .select("slug")
      .where("project_id", "=", id)
      .execute();
    expect(rows).toEqual([{ slug: second }]);
  });

  test("that another project took and left leads to that project", async () => {
    const slug = uniqueName("passed");
    const one = await makeProject(world, author, { slug });
    await rename(one.id, `${slug}-one`);
    const other = await makeProject(world, author);
    await rename(other.id, slug);
    expect(await idOf(slug)).toBe(other.id);
    await rename(other.id, `${slug}-other`);
    expect(await idOf(slug)).toBe(other.id);
    await actor.delete(`/api/project/${other.id}`);
    expect(await idOf(slug)).toBeUndefined();
    expect(await idOf(`${slug}-one`)).toBe(one.id);
  });

  test("that is taken on one server leads to the new project on another server", async () => {
    const slug = uniqueName("nodes");
    const { id } = await makeProject(world, author, { slug });
    const second = await testApp({ routes: allRoutes, sharedWith: world });
    const there = second.as.user(author);
    try {
      expect(await idOf(slug, there)).toBe(id);
      await rename(id, `${slug}-2`);
      await second.resources.changeLog.catchUp();
      expect(await idOf(slug, there)).toBe(id);
      const taken = (await create(slug)).body.id;
      await second.resources.changeLog.catchUp();
      expect([await idOf(slug, there), await idOf(`${slug}-2`, there)]).toEqual([taken, id]);
      await actor.delete(`/api/project/${taken}`);
      await second.resources.changeLog.catchUp();
      expect(await idOf(slug, there)).toBeUndefined();
    } finally {
      await second.stop();
    }
  });
});

describe("an id", () => {
  test("never leads to another project's slug, neither before nor after its own project is deleted", async () => {
    const victim = await makeProject(world, author);
    expect(await create(victim.id.toLowerCase())).toFail(409, "slugTaken");
    const other = await makeProject(world, author);
    expect(await rename(other.id, victim.id.toLowerCase())).toFail(409, "slugTaken");
    expect(await actor.delete(`/api/project/${victim.id}`)).toSucceed();
    expect(await create(victim.id.toLowerCase())).toFail(409, "slugTaken");
    expect(await rename(other.id, victim.id.toLowerCase())).toFail(409, "slugTaken");
    expect(await idOf(victim.id)).toBeUndefined();
  });

  test("that was never used does not block slugs of the same length", async () => {
    const slug = `z${uniqueName().slice(-7)}`;
    expect(slug).toHaveLength(8);
    const reply = await create(slug);
    expect(reply).toSucceed();
    expect(await idOf(slug.toUpperCase())).toBe(reply.body.id);
  });
});

/** The expected state: which project has each slug, and which one left it. */
class Model {
  readonly present = new Map<string, string>();
  readonly left = new Map<string, string>();

  find = (slug: string): string | undefined => this.present.get(slug) ?? this.left.get(slug);

  take(id: string, slug: string, from?: string): boolean {
    const holder = this.present.get(slug);
    if (holder !== undefined) return holder === id;
    if (from !== undefined) {
      this.present.delete(from);
      this.left.set(from, id);
    }
    this.left.delete(slug);
    this.present.set(slug, id);
    return true;
  }

  forget(id: string): void {
    for (const slugs of [this.present, this.left])
      for (const [slug, owner] of slugs) if (owner === id) slugs.delete(slug);
  }

  slugOf = (id: string): string | undefined => [...this.present].find(([, owner]) => owner === id)?.[0];
}

const step = fc.record({
  kind: fc.constantFrom("create", "rename", "rename", "rename", "delete"),
  slug: fc.nat(5),
  project: fc.nat(7),
  by: fc.constantFrom("id", "slug", "old slug"),
});

test("after any sequence of creations, renames and deletions every ref leads to the right project", async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
    const prefix = uniqueName("chain");
    const slugAt = (at: number) => `${prefix}-${at}`;
    const model = new Model();
    const ids: string[] = [];
    for (const { kind, slug: at, project, by } of steps) {
      const slug = slugAt(at);
      const id = ids[project % Math.max(ids.length, 1)];
      if (kind === "create" || id === undefined) {
        const reply = await create(slug);
        expect(reply.status).toBe(model.present.has(slug) ? 409 : 200);
        if (reply.status === 200) {
          model.take(reply.body.id, slug);
          ids.push(reply.body.id);
        }
      } else {
        const present = model.slugOf(id);
        const old = [...model.left].find(([, owner]) => owner === id)?.[0];
        const ref = (by === "slug" ? present : by === "old slug" ? old : undefined) ?? id;
        if (kind === "delete") {
          expect((await actor.delete(`/api/project/${ref}`)).status).toBe(present === undefined ? 404 : 200);
          model.forget(id);
        } else {
          const reply = await rename(ref, slug);
          const expected =
            present === undefined ? 404 : model.take(id, slug, present === slug ? undefined : present) ? 200 : 409;
          expect(reply.status).toBe(expected);
        }
      }
      for (let index = 0; index <= 5; index++) expect(await idOf(slugAt(index))).toBe(model.find(slugAt(index)));
      for (const each of ids) expect(await idOf(each)).toBe(model.slugOf(each) === undefined ? undefined : each);
    }
  });
  await fc.assert(property, { numRuns: 8, endOnFailure: true });
}, 120_000);
