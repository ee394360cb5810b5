// The public change log: what it reports, and what it does not.
import { describe, expect, test } from "vitest";
import { removeAccount } from "#accounts/users/write.js";
import { deleteExpired } from "#operations/background/housekeeping.js";
import { catchUp } from "#platform/changes/consumer.js";
import { write } from "#platform/changes/write.js";
import type { ProjectStatus, Tables, Visibility } from "#platform/db/tables.js";
import type { TestUser } from "#test/callers/actors.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { countStatements } from "#test/server/statement-count.js";
import { addMember, makeOrg, makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { publicChangesConsumer } from "./consumer.js";
import type { PublicChange } from "./contract.js";

const world = await testApp();
const { as, make, resources } = world;
const owner = await make.user();
await makeProject(world, owner);

const settle = () => catchUp(resources, publicChangesConsumer);

/** All changes after a number. */
async function changesSince(since: number): Promise<{ changes: PublicChange[]; next: number }> {
  await settle();
  const changes: PublicChange[] = [];
  for (let next = since; ; ) {
    const reply = await as.anyone.get(`/api/changes?since=${next}&limit=1000`);
    expect(reply).toSucceed();
    changes.push(...reply.body.changes);
    next = reply.body.next;
    if (!reply.body.more) return { changes, next };
  }
}

/** The public changes that the work caused, as "act kind". */
async function told(work: () => Promise<unknown>, only?: string): Promise<string[]> {
  const { next } = await changesSince(0);
  await work();
  const { changes } = await changesSince(next);
  return changes.filter(({ id }) => only === undefined || id === only).map(({ act, kind }) => `${act} ${kind}`);
}

const setVersion = (projectId: string, id: string, change: Partial<Tables["versions"]>) =>
  write(resources, {}, async (tx) => {
    await tx.db.updateTable("versions").set(change).where("id", "=", id).execute();
    tx.changed("project", projectId);
  });

describe("listChanges", () => {
  test("names a project and its versions when they are created, changed and deleted", async () => {
    const project = await makeProject(world, owner);
    const author = as.user(owner);
    const before = await changesSince(0);
    const version = await makeVersion(world, owner, project.id);
    expect((await changesSince(before.next)).changes).toEqual([
      expect.objectContaining({ kind: "project", id: project.id, act: "updated", projectId: null }),
      {
        seq: expect.any(Number),
        kind: "version",
        id: version.id,
        projectId: project.id,
        act: "created",
        date: expect.stringMatching(/Z$/),
      },
    ]);
    const base = `/api/project/${project.id}`;
    expect(await told(() => author.patch(base, { name: "Another name" }))).toEqual(["updated project"]);
    expect(await told(() => author.patch(`${base}/description`, { description: "New" }))).toEqual(["updated project"]);
    expect(
      await told(() => author.patch(`${base}/version/${version.id}`, { changelog: "Better" }), version.id),
    ).toEqual(["updated version"]);
    expect(await told(() => author.delete(`${base}/version/${version.id}`), version.id)).toEqual(["deleted version"]);
    await makeVersion(world, owner, project.id);
    expect(await told(() => author.delete(base))).toEqual(["deleted version", "deleted project"]);
    const numbers = (await changesSince(0)).changes.map(({ seq }) => seq);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  });

  test("leaves out invisible changes: counts of downloads and followers, and edits without an effect", async () => {
    const project = await makeProject(world, owner);
    const version = await makeVersion(world, owner, project.id, { changelog: "Said" });
    expect(await told(() => setProject(world, project.id, { downloads: 5, followers: 3 }))).toEqual([]);
    expect(await told(() => setVersion(project.id, version.id, { downloads: 5 }))).toEqual([]);
    const path = `/api/project/${project.id}/version/${version.id}`;
    expect(await told(() => as.user(owner).patch(path, { changelog: "Said" }))).toEqual([]);
    expect(await told(() => as.user(owner).patch(`/api/project/${project.id}`, { name: "Sample project" }))).toEqual(
      [],
    );
  });

  const hidden: [string, ProjectStatus, Visibility][] = [
    ["private", "approved", "private"],
    ["unlisted", "approved", "unlisted"],
    ["draft", "draft", "listed"],
    ["waiting", "processing", "listed"],
    ["withheld", "withheld", "listed"],
    ["rejected", "rejected", "archived"],
  ];

  test.each(hidden)("never names a project that is %s, whatever happens to it", async (_what, status, visibility) => {
    const seen = await told(async () => {
      const project = await makeProject(world, owner, { status: "draft", visibility });
      await setProject(world, project.id, { status });
      await settle();
      await makeVersion(world, owner, project.id);
      await as.user(owner).patch(`/api/project/${project.id}`, { summary: "Other words" });
      await settle();
      await as.user(owner).delete(`/api/project/${project.id}`);
    });
    expect(seen).toEqual([]);
  });

  test.each(hidden)(
    "reports a project as deleted when it becomes %s, and as created when it is public again",
    async (...[, status, visibility]) => {
      const project = await makeProject(world, owner);
      await makeVersion(world, owner, project.id);
      expect(await told(() => setProject(world, project.id, { status, visibility }))).toEqual([
        "deleted version",
        "deleted project",
      ]);
      expect(await told(() => makeVersion(world, owner, project.id))).toEqual([]);
      const back = await told(() => setProject(world, project.id, { status: "approved", visibility: "archived" }));
      expect(back).toEqual(["created project", "created version", "created version"]);
    },
  );

  test("treats a quarantined version as absent", async () => {
    const project = await makeProject(world, owner);
    // The lists of the project stay the same.
    const version = await makeVersion(world, owner, project.id);
    await makeVersion(world, owner, project.id);
    const moderator = as.user(await make.user({ role: "moderator" }));
    const ids: string[] = [];
    const hold = async (what: object) => {
      const { body } = await moderator.post("/api/moderation/quarantine", { reason: "Reads passwords", ...what });
      ids.push(body.quarantine.id);
    };
    const lift = () => moderator.delete(`/api/moderation/quarantine/${ids.pop()}`);
    expect(await told(() => hold({ versionId: version.id }))).toEqual(["deleted version"]);
    expect(await told(() => hold({ sha512: version.sha512 }))).toEqual([]);
    expect(await told(lift)).toEqual([]);
    expect(await told(lift)).toEqual(["created version"]);
  });

  test("names organizations", async () => {
    const someone = await make.user();
    const slug = uniqueName("org");
    const made = await told(() => makeOrg(world, someone, { slug }));
    expect(made).toEqual(["created organization", "created user"]);
    const edit = () => as.user(someone).patch(`/api/organization/${slug}`, { description: "Other words" });
    expect(await told(edit)).toEqual(["updated organization"]);
    expect(await told(edit)).toEqual([]);
    expect(await told(() => as.user(someone).delete(`/api/organization/${slug}`))).toEqual(["deleted organization"]);
  });

  test("names users once they are a member of a public object, and not before", async () => {
    const [author, invitee] = [await make.user(), await make.user()];
    const rename = (user: TestUser) => as.user(user).patch("/api/user", { bio: uniqueName("bio") });
    expect(await told(() => rename(author))).toEqual([]);
    const project = await makeProject(world, author, { visibility: "private" });
    await addMember(world, project.teamId, invitee, { accepted: false });
    expect(await told(() => rename(author))).toEqual([]);
    const shown = await told(() => setProject(world, project.id, { visibility: "listed" }));
    expect(shown).toEqual(["created user", "created project"]);
    expect(await told(() => rename(author))).toEqual(["updated user"]);
    expect(await told(() => rename(invitee))).toEqual([]);
    const leave = () => write(resources, {}, (tx) => removeAccount(tx, author.id, resources.accountRemovals));
    expect(await told(leave, author.id)).toEqual(["deleted user"]);
  });

  test("returns pages without gaps or duplicates", async () => {
    const all = (await changesSince(0)).changes;
    const joined: PublicChange[] = [];
    let [next, more] = [0, true];
    while (more) {
      const { body } = await as.anyone.get(`/api/changes?since=${next}&limit=7`);
      joined.push(...body.changes);
      [next, more] = [body.next, body.more];
    }
    expect(joined).toEqual(all);
    expect((await as.anyone.get(`/api/changes?since=${next}`)).body).toEqual({ changes: [], next, more: false });
  });

  test.each([
    "since=-1",
    "since=1.5",
    "since=x",
    "since=1e999",
    "since=9007199254740993",
    "limit=0",
    "limit=1001",
    "limit=",
  ])("refuses %s", async (query) => {
    expect(await as.anyone.get(`/api/changes?${query}`)).toFail(400, "invalidRequest");
  });

  test("tells a client with a number beyond the end to start again, because it has read another database", async () => {
    const { next } = await changesSince(0);
    expect(await as.anyone.get(`/api/changes?since=${next + 1}`)).toFail(410, "changesGone");
    expect(await as.anyone.get("/api/changes?since=9007199254740991")).toFail(410, "changesGone");
  });

  test("needs no statement while nothing changes", async () => {
    const { next } = await changesSince(0);
    const ask = () => countStatements(resources.db, () => as.anyone.get(`/api/changes?since=${next}`));
    expect(Math.min(await ask(), await ask(), await ask())).toBe(0);
  });
});

describe("after 90 days", () => {
  test("deleted and repeated entries are removed; everything that exists stays in the list from 0", async () => {
    const fresh = await testApp();
    const author = await fresh.make.user();
    const follow = () => catchUp(fresh.resources, publicChangesConsumer);
    const list = async (since: number) => (await fresh.as.anyone.get(`/api/changes?since=${since}`)).body;
    const [kept, gone] = [await makeProject(fresh, author), await makeProject(fresh, author)];
    await follow();
    const start = (await list(0)).next;
    await setProject(fresh, kept.id, { summary: "Other words" });
    await follow();
    await fresh.as.user(author).delete(`/api/project/${gone.id}`);
    await follow();
    const before = await list(0);
    expect(before.changes.map((change: PublicChange) => change.act)).toContain("deleted");

    fresh.clock.advance(89 * 24 * 3_600_000);
    await deleteExpired(fresh.resources);
    expect(await list(0)).toEqual(before);
    fresh.clock.advance(2 * 24 * 3_600_000);
    await deleteExpired(fresh.resources);
    // A server with the whole log in memory may still return it; one that starts now cannot.
    const other = await testApp({ sharedWith: fresh });
    const left = await other.as.anyone.get("/api/changes?since=0");
    expect(left.body.changes.map(({ kind, id, act }: PublicChange) => [kind, id, act])).toEqual([
      ["user", author.id, "created"],
      ["project", kept.id, "updated"],
    ]);
    expect(await other.as.anyone.get(`/api/changes?since=${start}`)).toFail(410, "changesGone");
    // A client that has started again is up to date, and is not sent back a second time.
    expect(left.body.next).toBe(before.next);
    expect(await other.as.anyone.get(`/api/changes/stream?since=${start}`)).toFail(410, "changesGone");
    // The end of the list is a valid position, although its last row was removed.
    expect((await other.as.anyone.get(`/api/changes?since=${before.next}`)).body).toEqual({
      changes: [],
      next: before.next,
      more: false,
    });
    await setProject(fresh, kept.id, { summary: "Still other words" });
    await follow();
    await expect
      .poll(async () => (await other.as.anyone.get(`/api/changes?since=${before.next}`)).body.changes)
      .toEqual([expect.objectContaining({ id: kept.id })]);
    expect((await list(before.next)).next).toBeGreaterThan(before.next);
    await other.stop();
    await fresh.stop();
  });
});

test("the consumer compares versions that are named in another batch than their project", async () => {
  const project = await makeProject(world, owner);
  const [first, second] = [await makeVersion(world, owner, project.id), await makeVersion(world, owner, project.id)];
  await settle();
  const { next } = await changesSince(0);
  await write(resources, {}, async (tx) => {
    await tx.db.updateTable("versions").set({ date_quarantined: 1 }).where("id", "=", first.id).execute();
    await publicChangesConsumer.consume(tx, [{ seq: 1, kind: "project", id: project.id }]);
    await publicChangesConsumer.consume(tx, [
      { seq: 2, kind: "version", id: first.id },
      { seq: 3, kind: "version", id: second.id },
    ]);
  });
  expect((await changesSince(next)).changes).toEqual([
    expect.objectContaining({ kind: "version", id: first.id, act: "deleted" }),
  ]);
});

test("the consumer needs as many statements for 25 projects as for 2, and few if only downloads were counted", async () => {
  const cost = async (count: number, change: Partial<Tables["projects"]>) => {
    const projects: string[] = [];
    for (let n = 0; n < count; n++) projects.push((await makeProject(world, owner)).id);
    for (const id of projects) await makeVersion(world, owner, id);
    await settle();
    const changes = projects.map((id) => ({ seq: 1, kind: "project" as const, id }));
    return write(resources, {}, async (tx) => {
      await tx.db.updateTable("projects").set(change).where("id", "in", projects).execute();
      return countStatements(tx.db, () => publicChangesConsumer.consume(tx, changes));
    });
  };
  const counted = await cost(2, { downloads: 7 });
  expect(await cost(25, { downloads: 7 })).toBe(counted);
  const edited = await cost(2, { summary: "Changed" });
  expect(await cost(25, { summary: "Changed" })).toBe(edited);
  expect([counted, edited]).toEqual([expect.any(Number), counted + 4]);
  expect(counted).toBeLessThan(12);
});
