// Creating, editing and deleting organizations, with their pictures.
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { TestUser } from "#test/callers/actors.js";
import { siteUrl, uniqueName } from "#test/server/harness.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { teamWorld } from "#test/worlds/team-world.js";

const world = await teamWorld();
const { as, users, entry, owners, notices, resources } = world;
const three = async () => (await users(3)) as [TestUser, TestUser, TestUser];

const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#c83232" } })
  .png()
  .toBuffer();
const picture = (bytes: Uint8Array = png) => new Blob([new Uint8Array(bytes)], { type: "image/png" });
const shownOrg = async (id: string) => (await as.anyone.get(`/api/organization/${id}`)).body;
const imagesOf = (id: string) => resources.db.selectFrom("images").select("id").where("owner_id", "=", id).execute();

describe("createOrganization", () => {
  test("answers with slug and id; the creator owns it", async () => {
    const [ada] = await three();
    const slug = uniqueName("org");
    const reply = await as.user(ada).post("/api/organization", { name: "Grass Makers", slug, description: "Green" });
    expect(reply).toSucceed();
    expect(reply.body).toEqual({ success: true, message: expect.any(String), slug, id: expect.any(String) });
    const org = await shownOrg(slug);
    expect(org).toMatchObject({ id: reply.body.id, name: "Grass Makers", slug, description: "Green" });
    expect(org.members).toMatchObject([{ userId: ada.id, role: "Owner", isOwner: true, accepted: true }]);
  });

  test("refuses invalid names and slugs, and says which", async () => {
    const [ada] = await three();
    const good = { name: "Grass Makers", slug: uniqueName("org"), description: "Green" };
    const bad: [string, unknown][] = [
      ...[
        "",
        "x",
        "x".repeat(33),
        " ab",
        "ab ",
        "a\nb",
        "a\tb",
        "a\u0000b",
        "a\u202eb",
        "\u2066ab",
        null,
        7,
        ["ab"],
      ].map((name): [string, unknown] => ["name", name]),
      ...["", "x", "Upper", "a b", "-ab", ".ab", "..", "a/b", "ä1", "x".repeat(65), null, 12].map(
        (slug): [string, unknown] => ["slug", slug],
      ),
      ...["", "oooo", "x".repeat(257), 7].map((text): [string, unknown] => ["description", text]),
    ];
    for (const [field, value] of bad) {
      const reply = await as.user(ada).post("/api/organization", { ...good, [field]: value });
      expect(reply, `${field} ${JSON.stringify(value)}`).toFail(400);
    }
    for (const field of ["name", "slug"])
      expect(await as.user(ada).post("/api/organization", { ...good, [field]: undefined })).toFail(400);
    for (const slug of ["latest", "new", "api", "settings", "login", "signup"])
      expect(await as.user(ada).post("/api/organization", { ...good, slug })).toFail(400, "nameReserved");
    expect((await as.user(ada).get("/api/organization")).body).toEqual([]);
  });

  test("a description needs 5 characters on creation and 1 later, or is absent", async () => {
    const [ada] = await three();
    const create = (description?: string | null) =>
      as.user(ada).post("/api/organization", { name: "Makers", slug: uniqueName("org"), description });
    for (const absent of [undefined, null]) expect(await create(absent)).toSucceed();
    const { slug } = (await create("ooooo")).body;
    const edit = (description: string) => as.user(ada).patch(`/api/organization/${slug}`, { description });
    expect(await edit("o")).toSucceed();
    expect(await edit("")).toFail(400, "invalidRequest");
    expect(await edit("o".repeat(257))).toFail(400, "invalidRequest");
    expect(await shownOrg(slug)).toMatchObject({ description: "o" });
  });

  test("counts length in characters, as the database does", async () => {
    const [ada] = await three();
    const body = { name: "🌱".repeat(32), slug: uniqueName("org"), description: "é".repeat(256) };
    expect(await as.user(ada).post("/api/organization", body)).toSucceed();
    expect(await shownOrg(body.slug)).toMatchObject({ name: body.name, description: body.description });
  });

  test("answers 409 for a taken slug; a project may have the same slug", async () => {
    const [ada, bob] = await three();
    const org = await makeOrg(world, ada);
    const again = { name: "Another", slug: org.slug };
    expect(await as.user(bob).post("/api/organization", again)).toFail(409, "slugTaken");
    const project = await makeProject(world, ada);
    expect(await as.user(bob).post("/api/organization", { ...again, slug: project.slug })).toSucceed();
  });

  test("needs organization_create", async () => {
    const [ada] = await three();
    const body = { name: "Grass Makers", slug: uniqueName("org") };
    expect(await as.anyone.post("/api/organization", body)).toFail(401);
    const token = await as.token(ada, { scopes: ["organization_write", "project_create"] });
    expect(await token.post("/api/organization", body)).toFail(403, "scopeMissing");
  });

  test("fifty concurrent requests with one slug: one succeeds, the others are told that it is taken", async () => {
    const [ada] = await three();
    const slug = uniqueName("org");
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => as.user(ada).post("/api/organization", { name: "Race", slug })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200)) expect(reply).toFail(409, "slugTaken");
    expect((await as.user(ada).get("/api/organization")).body).toHaveLength(1);
    const teams = await resources.db.selectFrom("team_members").select("id").where("user_id", "=", ada.id).execute();
    expect(teams).toHaveLength(1);
  });
});

