// No answer contains ids of projects that the caller may not see, and cached answers change when a project that others
// depend on becomes private or public.
import { describe, expect, test } from "vitest";
import type { Actor } from "#test/callers/actors.js";
import { readPage, submit } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp({ settings: { MODSHELF_REVIEW: "off" } });
const { as, make } = world;
const admin = await make.user({ role: "admin" });

/** A public mod that depends on a library of another user. */
async function pair(visibility: "listed" | "private" = "private") {
  const [author, librarian] = [await make.user(), await make.user()];
  const library = await makeProject(world, librarian, { visibility });
  const pinned = await makeVersion(world, librarian, library.id);
  const mod = await makeProject(world, author);
  const dependencies = [{ projectId: library.id, versionId: pinned.id, type: "required" as const }];
  const version = await makeVersion(world, author, mod.id, { dependencies });
  return { author, librarian, library, pinned, mod, version };
}

type Pair = Awaited<ReturnType<typeof pair>>;

/** Every answer that shows the version. */
const reads = ({ mod, version, author }: Pair): ((actor: Actor) => Promise<{ status: number; text: string }>)[] => [
  (actor) => actor.get(`/api/project/${mod.id}?includeVersions=true`),
  (actor) => actor.get(`/api/project/${mod.id}/version`),
  (actor) => actor.get(`/api/project/${mod.slug}/version?featured=false`),
  (actor) => actor.get(`/api/project/${mod.id}/version/${version.id}`),
  (actor) => actor.get(`/api/project/${mod.id}/version/latest`),
  (actor) => actor.get(`/api/project/${mod.id}/version/latest?loader=quilt`),
  (actor) => actor.get(`/api/project/${mod.id}/dependencies`),
  (actor) => actor.get(`/api/projects?ids=${mod.id}&include=version-info`),
  (actor) => actor.get(`/api/projects/versions?ids=${mod.id}`),
  (actor) => actor.get(`/api/version/${version.id}`),
  (actor) => actor.get(`/api/version?ids=${version.id}`),
  (actor) => actor.get(`/api/version-file/${version.sha512}`),
  (actor) => actor.post("/api/version-files", { hashes: [version.sha512] }),
  (actor) => actor.post("/api/version-files/update", { hashes: [version.sha512] }),
  (actor) => actor.post(`/api/version-file/${version.sha512}/update`, {}),
  (actor) => actor.post("/api/resolve", { projects: [{ project: mod.id }] }),
  (actor) => actor.post("/api/resolve", { installed: [version.sha512] }),
  (actor) => actor.post("/api/update-preview", { hashes: [version.sha512] }),
  (actor) => readPage(actor, `/project/${mod.slug}/version/${version.versionNumber}`),
  (actor) => actor.get(`/api/user/${author.userName}/projects`),
];

async function named(actor: Actor, world: Pair, times = 1): Promise<number> {
  let count = 0;
  for (const read of reads(world)) {
    let reply = await read(actor);
    // Repeated, so that cached answers are checked too.
    for (let again = 1; again < times; again++) reply = await read(actor);
    expect(reply.status).toBe(200);
    if ([world.library.id, world.library.slug, world.pinned.id].some((name) => reply.text.includes(name))) count++;
  }
  return count;
}

describe("a dependency on a private project", () => {
  test("is in no answer to anonymous users, outsiders, the author of the dependent version, or tokens without the scope", async () => {
    const found = await pair();
    expect(await named(as.anyone, found, 3)).toBe(0);
    expect(await named(as.user(await make.user()), found)).toBe(0);
    expect(await named(as.user(found.author), found)).toBe(0);
    expect(await named(await as.token(found.librarian, { scopes: [] }), found)).toBe(0);
  });

  test("is shown to its members and to staff in every answer about it", async () => {
    const found = await pair();
    // All but the list of projects, which has no dependencies, and the two answers that install its file.
    const most = reads(found).length - 3;
    expect(await named(as.user(found.librarian), found)).toBeGreaterThanOrEqual(most);
    expect(await named(as.user(admin), found)).toBeGreaterThanOrEqual(most);
    expect(await named(as.anyone, found, 3)).toBe(0);
  });

  test("is reported as unmet without an id", async () => {
    const { mod } = await pair();
    const { clash } = (await as.anyone.post("/api/resolve", { projects: [{ project: mod.id }] })).body;
    expect(clash.reasons).toMatchObject([
      { kind: "noVersion", missing: "project", projectId: null, projectSlug: null },
    ]);
    expect(clash.reasons[0].message).toBe("A project that you cannot see is required, but it is not available here");
    expect(clash.reasons[0].demands).toMatchObject([{ projectId: mod.id, onProjectId: null, onVersionId: null }]);
  });

  test("stays when a user who may not see it edits the version", async () => {
    const found = await pair();
    const path = `/api/project/${found.mod.id}/version/${found.version.id}`;
    const other = await makeProject(world, found.author);
    const dependencies = [{ projectId: other.id, versionId: null, dependencyType: "optional" }];
    expect(await as.user(found.author).patch(path, { dependencies })).toSucceed();
    const shown = (await as.user(found.librarian).get(path)).body.data.dependencies;
    expect(shown.map(({ projectId }: { projectId: string }) => projectId).sort()).toEqual(
      [found.library.id, other.id].sort(),
    );
    expect((await as.anyone.get(path)).body.data.dependencies).toHaveLength(1);
  });
});

