// A project's team, webhooks, figures and review, with forms.
import { describe, expect, test } from "vitest";
import type { TestUser } from "#test/callers/actors.js";
import { heading, location, readPage, submit, typed, wrongWith } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, clock, resources } = world;

async function ownProject(options = {}) {
  const user = await make.user();
  const project = await makeProject(world, user, options);
  const actor = as.user(user);
  const read = async () => (await actor.get(`/api/project/${project.id}`)).body.project;
  const memberOf = async (other: TestUser) =>
    (await read()).members.find(({ userId }: { userId: string }) => userId === other.id);
  return {
    user,
    project,
    actor,
    read,
    memberOf,
    top: `/project/${project.slug}`,
    path: `/project/${project.slug}/settings`,
  };
}

describe("getMemberSettingsPage and submitInvitation", () => {
  test("invite with a role that sets the permissions", async () => {
    const { actor, path, memberOf } = await ownProject();
    const [publisher, single, nobody] = [await make.user(), await make.user(), await make.user()];
    expect(heading(await readPage(actor, `${path}/members`))).toBe("Members");
    await submit(actor, `${path}/members`, { userName: publisher.userName, template: "publisher", role: "Builder" });
    expect(await memberOf(publisher)).toMatchObject({
      ...{ accepted: false, role: "Builder" },
      permissions: ["upload_version", "delete_version", "view_analytics"],
    });
    await submit(actor, `${path}/members`, {
      userName: single.userName,
      template: "custom",
      permissions: ["edit_details", "nonsense"],
    });
    expect((await memberOf(single)).permissions).toEqual(["edit_details"]);
    await submit(actor, `${path}/members`, { userName: nobody.userName, template: "custom" });
    expect((await memberOf(nobody)).permissions).toEqual([]);
    expect((await readPage(actor, `${path}/members`)).text).toContain("not accepted yet");
  });

  test("say beside the field who cannot be invited", async () => {
    const { actor, path, user } = await ownProject();
    for (const userName of ["nobody-is-called-so", user.userName, ""]) {
      const page = await submit(actor, `${path}/members`, { userName, template: "viewer" });
      expect(
        [page.status >= 400, Boolean(wrongWith(page, "userName")), typed(page, "userName") ?? ""],
        userName,
      ).toEqual([true, true, userName]);
    }
  });

  test("give no permissions if the member can only invite", async () => {
    const { path, project, memberOf } = await ownProject();
    const [inviter, invited] = [await make.user(), await make.user()];
    await addMember(world, project.teamId, inviter, { permissions: ["manage_invites"] });
    const given = { userName: invited.userName, template: "maintainer" };
    expect((await submit(as.user(inviter), `${path}/members`, given)).status).toBe(303);
    expect((await memberOf(invited)).permissions).toEqual([]);
    const stranger = await make.user();
    await addMember(world, project.teamId, stranger, { permissions: [] });
    expect((await submit(as.user(stranger), `${path}/members`, given)).status).toBe(403);
  });
});

describe("submitMember", () => {
  test("changes role and permissions, as far as the caller may", async () => {
    const { actor, path, project, memberOf } = await ownProject();
    const [member, other] = [await make.user(), await make.user()];
    await addMember(world, project.teamId, member, { permissions: ["edit_details"] });
    await addMember(world, project.teamId, other, { permissions: ["edit_member"] });
    const { id } = await memberOf(member);
    await submit(actor, `${path}/members/${id}`, { role: "Artist", permissions: ["edit_details", "view_analytics"] });
    expect(await memberOf(member)).toMatchObject({ role: "Artist", permissions: ["edit_details", "view_analytics"] });
    const greedy = await submit(as.user(other), `${path}/members/${id}`, {
      role: "x",
      permissions: ["delete_project"],
    });
    expect([greedy.status, greedy.text.includes("Only the owner can do this")]).toEqual([403, true]);
    const long = await submit(actor, `${path}/members/${id}`, { role: "x".repeat(99), permissions: [] });
    expect(long.status).toBe(400);
    expect((await memberOf(member)).role).toBe("Artist");
  });
});