describe("editOrganization", () => {
  test("accepts JSON; absent fields stay", async () => {
    const [ada] = await three();
    const org = await makeOrg(world, ada, { name: "Before", description: "Old" });
    const slug = uniqueName("org");
    const reply = await as.user(ada).patch(`/api/organization/${org.slug}`, { slug });
    expect(reply.body).toEqual({ success: true, message: expect.any(String), slug });
    expect(await shownOrg(org.id)).toMatchObject({ name: "Before", slug, description: "Old" });
    expect(
      (await as.user(ada).patch(`/api/organization/${org.id}`, { name: "After", description: "x" })).body.slug,
    ).toBe(slug);
    expect(await shownOrg(slug)).toMatchObject({ name: "After", description: "x" });
  });

  test("an old slug still works for reads and writes until another organization takes it", async () => {
    const [ada, bob] = await three();
    const [org, other] = [await makeOrg(world, ada), await makeOrg(world, bob)];
    const slug = uniqueName("org");
    expect(await as.user(ada).patch(`/api/organization/${org.slug}`, { slug })).toSucceed();
    for (const ref of [org.slug, org.slug.toUpperCase()])
      expect(await shownOrg(ref)).toMatchObject({ id: org.id, slug });
    expect((await as.user(ada).patch(`/api/organization/${org.slug}`, { name: "By its old name" })).body.slug).toBe(
      slug,
    );
    expect(await as.user(bob).patch(`/api/organization/${other.id}`, { slug: org.slug })).toSucceed();
    expect(await shownOrg(org.slug)).toMatchObject({ id: other.id });
    expect(await shownOrg(slug)).toMatchObject({ id: org.id });
    // The slug belongs to its last holder, even after a rename; the first organization can take back its own old slug.
    const third = uniqueName("org");
    expect(await as.user(ada).patch(`/api/organization/${org.id}`, { slug: third })).toSucceed();
    expect(await as.user(ada).patch(`/api/organization/${org.id}`, { slug })).toSucceed();
    expect([(await shownOrg(slug)).id, (await shownOrg(third)).id]).toEqual([org.id, org.id]);
    expect(await as.user(ada).delete(`/api/organization/${third}`)).toSucceed();
    for (const ref of [slug, third]) expect(await as.anyone.get(`/api/organization/${ref}`)).toFail(404);
  });

  test("the projects of the organization show the new name at once", async () => {
    const [ada] = await three();
    const org = await makeOrg(world, ada);
    const project = await makeProject(world, ada, { orgId: org.id });
    const shown = async () => (await as.anyone.get(`/api/project/${project.id}`)).body.project.organisation.name;
    expect(await shown()).toBe("Sample organization");
    await as.user(ada).patch(`/api/organization/${org.id}`, { name: "Renamed" });
    expect(await shown()).toBe("Renamed");
  });

  test("accepts a form with an icon, keeps it if its URL is sent back and removes it if the text is empty", async () => {
    const [ada] = await three();
    const org = await makeOrg(world, ada);
    const path = `/api/organization/${org.id}`;
    expect(await as.user(ada).form("PATCH", path, { name: "With icon", icon: picture() })).toSucceed();
    const { icon, name } = await shownOrg(org.id);
    expect(name).toBe("With icon");
    expect(icon).toMatch(new RegExp(`^${siteUrl}/cdn/data/organization/${org.id}/\\w+_128\\.webp$`));
    await as.user(ada).form("PATCH", path, { name: "Same icon", icon });
    expect((await shownOrg(org.id)).icon).toBe(icon);
    await as.user(ada).form("PATCH", path, { icon: "" });
    expect((await shownOrg(org.id)).icon).toBe(`${siteUrl}/cdn/data/organization/${org.id}/default.png`);
    expect(await imagesOf(org.id)).toEqual([]);
  });

  test("refuses invalid, taken and reserved values, and changes nothing", async () => {
    const [ada] = await three();
    const [org, other] = [await makeOrg(world, ada), await makeOrg(world, ada)];
    const path = `/api/organization/${org.id}`;
    const before = await shownOrg(org.id);
    for (const body of [{ name: "" }, { slug: "UP" }, { description: "x".repeat(257) }, { name: 7 }])
      expect(await as.user(ada).patch(path, body)).toFail(400, "invalidRequest");
    expect(await as.user(ada).patch(path, { slug: other.slug })).toFail(409, "slugTaken");
    expect(await as.user(ada).patch(path, { slug: "new" })).toFail(400, "nameReserved");
    const halfTaken = { slug: other.slug, name: "Changed", icon: picture() };
    expect(await as.user(ada).form("PATCH", path, halfTaken)).toFail(409, "slugTaken");
    expect(await as.user(ada).form("PATCH", path, { name: "Changed", icon: picture(Buffer.from("no")) })).toFail(
      400,
      "imageUnusable",
    );
    expect(await shownOrg(org.id)).toEqual(before);
    expect(await imagesOf(org.id)).toEqual([]);
    expect(await as.user(ada).patch(path, { slug: org.slug })).toSucceed();
  });

  test("needs edit_details in the organization; project permissions do not count", async () => {
    const [ada, editor, other] = await three();
    const moderator = await world.make.user({ role: "moderator" });
    const org = await makeOrg(world, ada);
    await addMember(world, org.teamId, editor, { permissions: [], orgPermissions: ["edit_details"] });
    await addMember(world, org.teamId, other, { permissions: ["edit_details"] });
    const rename = (user: TestUser) => as.user(user).patch(`/api/organization/${org.id}`, { name: "Other name" });
    for (const user of [other, moderator, await world.make.user()])
      expect(await rename(user)).toFail(403, "permissionMissing");
    expect(await rename(editor)).toSucceed();
    expect(await as.user(ada).patch("/api/organization/AAAAAAAA", { name: "xy" })).toFail(404, "organizationNotFound");
  });
});

