// Creating and managing organizations with forms, as a browser without script uses them.
import { describe, expect, test } from "vitest";
import type { TestUser } from "#test/callers/actors.js";
import { location, readPage, submit, submitFiles, typed, wrongWith } from "#test/callers/page-forms.js";
import { drawPicture } from "#test/files/pictures.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { addMember, makeOrg, makeProject, type TestOrg } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, clock } = world;
const owner = await make.user();
const stranger = await make.user();

const settings = (org: TestOrg, below = "") => `/organization/${org.slug}/settings${below}`;
const membersOf = async (org: TestOrg) => (await as.user(owner).get(`/api/organization/${org.slug}`)).body.members;
const entryOf = async (org: TestOrg, user: TestUser) =>
  (await membersOf(org)).find(({ userId }: { userId: string }) => userId === user.id);

describe("getNewOrganizationPage and submitNewOrganization", () => {
  test("create an organization, and show the form again with what was typed", async () => {
    expect(location(await readPage(as.anyone, "/organizations/new"))).toContain("/auth/sign-in?next=");
    expect((await readPage(as.user(owner), "/organizations/new")).status).toBe(200);
    const bad = await submit(as.user(owner), "/organizations/new", { name: "x", slug: "Not A Slug", description: "" });
    expect(bad.status).toBe(400);
    expect([typed(bad, "slug"), Boolean(wrongWith(bad, "slug")), Boolean(wrongWith(bad, "name"))]).toEqual([
      "Not A Slug",
      true,
      true,
    ]);
    expect(wrongWith(await submit(as.user(owner), "/organizations/new", {}), "name")).toBeDefined();
    const slug = uniqueName("org");
    const done = await submit(as.user(owner), "/organizations/new", { name: "Makers", slug, description: "We make" });
    expect([done.status, location(done)]).toEqual([303, `/organization/${slug}`]);
    const taken = await submit(as.user(stranger), "/organizations/new", { name: "Makers", slug, description: "" });
    expect([taken.status, Boolean(wrongWith(taken, "slug"))]).toEqual([409, true]);
  });

  test("give back what was typed if the session has ended", async () => {
    const page = await submit(as.anyone, "/organizations/new", { name: "Typed name", slug: "typed", description: "" });
    expect([page.status, page.text.includes("Typed name")]).toEqual([401, true]);
  });
});

describe("getOrganizationSettingsPage and submitOrganizationSettings", () => {
  test("are for members; a member without the permission is told which one and who can give it", async () => {
    const org = await makeOrg(world, owner);
    const member = await make.user();
    await addMember(world, org.teamId, member, { permissions: [], orgPermissions: [] });
    expect((await readPage(as.user(stranger), settings(org))).status).toBe(403);
    const page = await readPage(as.user(member), settings(org));
    expect(page.status).toBe(200);
    expect(page.text).toContain("Edit details");
    expect(page.text).toContain(owner.userName);
    expect(page.text).not.toContain('name="slug"');
    const refused = await submit(as.user(member), settings(org), { name: "Mine now", slug: org.slug });
    expect(refused.status).toBe(403);
  });

  test("save name, slug and picture, and remove the picture again", async () => {
    const org = await makeOrg(world, owner);
    const slug = uniqueName("renamed");
    const icon = new File([await drawPicture()], "icon.png", { type: "image/png" });
    const saved = await submitFiles(
      as.user(owner),
      settings(org),
      { name: "New name", slug, description: "We make grass" },
      { icon: [icon] },
    );
    expect([saved.status, location(saved)]).toEqual([303, `/organization/${slug}/settings`]);
    const after = (await as.anyone.get(`/api/organization/${slug}`)).body;
    expect(after.name).toBe("New name");
    expect(after.icon).not.toContain("default.png");
    const fields = { name: "New name", slug, description: "We make grass", removeIcon: "on" };
    await submitFiles(as.user(owner), `/organization/${slug}/settings`, fields);
    expect((await as.anyone.get(`/api/organization/${slug}`)).body.icon).toContain("default.png");
    const noPicture = new File(["nothing"], "icon.png", { type: "image/png" });
    const page = await submitFiles(
      as.user(owner),
      `/organization/${slug}/settings`,
      { ...fields, name: "Kept" },
      { icon: [noPicture] },
    );
    expect([page.status, Boolean(wrongWith(page, "icon")), typed(page, "name")]).toEqual([400, true, "Kept"]);
  });
});

