// Names of deleted objects (reliability I-2): no one can use them until the time is over, then anyone can.
import { describe, expect, test } from "vitest";
import { deleteExpired } from "#operations/background/housekeeping.js";
import type { Actor } from "#test/callers/actors.js";
import { publishTo } from "#test/callers/uploads.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { makeOrg, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { app, as, make, resources, clock } = world;
const day = 24 * 60 * 60 * 1000;
clock.freeze();
// With the clock this far ahead, the jobs would delete every upload as abandoned.
await app.jobs.stop();

/** A new user for each test: sessions expire long before names become free. */
async function newAuthor() {
  const author = await make.user();
  return { author, me: as.user(author) };
}

const inDays = (days: number) => new Date(clock.now() + days * day).toISOString();
const newProject = (slug: string) => ({
  ...{ name: "Lamps", slug, type: ["mod"], visibility: "listed", summary: "Light" },
});
const publish = (by: Actor, projectId: string, versionNumber: string) => publishTo(by, projectId, { versionNumber });
const setNumber = (by: Actor, path: string, versionNumber: string) => by.form("PATCH", path, { versionNumber });

describe("deleteProject", () => {
  test("reserves the slug for 90 days and says until when; the old id never works again", async () => {
    const { author, me } = await newAuthor();
    const { id, slug } = await makeProject(world, author);
    expect(await me.delete(`/api/project/${id}`)).toSucceed();
    const until = inDays(90);
    for (const someone of [me, as.user(await make.user()), as.user(await make.user({ role: "admin" }))]) {
      const reply = await someone.post("/api/project", newProject(slug));
      expect(reply).toFail(409, "nameRetired");
      expect(reply.body.message).toContain(until);
    }
    const mine = await makeProject(world, author);
    expect(await me.patch(`/api/project/${mine.id}`, { slug })).toFail(409, "nameRetired");
    expect(await as.anyone.get(`/api/project/${slug}`)).toFail(404, "projectNotFound");
    expect((await as.anyone.get(`/api/project/${mine.slug}`)).body.project.id).toBe(mine.id);

    clock.advance(90 * day);
    const next = await as.user(await make.user()).post("/api/project", newProject(slug));
    expect(next).toSucceed();
    expect(next.body.id).not.toBe(id);
    expect(await as.anyone.get(`/api/project/${id}`)).toFail(404, "projectNotFound");
  });

  test("frees the slug of a draft that was always empty, but not of one that had a version", async () => {
    const { author, me } = await newAuthor();
    const empty = await makeProject(world, author, { status: "draft" });
    const full = await makeProject(world, author, { status: "draft" });
    const emptied = await makeProject(world, author, { status: "draft" });
    await makeVersion(world, author, full.id);
    const { id: versionId } = await makeVersion(world, author, emptied.id);
    expect(await me.delete(`/api/project/${emptied.id}/version/${versionId}`)).toSucceed();
    for (const { id } of [empty, full, emptied]) expect(await me.delete(`/api/project/${id}`)).toSucceed();
    expect(await me.post("/api/project", newProject(empty.slug))).toSucceed();
    for (const { slug } of [full, emptied])
      expect(await me.post("/api/project", newProject(slug))).toFail(409, "nameRetired");
  });

  test("does not reserve slugs that the project had left before", async () => {
    const { author, me } = await newAuthor();
    const { id, slug } = await makeProject(world, author);
    expect(await me.patch(`/api/project/${id}`, { slug: `${slug}-2` })).toSucceed();
    expect(await me.delete(`/api/project/${id}`)).toSucceed();
    expect(await me.post("/api/project", newProject(slug))).toSucceed();
    expect(await me.post("/api/project", newProject(`${slug}-2`))).toFail(409, "nameRetired");
  });

  test("wins against concurrent creations with the same slug", async () => {
    const { author, me } = await newAuthor();
    for (let round = 0; round < 3; round++) {
      const { id, slug } = await makeProject(world, author);
      const replies = await Promise.all([
        me.delete(`/api/project/${id}`),
        ...Array.from({ length: 6 }, () => me.post("/api/project", newProject(slug))),
      ]);
      expect(replies[0]).toSucceed();
      for (const reply of replies.slice(1)) expect(["slugTaken", "nameRetired"]).toContain(reply.body.code);
    }
  });
});