describe("setOrganizationIcon and removeOrganizationIcon", () => {
  test("return the new URL, and getOrganizationPicture serves it", async () => {
    const [ada] = await three();
    const org = await makeOrg(world, ada);
    const path = `/api/organization/${org.slug}/icon`;
    const first = await as.user(ada).form("PATCH", path, { icon: picture() });
    expect(first.body).toEqual({ success: true, message: expect.any(String), data: { newIcon: expect.any(String) } });
    const second = await as.user(ada).form("PATCH", path, { icon: picture() });
    expect(second.body.data.newIcon).not.toBe(first.body.data.newIcon);
    expect((await shownOrg(org.id)).icon).toBe(second.body.data.newIcon);
    const served = await as.anyone.get(second.body.data.newIcon.slice(siteUrl.length));
    expect(served).toSucceed();
    expect(await sharp(served.bytes).metadata()).toMatchObject({ format: "webp", width: 128, height: 128 });
    expect(await as.anyone.get(first.body.data.newIcon.slice(siteUrl.length))).toFail(404, "fileNotFound");
    expect(await as.user(ada).delete(path)).toSucceed();
    const { icon } = await shownOrg(org.id);
    expect((await as.anyone.get(icon.slice(siteUrl.length))).headers.get("content-type")).toBe("image/png");
    expect(await as.user(ada).delete(path)).toSucceed();
  });

  test("refuse anything that is not a picture, and users without the permission", async () => {
    const [ada, stranger] = await three();
    const org = await makeOrg(world, ada);
    const path = `/api/organization/${org.id}/icon`;
    expect(await as.user(ada).form("PATCH", path, { other: "x" })).toFail(400, "invalidRequest");
    expect(await as.user(ada).patch(path, { icon: "x" })).toFail(400, "invalidRequest");
    expect(await as.user(ada).form("PATCH", path, { icon: picture(Buffer.from("<svg/>")) })).toFail(400);
    expect(await as.user(ada).form("PATCH", path, { icon: picture(Buffer.alloc(600 * 1024, 7)) })).toFail(413);
    expect(await as.user(stranger).form("PATCH", path, { icon: picture() })).toFail(403, "permissionMissing");
    expect(await as.user(stranger).delete(path)).toFail(403, "permissionMissing");
    expect(await imagesOf(org.id)).toEqual([]);
  });
});

