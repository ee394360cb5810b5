// Inviting by email address: the inviter does not learn whether an account has the address, and anyone with the code in
// the mail can accept.
import { afterAll, describe, expect, test } from "vitest";
import type { TestUser } from "#test/callers/actors.js";
import { heading, location, readPage, submit, wrongWith } from "#test/callers/page-forms.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { startSmtp } from "#test/setup/smtp.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";

const smtp = await startSmtp();
afterAll(() => smtp.stop());
const settings = { MODSHELF_SMTP_URL: smtp.url, MODSHELF_MAIL_FROM: "shelf@example.com" };
const world = await testApp({ settings });
const { as, make, resources, clock, app } = world;
const day = 24 * 60 * 60_000;

async function project() {
  const owner = await make.user();
  const made = await makeProject(world, owner, { name: "Lamps & more", visibility: "private" });
  const path = `/project/${made.slug}/settings/members`;
  const invite = (userName: string, more = {}, by: TestUser = owner) =>
    submit(as.user(by), path, { userName, template: "publisher", ...more });
  return { owner, project: made, teamId: made.teamId, path, invite };
}

const address = () => `${uniqueName()}@elsewhere.example`;
const mailsTo = (email: string) => smtp.messages.filter(({ to }) => to.includes(email.toLowerCase()));
async function codeFor(email: string): Promise<string> {
  await app.jobs.settle();
  return /auth\/invitation\?code=(msc_\w+)/.exec(mailsTo(email).at(-1)?.text ?? "")?.[1] ?? "";
}
const memberships = (teamId: string, user: TestUser) =>
  resources.db
    .selectFrom("team_members")
    .selectAll()
    .where("team_id", "=", teamId)
    .where("user_id", "=", user.id)
    .execute();
const unconfirm = (user: TestUser) =>
  resources.db.updateTable("users").set({ email_verified: 0 }).where("id", "=", user.id).execute();

describe("submitInvitation and inviteToOrganization", () => {
  test("answer the same whether or not an account has the address", async () => {
    const { owner, path, invite, teamId } = await project();
    const known = await make.user();
    const unknown = address();
    const replies = [await invite(known.email), await invite(unknown)];
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([303]));
    expect(new Set(replies.map(location)).size).toBe(1);
    const page = await readPage(as.user(owner), path);
    expect(page.text).toContain(known.email);
    expect(page.text).toContain(unknown);
    expect(page.text).not.toContain(`/user/${known.userName}`);
    expect((await as.user(owner).get(`/api/team/${teamId}/members`)).body).toHaveLength(1);
    await app.jobs.settle();
    for (const email of [known.email, unknown]) expect(mailsTo(email).at(-1)?.text).toContain("Lamps & more");
  });

  test("refuse a second invitation to the same address, in any case, and send one mail", async () => {
    const { invite } = await project();
    const email = address();
    await invite(email);
    const again = await invite(email.toUpperCase());
    expect([again.status, wrongWith(again, "userName")]).toEqual([409, "This email address is already invited."]);
    await app.jobs.settle();
    expect(mailsTo(email)).toHaveLength(1);
  });

  test.each(["@", "a@b", "a b@example.org", "x@example.org, y@example.org", "<a@example.org>"])(
    "refuse %j with a message at the field",
    async (text) => {
      const { invite } = await project();
      const reply = await invite(text);
      expect([reply.status, Boolean(wrongWith(reply, "userName"))]).toEqual([400, true]);
    },
  );

  test("need the permission to invite, and grant only permissions that the inviter may grant", async () => {
    const { invite, teamId } = await project();
    const [nobody, inviter] = [await make.user(), await make.user()];
    await addMember(world, teamId, nobody, { permissions: [] });
    await addMember(world, teamId, inviter, { permissions: ["manage_invites"] });
    expect((await invite(address(), {}, nobody)).status).toBe(403);
    const invited = await make.user();
    expect((await invite(invited.email, { template: "maintainer" }, inviter)).status).toBe(303);
    await submit(as.user(invited), "/dashboard/invitation", { teamId, answer: "accept" });
    expect((await memberships(teamId, invited))[0]).toMatchObject({ accepted: 1, permissions: "[]" });
  });

  test("send no mail to a member of the team, and do not tell the inviter", async () => {
    const { invite, teamId } = await project();
    const member = await make.user();
    await addMember(world, teamId, member);
    expect((await invite(member.email)).status).toBe(303);
    await app.jobs.settle();
    expect(mailsTo(member.email)).toEqual([]);
  });

  test("invite to an organization with a role", async () => {
    const [owner, invited] = [await make.user(), await make.user()];
    const org = await makeOrg(world, owner);
    const path = `/organization/${org.slug}/settings/members`;
    await submit(as.user(owner), path, { userName: invited.email, role: "publisher" });
    expect((await readPage(as.user(owner), path)).text).toContain(invited.email);
    await submit(as.user(invited), "/dashboard/invitation", { teamId: org.teamId, answer: "accept" });
    const [entry] = await memberships(org.teamId, invited);
    expect(entry).toMatchObject({ accepted: 1, role: "Publisher" });
    expect(JSON.parse(entry!.org_permissions)).toContain("add_project");
  });

  test("need mail to be set up", async () => {
    const quiet = await testApp();
    const owner = await quiet.make.user();
    const { slug } = await makeProject(quiet, owner);
    const path = `/project/${slug}/settings/members`;
    expect((await readPage(quiet.as.user(owner), path)).text).not.toContain("email address");
    const reply = await submit(quiet.as.user(owner), path, { userName: address() });
    expect([reply.status, wrongWith(reply, "userName")]).toEqual([
      400,
      "This site does not send email. Enter a username instead",
    ]);
  });
});

