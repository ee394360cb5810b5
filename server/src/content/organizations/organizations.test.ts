// Reading organizations (interface §4, "Organizations").
import { describe, expect, test } from "vitest";
import type { TestUser } from "#test/callers/actors.js";
import { siteUrl } from "#test/server/harness.js";
import { countStatements } from "#test/server/statement-count.js";
import { addMember, makeOrg, makeProject, setProject } from "#test/worlds/content.js";
import { teamWorld } from "#test/worlds/team-world.js";

const world = await teamWorld();
const { as, users, shown, resources } = world;
const three = async () => (await users(3)) as [TestUser, TestUser, TestUser];
const idsOf = (body: { id: string }[]) => body.map(({ id }) => id);

/** The server queries the database in the background too; the smallest of several counts is the request's own. */
async function leastStatements(ask: () => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  while (counts.length < 4) counts.push(await countStatements(resources.db, ask));
  return Math.min(...counts);
}

describe("getOrganization", () => {
  test("returns an unwrapped organization, by id and by slug in any case, with exactly the fields of the interface", async () => {
    const [owner] = await three();
    const org = await makeOrg(world, owner, { name: "Grass Makers", description: "Green" });
    const byId = await as.anyone.get(`/api/organization/${org.id}`);
    expect(byId.body).toEqual({
      id: org.id,
      teamId: org.teamId,
      name: "Grass Makers",
      slug: org.slug,
      icon: `${siteUrl}/cdn/data/organization/${org.id}/default.png`,
      description: "Green",
      members: [
        {
          id: expect.any(String),
          userId: owner.id,
          teamId: org.teamId,
          userName: owner.userName,
          avatar: `${siteUrl}/cdn/data/user/${owner.id}/default.png`,
          role: "Owner",
          isOwner: true,
          accepted: true,
          permissions: [],
          organisationPermissions: [],
        },
      ],
    });
    for (const ref of [org.slug, org.slug.toUpperCase()])
      expect((await as.anyone.get(`/api/organization/${ref}`)).body).toEqual(byId.body);
  });

  test("answers 404 with the same message for everything that does not exist", async () => {
    const [owner] = await three();
    const project = await makeProject(world, owner);
    const absent = shown(await as.anyone.get("/api/organization/AAAAAAAA"));
    for (const ref of ["nobody", project.id, project.slug, owner.id, "%27%20or%201=1--", "..%2f"])
      expect(shown(await as.anyone.get(`/api/organization/${ref}`))).toEqual(absent);
    expect(absent).toMatchObject({ status: 404, body: { code: "organizationNotFound" } });
    expect(await as.anyone.get(`/api/organization/${"x".repeat(65)}`)).toFail(400, "invalidRequest");
  });

  test("shows permissions to accepted members and moderators only", async () => {
    const [owner, ada, invited] = await three();
    const moderator = await world.make.user({ role: "moderator" });
    const org = await makeOrg(world, owner);
    await addMember(world, org.teamId, ada, { permissions: ["edit_details"], orgPermissions: ["add_project"] });
    await addMember(world, org.teamId, invited, { accepted: false, permissions: ["edit_details"] });
    const seenBy = async (actor: typeof as.anyone) =>
      (await actor.get(`/api/organization/${org.id}`)).body.members.map((member: Record<string, string[]>) => [
        member.permissions,
        member.organisationPermissions,
      ]);
    // Outsiders do not see invitees; an invitee sees themselves.
    const nothing = [
      [[], []],
      [[], []],
    ];
    const everything = [
      [[], []],
      [["edit_details"], ["add_project"]],
      [["edit_details"], []],
    ];
    for (const user of [owner, ada, moderator]) expect(await seenBy(as.user(user))).toEqual(everything);
    expect(await seenBy(await as.token(ada, { scopes: ["organization_read"] }))).toEqual(everything);
    for (const actor of [as.anyone, await as.token(ada, { scopes: ["project_read"] })])
      expect(await seenBy(actor)).toEqual(nothing);
    expect(await seenBy(as.user(invited))).toEqual([...nothing, [[], []]]);
  });
});