describe("leaving and transferring", () => {
  test("getRemoveMemberPage asks for confirmation, submitRemoveMember removes", async () => {
    const { actor, path, project, memberOf, user } = await ownProject();
    const member = await make.user();
    await addMember(world, project.teamId, member);
    const { id } = await memberOf(member);
    expect(heading(await readPage(actor, `${path}/members/${id}/remove`))).toBe(`Remove ${member.userName}`);
    expect(location(await submit(actor, `${path}/members/${id}/remove`))).toBe(`${path}/members?done=saved`);
    expect(await memberOf(member)).toBeUndefined();
    expect((await readPage(actor, `${path}/members/${id}/remove`)).status).toBe(404);
    const own = await memberOf(user);
    expect((await submit(actor, `${path}/members/${own.id}/remove`)).status).toBe(409);
  });

  test("getTransferPage needs a recent sign-in, submitTransfer offers the ownership", async () => {
    const { actor, path, project, memberOf } = await ownProject();
    const heir = await make.user();
    await addMember(world, project.teamId, heir);
    const { id } = await memberOf(heir);
    await clock.during(11 * 60_000, async () => {
      expect((await readPage(actor, `${path}/members/${id}/transfer`)).text).toContain("/auth/sign-in?again=1");
      expect((await submit(actor, `${path}/members/${id}/transfer`)).status).toBe(403);
    });
    expect((await submit(as.user(heir), `${path}/members/${id}/transfer`)).status).toBe(403);
    expect((await submit(actor, `${path}/members/${id}/transfer`)).status).toBe(303);
    // It is only an offer; content/teams/ownership.test.ts tests the rest.
    expect((await memberOf(heir)).isOwner).toBe(false);
  });

  test("getLeavePage asks for confirmation, submitLeave leaves; the owner stays", async () => {
    const { actor, path, project, memberOf } = await ownProject();
    const member = await make.user();
    await addMember(world, project.teamId, member);
    expect(heading(await readPage(as.user(member), `${path}/leave`))).toBe("Leave team");
    expect(location(await submit(as.user(member), `${path}/leave`))).toMatch(/^\/dashboard/);
    expect(await memberOf(member)).toBeUndefined();
    expect((await submit(actor, `${path}/leave`)).status).toBe(409);
  });
});

describe("getMoveProjectPage and submitMoveProject", () => {
  test("show the permissions before and after, move the project in, and out again", async () => {
    const { actor, user, path, project, read } = await ownProject();
    const org = await makeOrg(world, user);
    const [editor, colleague] = [await make.user(), await make.user()];
    await addMember(world, project.teamId, editor, { permissions: ["edit_details"] });
    await addMember(world, org.teamId, colleague, { permissions: ["upload_version"] });
    const page = await readPage(actor, `${path}/move?org=${org.slug}`);
    const row = (name: string) =>
      new RegExp(`<th scope="row">${name}</th><td>([^<]*)</td><td>([^<]*)</td>`).exec(page.text)?.slice(1);
    expect(row(editor.userName)).toEqual(["Edit details, tags, links and gallery", "not a member"]);
    expect(row(colleague.userName)).toEqual(["not a member", "Publish and edit versions"]);
    expect(row(user.userName)).toEqual(["everything (owner)", "everything (owner)"]);
    const wrong = await submit(actor, `${path}/move`, { org: org.slug, confirm: "x" });
    expect([wrong.status, Boolean(wrongWith(wrong, "confirm"))]).toEqual([400, true]);
    expect((await submit(actor, `${path}/move`, { org: org.slug, confirm: project.slug })).status).toBe(303);
    expect((await read()).orgId).toBe(org.id);
    expect(heading(await readPage(actor, `${path}/move`))).toBe("Remove from organization");
    expect((await submit(actor, `${path}/move`, { confirm: project.slug })).status).toBe(303);
    expect((await read()).orgId).toBeNull();
  });

  test("are for the owner, and for organizations that they may add projects to", async () => {
    const { actor, path, project } = await ownProject();
    const member = await make.user();
    await addMember(world, project.teamId, member);
    expect((await readPage(as.user(member), `${path}/move`)).status).toBe(403);
    const foreign = await makeOrg(world, await make.user());
    expect((await readPage(actor, `${path}/move?org=${foreign.slug}`)).text).not.toContain(
      "Permissions before and after",
    );
    expect((await submit(actor, `${path}/move`, { org: foreign.slug, confirm: project.slug })).status).toBe(403);
  });
});