test("submitOrganizationSettings shows both versions to a user who would overwrite a newer change", async () => {
  const org = await makeOrg(world, owner);
  const page = await readPage(as.user(owner), settings(org));
  const stamp = /name="stamp" value="([^"]*)"/.exec(page.text)![1]!;
  const fields = { slug: org.slug, description: "We make grass", stamp };
  expect((await submit(as.user(owner), settings(org), { ...fields, name: "Saved by another" })).status).toBe(303);
  const clash = await submit(as.user(owner), settings(org), { ...fields, name: "My own" });
  expect([clash.status, typed(clash, "name"), clash.text.includes("Saved by another")]).toEqual([409, "My own", true]);
});

test("getOrganizationDeletePage lists the projects; submitOrganizationDeletion requires the typed slug", async () => {
  const org = await makeOrg(world, owner);
  const project = await makeProject(world, owner, { name: "Left behind", orgId: org.id });
  const page = await readPage(as.user(owner), settings(org, "/delete"));
  expect(page.text).toContain("Left behind");
  const member = await make.user();
  await addMember(world, org.teamId, member);
  expect((await readPage(as.user(member), settings(org, "/delete"))).status).toBe(403);
  expect((await submit(as.user(member), settings(org, "/delete"), { confirm: org.slug })).status).toBe(403);
  const wrong = await submit(as.user(owner), settings(org, "/delete"), { confirm: "yes" });
  expect([wrong.status, Boolean(wrongWith(wrong, "confirm"))]).toEqual([400, true]);
  await clock.during(11 * 60_000, async () => {
    expect((await readPage(as.user(owner), settings(org, "/delete"))).text).toContain("/auth/sign-in?again=1");
    expect((await submit(as.user(owner), settings(org, "/delete"), { confirm: org.slug })).status).toBe(403);
  });
  const unasked = await submit(as.user(owner), settings(org, "/delete"), { confirm: org.slug });
  expect([unasked.status, unasked.text.includes("Projects were added")]).toEqual([400, true]);
  const goes = `${project.id} owner`;
  const done = await submit(as.user(owner), settings(org, "/delete"), { confirm: org.slug, goes });
  expect([done.status, location(done)]).toEqual([303, "/dashboard/organizations"]);
  expect((await as.anyone.get(`/api/organization/${org.slug}`)).status).toBe(404);
  expect((await as.anyone.get(`/api/project/${project.slug}`)).status).toBe(200);
});

test("submitOrganizationDeletion moves each project as its owner chose", async () => {
  const [org, other, others] = [
    await makeOrg(world, owner),
    await makeOrg(world, owner, { name: "Next home" }),
    await makeOrg(world, await make.user()),
  ];
  const inOrg = () => makeProject(world, owner, { orgId: org.id });
  const [kept, moved, gone] = [await inOrg(), await inOrg(), await inOrg()];
  const page = await readPage(as.user(owner), settings(org, "/delete"));
  expect(page.text).toContain(`value="${moved.id} ${other.id}"`);
  expect(page.text).not.toContain(`${moved.id} ${others.id}`);
  const send = (place: string, by = owner) =>
    submit(as.user(by), settings(org, "/delete"), {
      confirm: org.slug,
      goes: [`${kept.id} owner`, `${moved.id} ${place}`, `${gone.id} delete`],
    });
  expect((await send(others.id)).status, "they may not add projects there").toBe(403);
  for (const nowhere of [org.id, "AAAAAAAA", ""]) expect((await send(nowhere)).status).toBe(404);
  const deputy = await make.user();
  await addMember(world, org.teamId, deputy, { accepted: true, orgPermissions: ["delete_organization"] });
  expect((await readPage(as.user(deputy), settings(org, "/delete"))).text).not.toContain('name="goes"');
  expect((await send(other.id, deputy)).status, "only the owner decides").toBe(403);
  expect((await send(other.id)).status).toBe(303);
  const teamOf = async (id: string) => (await as.user(owner).get(`/api/project/${id}`)).body.project;
  expect(await teamOf(moved.id)).toMatchObject({ orgId: other.id, members: [] });
  expect((await as.anyone.get(`/api/organization/${other.slug}/projects`)).body[0].id).toBe(moved.id);
  const { orgId, members } = await teamOf(kept.id);
  expect([orgId, members.map((one: { userId: string }) => one.userId)]).toEqual([null, [owner.id]]);
  expect(await as.user(owner).get(`/api/project/${gone.id}`)).toFail(404, "projectNotFound");
});