describe("getMailedInvitationPage and submitMailedInvitation", () => {
  test("let the reader of the mail join once, with any account", async () => {
    const { project: made, teamId, invite } = await project();
    const email = address();
    await invite(email, { role: "Artist" });
    const code = await codeFor(email);
    const path = `/auth/invitation?code=${code}`;
    expect(location(await readPage(as.anyone, path))).toBe(`/auth/sign-in?next=${encodeURIComponent(path)}`);
    const newcomer = await make.user();
    const page = await readPage(as.user(newcomer), path);
    expect(heading(page)).toBe("Invitation to Lamps &amp; more");
    expect(page.text).toContain("Artist");
    expect(await memberships(teamId, newcomer)).toEqual([]);
    await submit(as.user(newcomer), "/auth/invitation", { code, answer: "accept" });
    expect((await memberships(teamId, newcomer))[0]).toMatchObject({ accepted: 1, role: "Artist" });
    expect(await as.user(newcomer).get(`/api/project/${made.slug}`)).toSucceed();
    const late = await make.user();
    expect((await submit(as.user(late), "/auth/invitation", { code, answer: "accept" })).status).toBe(404);
    expect(await memberships(teamId, late)).toEqual([]);
  });

  test("decline, and delete the code", async () => {
    const { owner, path, teamId, invite } = await project();
    const email = address();
    await invite(email);
    const code = await codeFor(email);
    const user = await make.user();
    expect(location(await submit(as.user(user), "/auth/invitation", { code, answer: "decline" }))).toBe("/dashboard");
    expect((await readPage(as.user(owner), path)).text).not.toContain(email);
    expect(await memberships(teamId, user)).toEqual([]);
  });

  test.each(["", "nonsense", "msc_0000000000000000000000000000000000000000000000000"])(
    "find no invitation for the code %j",
    async (code) => {
      const user = await make.user();
      expect((await readPage(as.user(user), `/auth/invitation?code=${code}`)).status).toBe(404);
      expect((await submit(as.user(user), "/auth/invitation", { code, answer: "accept" })).status).toBe(404);
    },
  );

  test("end after 30 days", async () => {
    const { invite } = await project();
    const email = address();
    await invite(email);
    const code = await codeFor(email);
    const user = await make.user();
    await clock.during(30 * day + 1, async () => {
      expect((await submit(as.user(user), "/auth/invitation", { code, answer: "accept" })).status).not.toBe(303);
    });
  });
});