describe("deleteOrganization", () => {
  test("keeps its projects: the owner of the organization becomes their only member", async () => {
    const [owner, deleter, outsider] = await three();
    const invited = await world.make.user();
    const org = await makeOrg(world, owner);
    const projects = [
      await makeProject(world, owner, { orgId: org.id }),
      await makeProject(world, owner, { orgId: org.id, visibility: "private" }),
    ];
    await addMember(world, org.teamId, deleter, { orgPermissions: ["delete_organization"] });
    await addMember(world, projects[0]!.teamId, outsider);
    await as.user(owner).form("PATCH", `/api/organization/${org.id}/icon`, { icon: picture() });
    for (const teamId of [org.teamId, projects[1]!.teamId])
      await as.user(owner).post(`/api/team/${teamId}/invite`, { userName: invited.id });
    expect(await as.user(deleter).delete(`/api/organization/${org.slug}`)).toSucceed();
    expect(await as.anyone.get(`/api/organization/${org.id}`)).toFail(404, "organizationNotFound");
    for (const { id, teamId } of projects) {
      expect(await owners(teamId)).toEqual([owner.id]);
      expect(await entry(teamId, owner)).toMatchObject({ role: "Inherited Owner", accepted: 1 });
      const { project } = (await as.user(owner).get(`/api/project/${id}`)).body;
      expect(project).toMatchObject({ orgId: null, organisation: null });
      expect(project.members.map(({ userId }: { userId: string }) => userId)).toEqual([owner.id]);
    }
    expect(await as.user(deleter).get(`/api/project/${projects[1]!.id}`)).toFail(404);
    expect(await notices(invited)).toEqual([]);
    expect(await imagesOf(org.id)).toEqual([]);
    const team = await resources.db.selectFrom("teams").select("id").where("id", "=", org.teamId).execute();
    expect(team).toEqual([]);
  });

  test("needs delete_organization and the scope organization_delete", async () => {
    const [owner, member] = await three();
    const org = await makeOrg(world, owner);
    await addMember(world, org.teamId, member, { orgPermissions: ["edit_details", "remove_project"] });
    expect(await as.user(member).delete(`/api/organization/${org.id}`)).toFail(403, "permissionMissing");
    const token = await as.token(owner, { scopes: ["organization_write"] });
    expect(await token.delete(`/api/organization/${org.id}`)).toFail(403, "scopeMissing");
    expect(await as.user(owner).delete(`/api/organization/${org.id}`)).toSucceed();
    expect(await as.user(owner).delete(`/api/organization/${org.id}`)).toFail(404, "organizationNotFound");
    // The old id must never lead to another organization.
    const lookalike = { name: "Squatter", slug: org.id.toLowerCase() };
    expect(await as.user(member).post("/api/organization", lookalike)).toFail(409, "slugTaken");
  });
});
