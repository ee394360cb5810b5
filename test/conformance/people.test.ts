// Organizations and users: the rows of section 4, and which of a user's projects a guest can see.
import { describe, expect } from "vitest";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { conforms } from "./conforms.js";
import { conformanceWorld, good } from "./world.js";

const world = await conformanceWorld();
const { as, make } = world;
const get = async (path: string, actor = as.anyone) => good(await actor.get(path));
const idsOf = (items: { id: string }[]): string[] => items.map(({ id }) => id);

describe("organizations", () => {
  conforms({ "4.organization.get": "GET | /api/organization/{ID|slug} | none | Organization" }, async () => {
    const owner = await make.user();
    const org = await makeOrg(world, owner, { name: "Lamp makers", description: "We make lamps" });
    const answer = await get(`/api/organization/${org.slug}`);
    expect(answer).toEqual({
      id: org.id,
      teamId: org.teamId,
      name: "Lamp makers",
      slug: org.slug,
      icon: expect.stringMatching(/^http/),
      description: "We make lamps",
      members: [expect.objectContaining({ userId: owner.id, teamId: org.teamId, role: "Owner", isOwner: true })],
    });
    expect(await get(`/api/organization/${org.id}`)).toEqual(answer);
    expect(await as.anyone.get("/api/organization/no-such")).toFail(404, "organizationNotFound");
  });

  conforms(
    {
      "4.organization.projects":
        "GET | /api/organization/{ID|slug}/projects | none | array of ProjectListItem (same as user projects)",
    },
    async () => {
      const [owner, stranger] = [await make.user(), await make.user()];
      const org = await makeOrg(world, owner);
      expect(await get(`/api/organization/${org.id}/projects`)).toEqual([]);
      const shown = [];
      for (const visibility of ["listed", "unlisted", "archived"] as const)
        shown.push((await makeProject(world, owner, { orgId: org.id, visibility })).id);
      const hidden = [
        (await makeProject(world, owner, { orgId: org.id, visibility: "private" })).id,
        (await makeProject(world, owner, { orgId: org.id, status: "draft" })).id,
      ];
      for (const actor of [as.anyone, as.user(stranger)])
        expect(idsOf(await get(`/api/organization/${org.slug}/projects`, actor)).sort()).toEqual([...shown].sort());
      const all = idsOf(await get(`/api/organization/${org.slug}/projects`, as.user(owner)));
      expect(all.sort()).toEqual([...shown, ...hidden].sort());
      const [item] = await get(`/api/organization/${org.slug}/projects`);
      expect(await get(`/api/projects?ids=${item.id}`)).toEqual([item]);
    },
  );

  conforms(
    {
      "4.organizations.list": "GET | /api/organizations?ids=ID1,ID2 | ids (string[], max 100) | array of Organization",
    },
    async () => {
      const owner = await make.user();
      const [a, b] = [await makeOrg(world, owner), await makeOrg(world, owner)];
      expect(await get(`/api/organizations?ids=${b.id},AAAAAAAA,${a.id}`)).toEqual([
        await get(`/api/organization/${b.id}`),
        await get(`/api/organization/${a.id}`),
      ]);
    },
  );

  conforms(
    {
      "4.organization.own":
        "GET | /api/organization | none; authentication required | array of the current user's organizations",
      "4.organization.ofUser":
        "GET | /api/user/{userId}/organization | none | array of organizations the user is a member of",
    },
    async () => {
      const [owner, member, invited] = [await make.user(), await make.user(), await make.user()];
      const [org, other] = [await makeOrg(world, owner), await makeOrg(world, owner)];
      await addMember(world, org.teamId, member);
      await addMember(world, org.teamId, invited, { accepted: false });
      expect(await as.anyone.get("/api/organization")).toFail(401, "signInNeeded");
      for (const [user, expected] of [
        [owner, [org.id, other.id]],
        [member, [org.id]],
        [invited, []],
      ] as const) {
        expect(idsOf(await get("/api/organization", as.user(user))).sort()).toEqual([...expected].sort());
        expect(idsOf(await get(`/api/user/${user.id}/organization`)).sort()).toEqual([...expected].sort());
      }
      expect(await get(`/api/user/${member.id}/organization`)).toEqual([await get(`/api/organization/${org.id}`)]);
      const byToken = await as.token(member, { scopes: ["organization_read"] });
      expect(idsOf(await get("/api/organization", byToken))).toEqual([org.id]);
      expect(await as.anyone.get("/api/user/nobody-at-all/organization")).toFail(404, "userNotFound");
    },
  );
});

describe("users", () => {
  conforms(
    {
      "4.user.get": "GET | path of the single-user lookup: not shown | | User",
      "4.users.list":
        "GET | path of the multiple-users lookup: not shown | ids (string[], max 100, comma-separated, not JSON encoded) | array of User",
    },
    async () => {
      const [a, b] = [await make.user(), await make.user()];
      const user = await get(`/api/user/${a.id}`);
      expect(user).toEqual({
        id: a.id,
        name: a.userName,
        userName: a.userName,
        role: "user",
        avatar: expect.stringMatching(/^http/),
        bio: null,
        dateJoined: expect.stringMatching(/Z$/),
        profilePageBg: null,
      });
      expect(await get(`/api/user/${a.userName}`)).toEqual(user);
      expect(await get(`/api/users?ids=${b.id},${a.id}`)).toEqual([await get(`/api/user/${b.id}`), user]);
      expect(await as.anyone.get("/api/user/nobody-at-all")).toFail(404, "userNotFound");
    },
  );

  conforms(
    {
      "4.user.projects": "GET | /api/user/{ID|username}/projects | none | array of ProjectListItem",
      "3.userProjects":
        "Unauthenticated requests and requests from other users to the user-projects endpoint only return projects whose visibility is listed, unlisted or archived.",
    },
    async () => {
      const [owner, stranger] = [await make.user(), await make.user()];
      const made: Record<string, string> = {};
      for (const visibility of ["listed", "unlisted", "archived", "private"] as const)
        made[visibility] = (await makeProject(world, owner, { visibility })).id;
      const path = `/api/user/${owner.userName}/projects`;
      const visibilities = async (actor = as.anyone) =>
        (await get(path, actor)).map((item: { visibility: string }) => item.visibility).sort();
      for (const actor of [
        as.anyone,
        as.user(stranger),
        await as.token(stranger, { scopes: ["project_read", "user_read"] }),
      ])
        expect(await visibilities(actor)).toEqual(["archived", "listed", "unlisted"]);
      expect(await visibilities(as.user(owner))).toEqual(["archived", "listed", "private", "unlisted"]);
      expect(await get(`/api/user/${owner.id}/projects`)).toEqual(await get(path));
      const [item] = (await get(path)).filter(({ id }: { id: string }) => id === made.listed);
      expect(await get(`/api/projects?ids=${made.listed}`)).toEqual([item]);
      expect(await as.anyone.get("/api/user/nobody-at-all/projects")).toFail(404, "userNotFound");
    },
  );
});