describe("submitInvitationAnswer", () => {
  test("shows and accepts an invitation to the address that the account has verified", async () => {
    const { owner, teamId, invite } = await project();
    const user = await make.user();
    await invite(user.email);
    const page = await readPage(as.user(user), "/dashboard");
    expect(page.text).toContain(`${owner.userName} invited you to join Lamps &amp; more`);
    expect((await as.user(user).get("/api/notifications")).body[0]).toMatchObject({ type: "team_invite" });
    await submit(as.user(user), "/dashboard/invitation", { teamId, answer: "accept" });
    expect((await memberships(teamId, user))[0]).toMatchObject({ accepted: 1 });
    expect((await as.user(user).get("/api/notifications")).body).toEqual([]);
  });

  test("refuses an account with an unverified address, because any user can enter any address", async () => {
    const { teamId, invite } = await project();
    const impostor = await make.user();
    await unconfirm(impostor);
    await invite(impostor.email);
    expect((await readPage(as.user(impostor), "/dashboard")).text).not.toContain("invited you");
    for (const answer of ["accept", "decline"])
      expect((await submit(as.user(impostor), "/dashboard/invitation", { teamId, answer })).status).toBe(404);
    expect(await as.user(impostor).patch(`/api/team/${teamId}/invite`)).toFail(404);
    expect(await memberships(teamId, impostor)).toEqual([]);
  });

  test("declines through the API as well", async () => {
    const { teamId, invite } = await project();
    const user = await make.user();
    await invite(user.email);
    expect(await as.user(user).post(`/api/team/${teamId}/leave`)).toSucceed();
    expect(await as.user(user).patch(`/api/team/${teamId}/invite`)).toFail(404);
  });
});