describe("getPublishingSettingsPage, submitWebhook and submitWebhookEdit", () => {
  const good = {
    url: "https://hooks.example.org/x",
    form: "standard",
    events: ["version.published", "version.yanked"],
  };

  test("show a workflow for this project, and a secret once", async () => {
    const { actor, path, project } = await ownProject();
    const page = await readPage(actor, `${path}/publishing`);
    expect(page.text).toContain(`/api/project/${project.slug}/version`);
    const made = await submit(actor, `${path}/publishing`, good);
    expect(made.status).toBe(200);
    const secret = /whsec_[\w+/=]+/.exec(made.text)?.[0];
    expect(secret).toBeTruthy();
    expect((await readPage(actor, `${path}/publishing`)).text).not.toContain(secret);
    const { body } = await actor.get(`/api/project/${project.slug}/webhooks`);
    const hook = `${path}/publishing/${body[0].id}`;
    expect((await submit(actor, hook, { act: "rotate" })).text).toMatch(/whsec_/);
    expect((await submit(actor, hook, { act: "ping" })).status).toBe(303);
    expect(
      (await submit(actor, hook, { act: "save", url: "https://b.example.org/", events: ["project.edited"] })).status,
    ).toBe(303);
    expect((await actor.get(`/api/project/${project.slug}/webhooks`)).body[0]).toMatchObject({
      ...{ url: "https://b.example.org/", events: ["project.edited"], enabled: false },
    });
    const page2 = await readPage(actor, `${path}/publishing`);
    expect(page2.text).toContain("<code>ping</code>");
    expect(page2.text).toContain(`placeholder="https://b.example.org/"`);
    expect((await submit(actor, hook, { act: "save", url: " ", events: ["version.edited"] })).status).toBe(303);
    expect((await actor.get(`/api/project/${project.slug}/webhooks`)).body[0]).toMatchObject({
      ...{ url: "https://b.example.org/", events: ["version.edited"] },
    });
  });

  test("show problems beside the field, for a new and for an existing webhook", async () => {
    const { actor, path, project } = await ownProject();
    const inside = await submit(actor, `${path}/publishing`, { ...good, url: "https://127.0.0.1/" });
    expect([inside.status, Boolean(wrongWith(inside, "url")), typed(inside, "url")]).toEqual([
      400,
      true,
      "https://127.0.0.1/",
    ]);
    expect((await submit(actor, `${path}/publishing`, { ...good, events: [] })).status).toBe(400);
    await submit(actor, `${path}/publishing`, { ...good, form: "discord" });
    const [hook] = (await actor.get(`/api/project/${project.slug}/webhooks`)).body;
    const bad = await submit(actor, `${path}/publishing/${hook.id}`, {
      act: "save",
      url: "http://x",
      events: ["nonsense"],
    });
    expect(bad.status).toBe(400);
  });

  test("getDeleteWebhookPage asks first, submitDeleteWebhook deletes; another project's is not found", async () => {
    const [own, other] = [await ownProject(), await ownProject()];
    await submit(own.actor, `${own.path}/publishing`, good);
    const [hook] = (await own.actor.get(`/api/project/${own.project.slug}/webhooks`)).body;
    expect((await readPage(other.actor, `${other.path}/publishing/${hook.id}/delete`)).status).toBe(404);
    expect((await submit(other.actor, `${other.path}/publishing/${hook.id}/delete`)).status).toBe(404);
    expect(heading(await readPage(own.actor, `${own.path}/publishing/${hook.id}/delete`))).toBe("Delete webhook");
    expect((await submit(own.actor, `${own.path}/publishing/${hook.id}/delete`)).status).toBe(303);
    expect((await own.actor.get(`/api/project/${own.project.slug}/webhooks`)).body).toEqual([]);
  });
});