describe("getOrganizationMembersPage", () => {
  test("inviteToOrganization gives the permissions of a role, or single ones", async () => {
    const org = await makeOrg(world, owner);
    const [publisher, custom] = [await make.user(), await make.user()];
    expect((await readPage(as.user(owner), settings(org, "/members"))).text).toContain("Publisher");
    const sent = await submit(as.user(owner), settings(org, "/members"), {
      userName: publisher.userName,
      role: "publisher",
    });
    expect([sent.status, location(sent)]).toEqual([303, settings(org, "/members")]);
    expect(await entryOf(org, publisher)).toMatchObject({ accepted: false, role: "Publisher" });
    expect((await entryOf(org, publisher)).permissions).toContain("upload_version");
    await submit(as.user(owner), settings(org, "/members"), {
      userName: custom.userName,
      role: "custom",
      project: ["upload_version", "hack"],
      org: "add_project",
    });
    expect(await entryOf(org, custom)).toMatchObject({
      permissions: ["upload_version"],
      organisationPermissions: ["add_project"],
    });
  });

  test("inviteToOrganization says beside the field that a user is unknown or already a member", async () => {
    const org = await makeOrg(world, owner);
    const nobody = await submit(as.user(owner), settings(org, "/members"), {
      userName: "no-such-user",
      role: "editor",
    });
    expect([nobody.status, Boolean(wrongWith(nobody, "userName"))]).toEqual([404, true]);
    expect(typed(nobody, "userName")).toBe("no-such-user");
    expect(nobody.text).toMatch(/value="editor"[^>]* checked|checked[^>]* value="editor"/);
    const twice = await submit(as.user(owner), settings(org, "/members"), { userName: owner.userName });
    expect([twice.status, Boolean(wrongWith(twice, "userName"))]).toEqual([409, true]);
  });

  test("inviteToOrganization gives no permissions if the member may only invite", async () => {
    const org = await makeOrg(world, owner);
    const [inviter, guest, greedy] = [await make.user(), await make.user(), await make.user()];
    await addMember(world, org.teamId, inviter, { permissions: [], orgPermissions: ["manage_invites", "edit_member"] });
    expect((await submit(as.user(inviter), settings(org, "/members"), { userName: guest.userName })).status).toBe(303);
    const more = { userName: greedy.userName, role: "maintainer" };
    expect((await submit(as.user(inviter), settings(org, "/members"), more)).status).toBe(403);
    expect(await entryOf(org, greedy)).toBeUndefined();
  });

  test("submitOrganizationMember changes title and permissions; removeFromOrganization removes", async () => {
    const org = await makeOrg(world, owner);
    const member = await make.user();
    await addMember(world, org.teamId, member, { permissions: ["upload_version"] });
    const { id } = await entryOf(org, member);
    const path = settings(org, `/members/${id}`);
    expect((await submit(as.user(owner), path, { title: "Artist", project: "edit_details" })).status).toBe(303);
    expect(await entryOf(org, member)).toMatchObject({ role: "Artist", permissions: ["edit_details"] });
    const long = await submit(as.user(owner), path, { title: "x".repeat(40) });
    expect([long.status, long.text.includes("x".repeat(40))]).toEqual([400, true]);
    expect((await submit(as.user(member), path, { title: "Boss" })).status).toBe(403);
    expect((await submit(as.user(member), `${path}/remove`)).status).toBe(403);
    expect((await submit(as.user(owner), `${path}/remove`)).status).toBe(303);
    expect(await entryOf(org, member)).toBeUndefined();
    expect((await submit(as.user(owner), `${path}/remove`)).status).toBe(404);
  });
});

test("getOrganizationTransferPage and submitOrganizationTransfer offer the organization to a member", async () => {
  const org = await makeOrg(world, owner);
  const path = settings(org, "/members/transfer");
  expect((await readPage(as.user(owner), path)).text).toContain("There are none yet");
  const heir = await make.user();
  await addMember(world, org.teamId, heir);
  expect((await readPage(as.user(heir), path)).status).toBe(403);
  expect((await readPage(as.user(owner), path)).text).toContain(heir.userName);
  const wrong = await submit(as.user(owner), path, { userId: heir.id, confirm: "" });
  expect([wrong.status, Boolean(wrongWith(wrong, "confirm"))]).toEqual([400, true]);
  const nobody = await submit(as.user(owner), path, { userId: stranger.id, confirm: org.slug });
  expect([nobody.status, Boolean(wrongWith(nobody, "userId"))]).toEqual([404, true]);
  expect((await submit(as.user(owner), path, { userId: heir.id, confirm: org.slug })).status).toBe(303);
  // It is only an offer; content/teams/ownership.test.ts tests the rest.
  expect((await entryOf(org, heir)).isOwner).toBe(false);
});