describe("deleteVersion", () => {
  test("reserves the number, in any case, for 90 days; the old id never works again", async () => {
    const { author, me } = await newAuthor();
    const project = await makeProject(world, author);
    const path = `/api/project/${project.id}/version`;
    const first = await publish(me, project.id, "1.0-RC");
    expect(first).toSucceed();
    expect(await me.delete(`${path}/${first.body.slug}`)).toSucceed();
    const until = inDays(90);
    for (const number of ["1.0-RC", "1.0-rc"]) {
      const reply = await publish(me, project.id, number);
      expect(reply).toFail(409, "nameRetired");
      expect(reply.body.message).toContain(until);
    }
    const second = await makeVersion(world, author, project.id);
    expect(await setNumber(me, `${path}/${second.id}`, "1.0-rc")).toFail(409, "nameRetired");
    expect(await me.form("PATCH", `${path}/${second.id}`, { title: "Another title" })).toSucceed();
    expect(await as.anyone.get(`${path}/1.0-rc`)).toFail(404, "versionNotFound");
    // Other projects may use the same number.
    expect(await publish(me, (await makeProject(world, author)).id, "1.0-RC")).toSucceed();

    clock.advance(90 * day);
    const late = await publish(await as.token(author, { scopes: ["version_create"] }), project.id, "1.0-RC");
    expect(late).toSucceed();
    expect(late.body.data.id).not.toBe(first.body.data.id);
    expect(await as.anyone.get(`${path}/${first.body.data.id}`)).toFail(404, "versionNotFound");
  });

  test("reserves the slug of a version whose number has changed since", async () => {
    const { author, me } = await newAuthor();
    const project = await makeProject(world, author);
    const path = `/api/project/${project.id}/version`;
    const { id } = await makeVersion(world, author, project.id, { versionNumber: "2.0" });
    expect(await setNumber(me, `${path}/${id}`, "2.1")).toSucceed();
    expect(await me.delete(`${path}/${id}`)).toSucceed();
    for (const number of ["2.0", "2.1"]) expect(await publish(me, project.id, number)).toFail(409, "nameRetired");
  });
});

describe("deleteOrganization", () => {
  test("reserves the slug for 90 days", async () => {
    const { author, me } = await newAuthor();
    const { id, slug } = await makeOrg(world, author);
    expect(await me.delete(`/api/organization/${id}`)).toSucceed();
    for (const someone of [me, as.user(await make.user())]) {
      const reply = await someone.post("/api/organization", { name: "Next", slug });
      expect(reply).toFail(409, "nameRetired");
      expect(reply.body.message).toContain(inDays(90));
    }
    clock.advance(90 * day);
    const next = await as.user(await make.user()).post("/api/organization", { name: "Next", slug });
    expect(next).toSucceed();
    expect(next.body.id).not.toBe(id);
  });
});

describe("housekeeping", () => {
  test("deletes reservations once the names are free, and not before", async () => {
    const { author, me } = await newAuthor();
    const { id, slug } = await makeProject(world, author);
    expect(await me.delete(`/api/project/${id}`)).toSucceed();
    const rows = () => resources.db.selectFrom("retired_names").select("name").where("name", "=", slug).execute();
    clock.advance(90 * day - 1);
    await deleteExpired(resources);
    expect(await rows()).toEqual([{ name: slug }]);
    clock.advance(1);
    await deleteExpired(resources);
    expect(await rows()).toEqual([]);
  });
});

test("with the setting 0, names are free at once", async () => {
  const free = await testApp({ settings: { MODSHELF_RETIRED_NAME_DAYS: "0" } });
  const user = await free.make.user();
  const me = free.as.user(user);
  const { id, slug } = await makeProject(free, user, { slug: uniqueName("free") });
  const { id: versionId } = await makeVersion(free, user, id, { versionNumber: "1" });
  expect(await me.delete(`/api/project/${id}/version/${versionId}`)).toSucceed();
  expect(await publish(me, id, "1")).toSucceed();
  expect(await me.delete(`/api/project/${id}`)).toSucceed();
  expect(await me.post("/api/project", newProject(slug))).toSucceed();
});