describe("getAnalyticsSettingsPage", () => {
  test("shows views and downloads with today's, referrers, countries and groups, to members who may see them", async () => {
    const { actor, user, path, project } = await ownProject();
    expect((await readPage(actor, `${path}/analytics`)).text).toContain("No views or downloads in this period");
    const version = await makeVersion(world, user, project.id, { versionNumber: "7.7", loaders: ["quilt"] });
    const day = Math.floor(clock.now() / 86_400_000) - 2;
    const row = { project_id: project.id, version_id: version.id, country: "DE", day, count: 41 };
    const { db } = resources;
    await db
      .insertInto("download_days")
      .values([row, { ...row, day: day + 2, count: 5 }])
      .execute();
    const view = { project_id: project.id, day };
    await db
      .insertInto("view_days")
      .values([
        { ...view, country: "NZ", count: 60 },
        { ...view, day: day + 2, country: "", count: 9 },
      ])
      .execute();
    const hosts = Array.from({ length: 25 }, (_, n) => ({ ...view, host: `h${n}.example`, count: 1 }));
    await db
      .insertInto("view_referrers")
      .values([
        ...hosts,
        { ...view, host: "self", count: 29 },
        { ...view, host: "other", count: 6 },
        { ...view, host: "direct", day: day + 2, count: 9 },
      ])
      .execute();
    const { text } = await readPage(actor, `${path}/analytics?by=loader&range=previous_90_days`);
    for (const [name, count] of [
      ["Views", "69"],
      ["Downloads", "46"],
      ["Views today, so far", "9"],
      ["Downloads today, so far", "5"],
    ])
      expect(text).toContain(`<dt>${name}</dt><dd>${count}</dd>`);
    expect(text.match(/class="bar"/g)).toHaveLength(90);
    expect(text).toMatch(/class="bar open"[^>]*><title>[^<]*\(today, so far\): Views 9, Downloads 5</);
    expect(text).toMatch(/\(today, so far\)<\/th><td class="number">9<\/td><td class="number">5<\/td>/);
    const cells = (name: string) =>
      new RegExp(`<th scope="row">${name}</th>((?:<td[^>]*>[^<]*</td>)+)`).exec(text)?.[1];
    expect(cells("This site")).toContain(">29<");
    expect(cells("Direct or unknown")).toContain(">9<");
    // Seven of the hosts are not among the first 20, and six were not stored by name.
    expect(cells("Other websites")).toContain(">13<");
    expect(cells("Germany")).toContain('>0</td><td class="number">46<');
    expect(cells("New Zealand")).toContain('>60</td><td class="number">0<');
    // By downloads, like the table of projects.
    expect(text.indexOf("Germany")).toBeLessThan(text.indexOf("New Zealand"));
    expect(text).toContain("Quilt");
    expect(text).toContain("/api/analytics/views?projectIds=");
    expect((await readPage(actor, `${path}/analytics?lang=de`)).text).toContain("Neuseeland");
    expect((await readPage(actor, `${path}/analytics`)).text).toContain("7.7");
    expect((await readPage(actor, `${path}/analytics?by=nonsense&range=nonsense`)).status).toBe(200);
    expect((await readPage(actor, `${path}/analytics?range=all_time`)).text).not.toContain("h9.example");
    const member = await make.user();
    await addMember(world, project.teamId, member, { permissions: ["edit_details"] });
    const closed = await readPage(as.user(member), `${path}/analytics`);
    expect([closed.status, closed.text.includes("h0.example")]).toEqual([403, false]);
  });

  test("says why countries are unknown, and to administrators which setting changes that", async () => {
    const { actor, path, project } = await ownProject();
    const today = Math.floor(clock.now() / 86_400_000);
    await resources.db
      .insertInto("view_days")
      .values({ project_id: project.id, day: today, country: "", count: 3 })
      .execute();
    const { text } = await readPage(actor, `${path}/analytics`);
    expect(text).toContain("no proxy in front of it reports them");
    expect(text).not.toContain("MODSHELF_COUNTRY_HEADER");
    const admin = await make.user({ role: "admin" });
    await make.confirmed(admin);
    expect((await readPage(as.user(admin), `${path}/analytics`)).text).toContain("MODSHELF_COUNTRY_HEADER");
  });
});