describe("a cached answer", () => {
  test("leaves out a project that becomes private, and names it again once it is public", async () => {
    const found = await pair("listed");
    const most = reads(found).length - 3;
    expect(await named(as.anyone, found, 3)).toBeGreaterThanOrEqual(most);
    const set = (visibility: string) =>
      as.user(found.librarian).patch(`/api/project/${found.library.id}`, { visibility });
    expect(await set("private")).toSucceed();
    expect(await named(as.anyone, found, 3)).toBe(0);
    expect(await set("unlisted")).toSucceed();
    expect(await named(as.anyone, found, 3)).toBeGreaterThanOrEqual(most);
  });

  test("follows the decisions of moderators, on this server and on others", async () => {
    const found = await pair("listed");
    const second = await testApp({ sharedWith: world });
    const most = reads(found).length - 3;
    expect(await named(second.as.anyone, found, 3)).toBeGreaterThanOrEqual(most);
    const decide = (status: string) => as.user(admin).post(`/api/moderation/project/${found.library.id}`, { status });
    expect(await decide("withheld")).toSucceed();
    expect(await named(as.anyone, found, 3)).toBe(0);
    await second.resources.changeLog.catchUp();
    expect(await named(second.as.anyone, found, 3)).toBe(0);
    expect(await decide("approved")).toSucceed();
    expect(await named(as.anyone, found, 3)).toBeGreaterThanOrEqual(most);
    await second.stop();
  });

  test("is reported as changed in the public change log", async () => {
    const found = await pair("listed");
    // The log follows a moment after each write.
    const changes = async (since: number) =>
      (await as.anyone.get(`/api/changes?since=${since}`)).body.changes as { kind: string; id: string; seq: number }[];
    const findSeq = async (since: number) => (await changes(since)).findLast(({ id }) => id === found.version.id)?.seq;
    await expect.poll(() => findSeq(0)).toBeDefined();
    const before = (await findSeq(0))!;
    expect(
      await as.user(found.librarian).patch(`/api/project/${found.library.id}`, { visibility: "private" }),
    ).toSucceed();
    await expect.poll(() => findSeq(before)).toBeDefined();
  });
});

describe("invitees who have not answered", () => {
  async function invited() {
    const [owner, member, guest] = [await make.user(), await make.user(), await make.user()];
    const org = await makeOrg(world, owner);
    const project = await makeProject(world, owner, { orgId: org.id });
    const single = await makeProject(world, owner);
    await addMember(world, single.teamId, member);
    for (const teamId of [org.teamId, project.teamId, single.teamId])
      expect(await as.user(owner).post(`/api/team/${teamId}/invite`, { userName: guest.userName })).toSucceed();
    const paths = [
      `/api/project/${project.id}`,
      `/api/project/${single.id}`,
      `/api/organization/${org.id}`,
      `/api/organizations?ids=${org.id}`,
      `/api/user/${owner.id}/organization`,
      ...[org, project, single].map(({ teamId }) => `/api/team/${teamId}/members`),
    ];
    return { owner, member, guest, org, single, paths };
  }

  test("are not shown outside of the team", async () => {
    const { owner, guest, paths } = await invited();
    for (const path of paths) {
      for (const actor of [as.anyone, as.anyone, as.user(await make.user())])
        expect((await actor.get(path)).text, path).not.toContain(guest.userName);
      expect((await as.user(owner).get(path)).text, path).toContain(guest.userName);
    }
  });

  test("are shown to members of that team, but not to members of another one", async () => {
    const { member, guest, single, org } = await invited();
    expect((await as.user(member).get(`/api/project/${single.id}`)).text).toContain(guest.userName);
    expect((await as.user(member).get(`/api/team/${org.teamId}/members`)).text).not.toContain(guest.userName);
  });

  test("see themselves, and can answer", async () => {
    const { guest, org } = await invited();
    const mine = (await as.user(guest).get(`/api/team/${org.teamId}/members`)).body;
    expect(mine).toContainEqual(expect.objectContaining({ userId: guest.id, accepted: false, permissions: [] }));
    expect((await readPage(as.user(guest), `/organization/${org.slug}`)).text).toContain(
      `/organization/${org.slug}/invitation`,
    );
    expect(
      (await submit(as.user(guest), "/dashboard/invitation", { teamId: org.teamId, answer: "accept" })).status,
    ).toBe(303);
    expect((await as.anyone.get(`/api/organization/${org.id}`)).text).toContain(guest.userName);
  });
});