describe("an invitation ends", () => {
  /** A project or organization with a member who may invite and who has sent one invitation by mail and one by name. */
  async function promised(kind: "project" | "organization") {
    const [owner, inviter, heir, guest] = [await make.user(), await make.user(), await make.user(), await make.user()];
    const org = await makeOrg(world, owner);
    const inside = await makeProject(world, owner, { orgId: org.id, visibility: "private" });
    const single = await makeProject(world, owner, { visibility: "private" });
    const teamId = kind === "project" ? single.teamId : org.teamId;
    const rights = { permissions: ["manage_invites"], orgPermissions: ["manage_invites"] } as const;
    await addMember(world, teamId, inviter, {
      permissions: [...rights.permissions],
      orgPermissions: [...rights.orgPermissions],
    });
    await addMember(world, teamId, heir);
    const members = (slug: string) => `/project/${slug}/settings/members`;
    const page = kind === "project" ? members(single.slug) : `/organization/${org.slug}/settings/members`;
    const email = address();
    const inviteBy = async (by: TestUser) => {
      expect(
        (await submit(as.user(by), page, { userName: email, role: kind === "project" ? "" : "viewer" })).status,
      ).toBe(303);
      expect(await as.user(by).post(`/api/team/${teamId}/invite`, { userName: guest.userName })).toSucceed();
    };
    const accept = async () => {
      const late = await make.user();
      const code = await codeFor(email);
      const mailed = await submit(as.user(late), "/auth/invitation", { code, answer: "accept" });
      const byName = await as.user(guest).patch(`/api/team/${teamId}/invite`);
      return [mailed.status, byName.status, (await memberships(teamId, late)).length];
    };
    return { owner, inviter, heir, guest, org, inside, teamId, email, inviteBy, accept };
  }

  test.each(["project", "organization"] as const)("when the sender transfers the %s", async (kind) => {
    const { owner, heir, teamId, inviteBy, accept } = await promised(kind);
    await inviteBy(owner);
    expect(await as.user(owner).patch(`/api/team/${teamId}/owner`, { userId: heir.id })).toSucceed();
    expect(await accept()).toEqual([404, 404, 0]);
  });

  test.each(["project", "organization"] as const)("when the sender leaves the %s", async (kind) => {
    const { owner, inviter, teamId, inviteBy, accept } = await promised(kind);
    await inviteBy(inviter);
    const [{ id } = { id: "" }] = await memberships(teamId, inviter);
    expect(await as.user(owner).delete(`/api/team/${teamId}/member/${id}`)).toSucceed();
    expect(await accept()).toEqual([404, 404, 0]);
  });

  test.each(["project", "organization"] as const)("not when another user transfers the %s", async (kind) => {
    const { owner, inviter, heir, teamId, inviteBy, accept } = await promised(kind);
    await inviteBy(inviter);
    expect(await as.user(owner).patch(`/api/team/${teamId}/owner`, { userId: heir.id })).toSucceed();
    expect(await accept()).toEqual([303, 200, 1]);
  });

  test("in the projects of an organization when the organization is transferred", async () => {
    const { owner, heir, org, inside, guest } = await promised("organization");
    expect(await as.user(owner).post(`/api/team/${inside.teamId}/invite`, { userName: guest.userName })).toSucceed();
    const email = address();
    await submit(as.user(owner), `/project/${inside.slug}/settings/members`, { userName: email });
    const code = await codeFor(email);
    expect(await as.user(owner).patch(`/api/team/${org.teamId}/owner`, { userId: heir.id })).toSucceed();
    expect(await as.user(guest).patch(`/api/team/${inside.teamId}/invite`)).toFail(404);
    expect((await submit(as.user(guest), "/auth/invitation", { code, answer: "accept" })).status).toBe(404);
    expect(await as.user(guest).get(`/api/project/${inside.id}`)).toFail(404);
    expect((await as.user(guest).get("/api/notifications")).body).toEqual([]);
  });
});

test("submitMailInvitationWithdrawal invalidates the link in the mail and deletes the notification", async () => {
  const { owner, teamId, path, invite } = await project();
  const user = await make.user();
  await invite(user.email);
  const code = await codeFor(user.email);
  const inviteId = /name="inviteId" value="([^"]+)"/.exec((await readPage(as.user(owner), path)).text)![1]!;
  const withdraw = (by: TestUser) =>
    submit(as.user(by), "/dashboard/mail-invitation", { teamId, inviteId, next: path });
  expect((await withdraw(await make.user())).status).toBe(404);
  expect(location(await withdraw(owner))).toBe(path);
  expect((await withdraw(owner)).status).toBe(404);
  expect((await submit(as.user(user), "/auth/invitation", { code, answer: "accept" })).status).toBe(404);
  expect((await as.user(user).get("/api/notifications")).body).toEqual([]);
});

test("suggestPeople returns usernames with the given prefix, for signed-in users only", async () => {
  const start = uniqueName("Sug").slice(0, 8);
  const [first, second] = [
    await make.user({ userName: `${start}_One` }),
    await make.user({ userName: `${start}x-two` }),
  ];
  const ask = (q: string) => as.user(first).get(`/dashboard/people?q=${encodeURIComponent(q)}`);
  expect((await ask(start.toLowerCase())).body).toEqual([first.userName, second.userName]);
  // The underscore is matched literally, not as a wildcard.
  expect((await ask(`${start}_`)).body).toEqual([first.userName]);
  expect((await ask("%%")).body).toEqual([]);
  expect(await ask("a")).toFail(400);
  expect(await as.anyone.get(`/dashboard/people?q=${start}`)).toFail(401);
});