describe("getProjectModerationPage, submitForReview, submitWithdrawal and submitThreadReply", () => {
  async function draft(options = {}) {
    const own = await ownProject({ status: "draft", description: "Lamps", license: "MIT", ...options });
    return { ...own, page: `${own.top}/moderation` };
  }

  test("lead from an incomplete draft to the queue, with position and waiting time", async () => {
    const { actor, user, top, page, project } = await draft({ description: "", license: "" });
    const gaps = await readPage(actor, page);
    expect(gaps.text).toContain("3 required items are missing.");
    const early = await submit(actor, `${top}/submit`, {});
    expect([early.status, early.text.includes("Add a version")]).toEqual([409, true]);
    await makeVersion(world, user, project.id);
    await submit(actor, `${top}/settings/license`, { id: "MIT", next: `${page}#checklist` });
    await actor.patch(`/api/project/${project.id}/description`, { description: "Lamps" });
    const ready = await readPage(actor, page);
    expect(ready.text).toContain("Submit for review");
    const sent = await submit(actor, `${top}/submit`, { note: "Please be kind" });
    expect(location(sent)).toBe(`${page}?did=submitted`);
    const queued = await readPage(actor, location(sent)!);
    for (const words of ["In review", "in the queue", "Please be kind", "Withdraw submission"])
      expect(queued.text).toContain(words);
    expect((await submit(actor, `${top}/submit`, {})).status).toBe(409);
    expect(location(await submit(actor, `${top}/withdraw`))).toBe(`${page}?did=withdrawn`);
    expect((await submit(actor, `${top}/withdraw`)).status).toBe(409);
  });

  test("show the author of a rejected project the requested changes, and accept it again", async () => {
    const { actor, user, top, page, project } = await draft();
    await makeVersion(world, user, project.id);
    await submit(actor, `${top}/submit`, {});
    const moderator = as.user(await make.user({ role: "moderator" }));
    const decision = { status: "rejected", reason: "licence", message: "Which licence has the music?" };
    expect(await moderator.post(`/api/moderation/project/${project.id}`, decision)).toSucceed();
    const refused = await readPage(actor, page);
    for (const words of ["Not approved", "Which licence has the music?", `${top}/settings/license`, 'value="licence"'])
      expect(refused.text).toContain(words);
    const soon = await submit(actor, `${top}/submit`, { fixed: ["licence"], note: "It is mine" });
    expect([soon.status, soon.text.includes("It is mine")]).toEqual([409, true]);
    await clock.during(4 * 3_600_000, async () => {
      expect((await submit(actor, `${top}/submit`, { fixed: ["licence", "<b>"], note: "It is mine" })).status).toBe(
        303,
      );
      const again = await readPage(actor, page);
      expect(again.text).toContain("Fixed: Missing or wrong license.");
      expect(again.text).toContain("It is mine");
    });
  });

  test("send messages to the moderators, and show problems with one", async () => {
    const { actor, page, project, top } = await draft();
    expect(location(await submit(actor, page, { say: " Hello \u05e9\u05dc\u05d5\u05dd " }))).toBe(
      `${page}?did=sent#thread`,
    );
    expect((await readPage(actor, page)).text).toContain("Hello \u05e9\u05dc\u05d5\u05dd");
    const blank = await submit(actor, page, { say: "  " });
    expect([blank.status, Boolean(wrongWith(blank, "say"))]).toEqual([400, true]);
    const long = await submit(actor, page, { say: "x".repeat(2049) });
    expect([long.status, long.text.includes("x".repeat(2049))]).toEqual([400, true]);
    const member = await make.user();
    await addMember(world, project.teamId, member, { permissions: [] });
    expect((await submit(as.user(member), `${top}/submit`, {})).status).toBe(403);
    expect((await readPage(as.user(await make.user()), page)).status).toBe(404);
  });
});