describe("getOrganizations", () => {
  test("accepts ids and slugs and keeps their order; duplicates and unknown ones are left out", async () => {
    const [owner, ada] = await three();
    const [a, b, c] = [await makeOrg(world, owner), await makeOrg(world, owner), await makeOrg(world, ada)];
    const { body } = await as.anyone.get(
      `/api/organizations?ids=${c.id},${a.id},AAAAAAAA,${c.id},,${b.slug.toUpperCase()},${b.id}`,
    );
    expect(idsOf(body)).toEqual([c.id, a.id, b.id]);
    expect(body[0].members).toMatchObject([{ userId: ada.id, isOwner: true }]);
  });

  test("accepts 100 ids, but not 101 and not none", async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, at) => `id${at}`).join(",");
    expect((await as.anyone.get(`/api/organizations?ids=${ids(100)}`)).body).toEqual([]);
    const tooMany = await as.anyone.get(`/api/organizations?ids=${ids(101)}`);
    expect(tooMany).toFail(400, "invalidRequest");
    expect(tooMany.body.message).toContain("100");
    for (const query of ["", "?ids=", "?ids=,,", "?ids=a&ids=b"])
      expect(await as.anyone.get(`/api/organizations${query}`)).toFail(400);
  });

  test("shows permissions in each organization according to the caller's membership there", async () => {
    const [owner, ada] = await three();
    const [mine, other] = [await makeOrg(world, owner), await makeOrg(world, owner)];
    await addMember(world, mine.teamId, ada, { permissions: ["edit_details"] });
    const bob = await world.make.user();
    await addMember(world, other.teamId, bob, { permissions: ["edit_details"] });
    const { body } = await as.user(ada).get(`/api/organizations?ids=${mine.id},${other.id}`);
    expect(body.map((org: { members: { permissions: string[] }[] }) => org.members[1]?.permissions)).toEqual([
      ["edit_details"],
      [],
    ]);
  });

  test("needs as many statements for fifty organizations as for one", async () => {
    const [owner] = await three();
    const ids: string[] = [];
    for (let count = 0; count < 50; count++) ids.push((await makeOrg(world, owner)).id);
    const statements = (path: string, actor = as.user(owner)) =>
      leastStatements(async () => expect(await actor.get(path)).toSucceed());
    const one = await statements(`/api/organizations?ids=${ids[0]}`);
    expect(one).toBeGreaterThan(1);
    expect(await statements(`/api/organizations?ids=${ids.join(",")}`)).toBe(one);
    const lonely = await world.make.user();
    await makeOrg(world, lonely);
    const oneOwn = await statements("/api/organization", as.user(lonely));
    expect(await statements("/api/organization")).toBe(oneOwn);
  });
});

describe("getOwnOrganizations and getUserOrganizations", () => {
  test("list only accepted memberships, in the order of joining", async () => {
    const [owner, ada] = await three();
    const [a, b, pending] = [await makeOrg(world, owner), await makeOrg(world, ada), await makeOrg(world, owner)];
    await makeOrg(world, owner);
    await as.user(owner).post(`/api/team/${a.teamId}/invite`, { userName: ada.id });
    await as.user(ada).patch(`/api/team/${a.teamId}/invite`);
    await as.user(owner).post(`/api/team/${pending.teamId}/invite`, { userName: ada.id });
    expect(idsOf((await as.user(ada).get("/api/organization")).body)).toEqual([b.id, a.id]);
    for (const ref of [ada.id, ada.userName, ada.userName.toUpperCase()])
      expect(idsOf((await as.anyone.get(`/api/user/${ref}/organization`)).body)).toEqual([b.id, a.id]);
  });

  test("the own list needs a session or a token with organization_read", async () => {
    const [ada] = await three();
    expect(await as.anyone.get("/api/organization")).toFail(401, "signInNeeded");
    const token = await as.token(ada, { scopes: ["user_read", "organization_write"] });
    expect(await token.get("/api/organization")).toFail(403, "scopeMissing");
    expect((await (await as.token(ada, { scopes: ["organization_read"] })).get("/api/organization")).body).toEqual([]);
  });

  test("an unknown user is answered with 404", async () => {
    expect(await as.anyone.get("/api/user/AAAAAAAA/organization")).toFail(404, "userNotFound");
  });
});

describe("getOrganizationProjects", () => {
  test("lists the projects that the caller may see, most downloads first, then by id", async () => {
    const [owner, member, stranger] = await three();
    const org = await makeOrg(world, owner);
    await addMember(world, org.teamId, member, { permissions: [] });
    const make = (options: object) => makeProject(world, owner, { orgId: org.id, ...options });
    const listed = await make({});
    const archived = await make({ visibility: "archived" });
    const unlisted = await make({ visibility: "unlisted" });
    const hidden = await make({ visibility: "private" });
    const draft = await make({ status: "draft" });
    await makeProject(world, owner);
    const order = [unlisted, draft, listed, hidden, archived];
    for (const [at, project] of order.entries()) await setProject(world, project.id, { downloads: 50 - at });
    const path = `/api/organization/${org.slug}/projects`;
    for (const actor of [as.user(owner), as.user(member)])
      expect(idsOf((await actor.get(path)).body)).toEqual(idsOf(order));
    for (const actor of [as.anyone, as.user(stranger)])
      expect(idsOf((await actor.get(path)).body)).toEqual([unlisted.id, listed.id, archived.id]);
    for (const actor of [as.anyone, as.user(owner)])
      expect(idsOf((await actor.get(`${path}?listedOnly=true`)).body)).toEqual([listed.id, archived.id]);
    const [first] = (await as.anyone.get(path)).body;
    expect(first).toMatchObject({ author: org.slug, isOrgOwned: true, orgName: "Sample organization" });
    expect(first).not.toHaveProperty("members");
    expect(await as.anyone.get("/api/organization/AAAAAAAA/projects")).toFail(404, "organizationNotFound");
  });

  test("needs as many statements for twenty projects as for one", async () => {
    const [owner] = await three();
    const [small, large] = [await makeOrg(world, owner), await makeOrg(world, owner)];
    await makeProject(world, owner, { orgId: small.id });
    for (let count = 0; count < 20; count++) await makeProject(world, owner, { orgId: large.id });
    const statements = (slug: string) => leastStatements(() => as.anyone.get(`/api/organization/${slug}/projects`));
    expect(await statements(small.slug)).toBe(await statements(large.slug));
  });
});