test("getOrganizationLeavePage asks for confirmation; submitOrganizationLeave leaves, but not the owner", async () => {
  const org = await makeOrg(world, owner);
  const member = await make.user();
  await addMember(world, org.teamId, member);
  expect((await readPage(as.user(member), settings(org, "/leave"))).text).toContain("<form");
  expect((await submit(as.user(owner), settings(org, "/leave"))).status).toBe(409);
  expect((await submit(as.user(member), settings(org, "/leave"))).status).toBe(303);
  expect(await entryOf(org, member)).toBeUndefined();
});

describe("getOrganizationProjectsPage", () => {
  test("getOrganizationMovePage shows the permissions; submitOrganizationMove requires the typed slug", async () => {
    const org = await makeOrg(world, owner);
    const [helper, colleague] = [await make.user(), await make.user()];
    const project = await makeProject(world, owner, { name: "Wanderer" });
    await addMember(world, project.teamId, helper, { permissions: ["upload_version"] });
    await addMember(world, org.teamId, colleague, { permissions: ["edit_details"] });
    expect((await readPage(as.user(owner), settings(org, "/projects"))).text).toContain(`value="${project.slug}"`);
    const page = await readPage(as.user(owner), settings(org, `/projects/add?project=${project.slug}`));
    for (const name of [helper.userName, colleague.userName, "Upload versions"]) expect(page.text).toContain(name);
    const path = settings(org, "/projects/add");
    expect((await submit(as.user(owner), path, { project: project.slug, confirm: "no" })).status).toBe(400);
    expect((await submit(as.user(colleague), path, { project: project.slug, confirm: project.slug })).status).toBe(403);
    const done = await submit(as.user(owner), path, { project: project.slug, confirm: project.slug });
    expect([done.status, location(done)]).toEqual([303, settings(org, "/projects")]);
    expect((await as.anyone.get(`/organization/${org.slug}`)).text).toContain("Wanderer");
    const again = await submit(as.user(owner), path, { project: project.slug, confirm: project.slug });
    expect(again.status).toBe(409);
    expect((await readPage(as.user(owner), settings(org, "/projects/add?project=nothing-at-all"))).status).toBe(404);
  });

  test("getOrganizationTakeOutPage asks first; submitOrganizationTakeOut gives the project to the owner", async () => {
    const org = await makeOrg(world, owner);
    const project = await makeProject(world, owner, { orgId: org.id });
    const other = await makeProject(world, owner);
    const path = settings(org, `/projects/${project.slug}/remove`);
    expect((await readPage(as.user(owner), path)).status).toBe(200);
    expect((await readPage(as.user(stranger), path)).status).toBe(403);
    expect((await readPage(as.user(owner), settings(org, `/projects/${other.slug}/remove`))).status).toBe(404);
    expect((await submit(as.user(owner), path)).status).toBe(303);
    expect((await as.anyone.get(`/organization/${org.slug}`)).text).not.toContain(project.slug);
  });
});

test("getOrganizationAnalyticsPage sums the figures of its projects, for members who may see them", async () => {
  const org = await makeOrg(world, owner);
  const analytics = settings(org, "/analytics");
  expect((await readPage(as.user(owner), analytics)).text).toContain("No projects yet");
  const reader = await make.user();
  const other = await make.user();
  await addMember(world, org.teamId, reader, { permissions: ["view_analytics"] });
  await addMember(world, org.teamId, other, { permissions: [] });
  const yesterday = Math.floor(clock.now() / 86_400_000) - 1;
  for (const [name, count] of [
    ["Lamps", 1200],
    ["Ropes", 34],
  ] as const) {
    const project = await makeProject(world, owner, { name });
    const version = await makeVersion(world, owner, project.id);
    await as.user(owner).post(`/api/organization/${org.slug}/projects`, { projectId: project.id });
    await world.resources.db
      .insertInto("download_days")
      .values({ version_id: version.id, project_id: project.id, day: yesterday, country: "", count })
      .execute();
  }
  for (const user of [owner, reader]) {
    const page = await readPage(as.user(user), analytics);
    expect(page.text).toMatch(/Lamps<\/a>.*?<td[^>]*>1,200<.*Ropes<\/a>.*?<td[^>]*>34<.*Total<.*?<td[^>]*>1,234</);
  }
  const refused = await readPage(as.user(other), analytics);
  expect([refused.status, refused.text.includes("View analytics")]).toEqual([403, true]);
  expect(refused.text).not.toContain("Lamps");
  expect((await readPage(as.user(stranger), analytics)).status).toBe(403);
  expect((await (await as.token(owner, { scopes: ["organization_read"] })).get(analytics)).status).toBe(403);
});
