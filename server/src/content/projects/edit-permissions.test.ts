// Permissions for changing a project: every route that changes one × every kind of caller.
import { describe, expect, test } from "vitest";
import { routes } from "#app.js";
import { galleryRoutes } from "#content/gallery/routes.js";
import { type ProjectPermission, projectPermissions } from "#content/members/permissions.js";
import { assignableScopes, type Scope } from "#lib/scopes.js";
import { moderationRoutes } from "#moderation/desk/routes.js";
import type { ProjectStatus } from "#platform/db/tables.js";
import type { Actor, Reply, TestUser } from "#test/callers/actors.js";
import { drawPicture } from "#test/files/pictures.js";
import { testApp } from "#test/server/harness.js";
import { sampleForEngine } from "#test/setup/long.js";
import { addMember, makeProject, setProject, type TestProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { projectEditRoutes } from "./edit-routes.js";

const world = await testApp({
  routes: [...new Set([...routes, ...projectEditRoutes, ...galleryRoutes, ...moderationRoutes])],
});
const { as, make } = world;
const picture = await drawPicture();

interface Case {
  id: string;
  needed: ProjectPermission | "owner";
  scope?: Scope;
  /** The status in which the operation is possible. */
  status?: ProjectStatus;
  needsVersion?: boolean;
  /** Creates what the operation needs; its result is passed to the operation. */
  prepare?: (owner: Actor, project: TestProject) => Promise<string>;
  act: (actor: Actor, project: TestProject, prepared: string) => Promise<Reply>;
}

const path = (project: TestProject, rest = "") => `/api/project/${project.slug}${rest}`;
const addItem = (actor: Actor, project: TestProject) =>
  actor.form("POST", path(project, "/gallery"), { image: picture, title: "Dusk" });
const prepareItem = async (owner: Actor, project: TestProject) => (await addItem(owner, project)).body.data.id;

const cases: Case[] = [
  { id: "updateProject", needed: "edit_details", act: (actor, project) => actor.patch(path(project), { name: "New" }) },
  {
    id: "updateProject with an icon",
    needed: "edit_details",
    act: (actor, project) => actor.form("PATCH", path(project), { icon: picture }),
  },
  {
    id: "deleteProject",
    needed: "delete_project",
    scope: "project_delete",
    act: (actor, project) => actor.delete(path(project)),
  },
  {
    id: "submitProject",
    needed: "owner",
    status: "draft",
    needsVersion: true,
    act: (actor, project) => actor.post(path(project, "/submit-for-review")),
  },
  {
    id: "withdrawProject",
    needed: "owner",
    status: "processing",
    act: (actor, project) => actor.post(path(project, "/withdraw")),
  },
  {
    id: "updateProjectIcon",
    needed: "edit_details",
    act: (actor, project) => actor.form("PATCH", path(project, "/icon"), { icon: picture }),
  },
  {
    id: "removeProjectIcon",
    needed: "edit_details",
    prepare: async (owner, project) => (await owner.form("PATCH", path(project, "/icon"), { icon: picture })).body.icon,
    act: (actor, project) => actor.delete(path(project, "/icon")),
  },
  {
    id: "updateProjectDescription",
    needed: "edit_description",
    act: (actor, project) => actor.patch(path(project, "/description"), { description: "x" }),
  },
  {
    id: "updateProjectTags",
    needed: "edit_details",
    act: (actor, project) => actor.patch(path(project, "/tags"), { categories: ["magic"] }),
  },
  {
    id: "updateProjectLinks",
    needed: "edit_details",
    act: (actor, project) => actor.patch(path(project, "/external-links"), { wikiPage: null }),
  },
  {
    id: "updateProjectLicense",
    needed: "edit_details",
    act: (actor, project) => actor.patch(path(project, "/license"), { id: "MIT" }),
  },
  { id: "createGalleryItem", needed: "edit_details", act: addItem },
  {
    id: "updateGalleryItem",
    needed: "edit_details",
    prepare: prepareItem,
    act: (actor, project, item) => actor.patch(path(project, `/gallery/${item}`), { title: "Dawn" }),
  },
  {
    id: "deleteGalleryItem",
    needed: "edit_details",
    prepare: prepareItem,
    act: (actor, project, item) => actor.delete(path(project, `/gallery/${item}`)),
  },
];

const owner = await make.user();
const stranger = await make.user();
const moderator = await make.user({ role: "moderator" });
const admin = await make.user({ role: "admin" });

/** A project on which the operation can succeed, and the operation. */
async function prepare(each: Case, orgId: string | null = null) {
  const { status = "approved", prepare: prepareWith, act } = each;
  const project = await makeProject(world, owner, { description: "Words", orgId });
  if (each.needsVersion) await makeVersion(world, owner, project.id);
  const prepared = (await prepareWith?.(as.user(admin), project)) ?? "";
  await setProject(world, project.id, { status, date_queued: null });
  return { project, run: (actor: Actor) => act(actor, project, prepared) };
}

const member = async (project: TestProject, permissions: readonly string[], accepted = true): Promise<TestUser> => {
  const user = await make.user();
  await addMember(world, project.teamId, user, { permissions, accepted });
  return user;
};

const refusal = ({ needed }: Case) => (needed === "owner" ? "ownerOnly" : "permissionMissing");

describe.each(sampleForEngine(cases, { step: 3 }))("$id", (each) => {
  const { needed, scope = "project_write" } = each;

  test("is refused to anonymous callers and to tokens without its scope", async () => {
    const { run } = await prepare(each);
    expect(await run(as.anyone)).toFail(401, "signInNeeded");
    const others = assignableScopes.filter((other) => other !== scope);
    expect(await run(await as.token(owner, { scopes: others }))).toFail(403, "scopeMissing");
    expect(await run(await as.token(owner, { scopes: [scope] }))).toSucceed();
  });

  test("shows outsiders and invitees only what they may see", async () => {
    const { project, run } = await prepare(each);
    const invitee = as.user(await member(project, projectPermissions, false));
    await setProject(world, project.id, { status: "approved", visibility: "unlisted" });
    for (const actor of [as.user(stranger), invitee]) expect(await run(actor)).toFail(403, refusal(each));
    for (const hidden of [{ status: "draft" }, { visibility: "private" }] as const) {
      await setProject(world, project.id, { status: "approved", ...hidden });
      for (const actor of [as.user(stranger), invitee]) expect(await run(actor)).toFail(404, "projectNotFound");
    }
    const absent = await each.act(as.user(stranger), { ...project, slug: "no-such-project" }, "nothing1");
    const hidden = await run(as.user(stranger));
    expect({ ...hidden.body, requestId: "" }).toEqual({ ...absent.body, requestId: "" });
    expect(await run(as.user(moderator))).toFail(403, refusal(each));
  });

  test("needs exactly its permission", async () => {
    const { project, run } = await prepare(each);
    const others = projectPermissions.filter((permission) => permission !== needed);
    expect(await run(as.user(await member(project, others)))).toFail(403, refusal(each));
    if (needed !== "owner") expect(await run(as.user(await member(project, [needed])))).toSucceed();
  });

  test("is allowed for the owner and for administrators", async () => {
    for (const user of [owner, admin]) expect(await (await prepare(each)).run(as.user(user))).toSucceed();
  });

  test("in an organization, follows the member's permissions there unless the project has an entry for them", async () => {
    const head = await make.user();
    const { orgId, orgTeamId } = await makeOrg(head);
    await addMember(world, orgTeamId, owner, { orgPermissions: ["add_project"], permissions: [] });
    const { project, run } = await prepare(each, orgId);
    const others = projectPermissions.filter((permission) => permission !== needed);
    const plain = await make.user();
    await addMember(world, orgTeamId, plain, { permissions: others });
    expect(await run(as.user(plain))).toFail(403, refusal(each));
    const trusted = await make.user();
    await addMember(world, orgTeamId, trusted, { permissions: projectPermissions });
    await addMember(world, project.teamId, trusted, { permissions: [] });
    expect(await run(as.user(trusted))).toFail(403, refusal(each));
    if (needed === "owner") return expect(await run(as.user(head))).toSucceed();
    const able = await make.user();
    await addMember(world, orgTeamId, able, { permissions: [needed] });
    expect(await run(as.user(able))).toSucceed();
  });
});

async function makeOrg(head: TestUser): Promise<{ orgId: string; orgTeamId: string }> {
  const { db } = world.resources;
  const [orgId, orgTeamId] = [`O${head.id}`, `T${head.id}`];
  await db.insertInto("teams").values({ id: orgTeamId, kind: "organization", date_created: 0 }).execute();
  const org = { id: orgId, team_id: orgTeamId, name: "Org", slug: `org-${head.userName}`, description: "" };
  await db
    .insertInto("organizations")
    .values({ ...org, icon_id: null, date_created: 0 })
    .execute();
  await addMember(world, orgTeamId, head);
  await db.updateTable("team_members").set({ is_owner: 1 }).where("team_id", "=", orgTeamId).execute();
  return { orgId, orgTeamId };
}
