// Transferring a project or an organization on the website: the owner offers it, the other user accepts. There is
// always exactly one owner.
import { describe, expect, test } from "vitest";
import type { TestUser } from "#test/callers/actors.js";
import { location, readPage, submit } from "#test/callers/page-forms.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { teamWorld } from "#test/worlds/team-world.js";

const world = await teamWorld();
const { as, make, clock, owners, notices, entry, resources } = world;
const day = 24 * 60 * 60_000;

type Kind = "project" | "organization";

/** A project or organization with an owner and a member, and the pages for transferring it. */
async function owned(kind: Kind) {
  const [owner, heir] = [await make.user(), await make.user()];
  const thing = kind === "project" ? await makeProject(world, owner) : await makeOrg(world, owner);
  await addMember(world, thing.teamId, heir);
  const members = `/${kind}/${thing.slug}/settings/members`;
  const heirId = (await entry(thing.teamId, heir))!.id;
  const path = kind === "project" ? `${members}/${heirId}/transfer` : `${members}/transfer`;
  const offer = (by: TestUser = owner) =>
    submit(as.user(by), path, kind === "project" ? {} : { userId: heir.id, confirm: thing.slug });
  const answer = (by: TestUser, word: string, next = members) =>
    submit(as.user(by), "/dashboard/offer", { teamId: thing.teamId, answer: word, next });
  return { owner, heir, thing, teamId: thing.teamId, members, path, offer, answer };
}

describe.each<Kind>(["project", "organization"])("submitTransfer and submitOfferAnswer for a %s", (kind) => {
  test("change nothing before the other user accepts, and then only the owner", async () => {
    const { owner, heir, teamId, members, offer, answer } = await owned(kind);
    expect((await offer()).status).toBe(303);
    expect(await owners(teamId)).toEqual([owner.id]);
    expect((await readPage(as.user(owner), members)).text).toContain(`You offered ownership to ${heir.userName}`);
    const asked = await readPage(as.user(heir), members);
    expect(asked.text).toContain("You are offered ownership");
    expect(location(await answer(heir, "accept"))).toBe(members);
    expect(await owners(teamId)).toEqual([heir.id]);
    expect(await entry(teamId, owner)).toMatchObject({ is_owner: 0, accepted: 1, permissions: "[]" });
    expect((await readPage(as.user(heir), members)).text).not.toContain("You are offered ownership");
    expect((await notices(owner)).map(({ type }) => type)).toContain("ownership_taken");
    expect((await notices(heir)).map(({ type }) => type)).not.toContain("ownership_offer");
    expect((await answer(heir, "accept")).status).toBe(404);
  });

  test("can be declined by the other user and withdrawn by the owner; no other user can answer", async () => {
    const { owner, heir, teamId, offer, answer } = await owned(kind);
    const [stranger, member] = [await make.user(), await make.user()];
    await addMember(world, teamId, member);
    await offer();
    for (const other of [stranger, member, owner]) expect((await answer(other, "accept")).status).toBe(404);
    for (const other of [stranger, member, heir]) expect((await answer(other, "withdraw")).status).toBe(403);
    expect((await answer(heir, "decline")).status).toBe(303);
    expect((await notices(owner)).map(({ type }) => type)).toContain("ownership_declined");
    expect((await answer(heir, "accept")).status).toBe(404);
    await offer();
    expect((await answer(owner, "withdraw")).status).toBe(303);
    expect((await answer(owner, "withdraw")).status).toBe(404);
    expect((await answer(heir, "accept")).status).toBe(404);
    expect(await owners(teamId)).toEqual([owner.id]);
  });

  test("need a sign-in of the owner within the last ten minutes", async () => {
    const { owner, path, offer, teamId } = await owned(kind);
    await clock.during(11 * 60_000, async () => {
      expect((await readPage(as.user(owner), path)).text).toContain("/auth/sign-in?again=1");
      expect((await offer()).status).toBe(403);
    });
    expect(
      await resources.db.selectFrom("ownership_offers").selectAll().where("team_id", "=", teamId).execute(),
    ).toEqual([]);
  });

  test("are refused for users who do not own it, including the user who would get it", async () => {
    const { heir, offer, teamId, owner } = await owned(kind);
    const admin = await make.user({ role: "moderator" });
    for (const other of [heir, admin]) expect((await offer(other)).status, other.userName).toBe(403);
    expect(await owners(teamId)).toEqual([owner.id]);
  });

  test("end when the other user leaves the team, and after two weeks", async () => {
    const { owner, heir, teamId, offer, answer } = await owned(kind);
    await offer();
    await as.user(heir).post(`/api/team/${teamId}/leave`);
    await addMember(world, teamId, heir);
    expect((await answer(heir, "accept")).status).toBe(404);
    const second = await owned(kind);
    await second.offer();
    await clock.during(14 * day + 1, async () => {
      expect((await second.answer(second.heir, "accept")).status).toBe(404);
    });
    expect(await owners(teamId)).toEqual([owner.id]);
  });

  test("end when the owner transfers it through the API", async () => {
    const { owner, heir, teamId, offer, answer } = await owned(kind);
    const other = await make.user();
    await addMember(world, teamId, other);
    await offer();
    expect(await as.user(owner).patch(`/api/team/${teamId}/owner`, { userId: other.id })).toSucceed();
    expect((await answer(heir, "accept")).status).toBe(404);
    expect(await owners(teamId)).toEqual([other.id]);
  });

  test("are on the dashboard and among the notifications of the other user, in both languages", async () => {
    const { owner, heir, offer, thing } = await owned(kind);
    await offer();
    const page = await readPage(as.user(heir), "/dashboard");
    expect(page.text).toContain(`${owner.userName} wants to transfer`);
    expect(page.text).toContain("Accept ownership");
    const { text } = await as
      .user(heir)
      .get("/dashboard/notifications", { headers: { accept: "text/html", "accept-language": "de" } });
    expect(text).toContain("möchte dir die Inhaberschaft von");
    expect(text).toContain(`/${kind}/${thing.slug}/settings/members`);
  });
});

test("submitOfferAnswer twice at the same time transfers a project once", async () => {
  const { heir, teamId, offer, answer } = await owned("project");
  await offer();
  const replies = await Promise.all([answer(heir, "accept"), answer(heir, "accept"), answer(heir, "decline")]);
  expect(replies.filter(({ status }) => status === 303)).toHaveLength(1);
  expect(await owners(teamId)).toHaveLength(1);
});

test("an offer of ownership ends when the project joins an organization", async () => {
  const { owner, heir, teamId, thing, offer, answer } = await owned("project");
  await offer();
  const org = await makeOrg(world, owner);
  expect(await as.user(owner).post(`/api/organization/${org.id}/projects`, { projectId: thing.id })).toSucceed();
  expect((await answer(heir, "accept")).status).toBe(404);
  expect(await owners(teamId)).toEqual([]);
});
