// createProject: refused input, created rows, and fields that callers must not set.
import { describe, expect, test } from "vitest";
import { routes } from "#app.js";
import { createOrg } from "#content/organizations/edit.js";
import { assignableScopes } from "#lib/scopes.js";
import { write } from "#platform/changes/write.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { addMember, makeProject } from "#test/worlds/content.js";
import { projectEditRoutes } from "./edit-routes.js";

const world = await testApp({ routes: [...new Set([...routes, ...projectEditRoutes])] });
const { as, make, resources } = world;
const { db } = resources;
const author = await make.user();

const fitting = (more: object = {}) => ({
  name: "Fancy lamps",
  slug: uniqueName("lamps"),
  type: ["mod"],
  visibility: "listed",
  summary: "Lamps that light themselves",
  ...more,
});
const create = (more: object = {}, user = author) => as.user(user).post("/api/project", fitting(more));
const read = async (ref: string) => (await as.user(author).get(`/api/project/${ref}`)).body.project;
const countProjects = async () => (await db.selectFrom("projects").select("id").execute()).length;

describe("createProject", () => {
  test("returns the fields that clients of the interface read, and the project exists at once", async () => {
    const slug = uniqueName("lamps");
    const reply = await create({ slug, type: ["mod", "plugin"], orgId: null });
    expect(reply).toSucceed();
    expect(reply.body).toEqual({
      success: true,
      message: expect.any(String),
      urlSlug: slug,
      slug,
      type: ["mod", "plugin"],
      id: expect.stringMatching(/^(?=.*[A-Z])[0-9A-Za-z]{8}$/),
    });
    const project = await read(slug);
    expect(project).toMatchObject({
      id: reply.body.id,
      status: "draft",
      requestedStatus: null,
      visibility: "listed",
      description: "",
      licenseId: "",
      icon: null,
      downloads: 0,
      orgId: null,
      gallery: [],
      issueTrackerUrl: null,
    });
    expect(project.members).toMatchObject([{ userId: author.id, role: "Owner", isOwner: true, accepted: true }]);
    expect(await as.anyone.get(`/api/project/${slug}`)).toFail(404, "projectNotFound");
  });

  test("creates a thread, an audit row, and environments that follow from the types", async () => {
    const sides = {
      mod: ["unknown", "unknown"],
      shader: ["required", "unsupported"],
      plugin: ["unsupported", "required"],
      world: ["unsupported", "required"],
    };
    for (const [type, [clientSide, serverSide]] of Object.entries(sides)) {
      const { id } = (await create({ type: [type] })).body;
      expect(await read(id)).toMatchObject({ type: [type], clientSide, serverSide });
      const threads = await db.selectFrom("threads").select("type").where("entity_id", "=", id).execute();
      expect(threads).toEqual([{ type: "project" }]);
      const audits = await db
        .selectFrom("audit_log")
        .select(["action", "actor_id"])
        .where("object_id", "=", id)
        .execute();
      expect(audits).toEqual([{ action: "project.create", actor_id: author.id }]);
    }
  });

  test("is listed by default, and accepts one type without a list", async () => {
    const { visibility: _visibility, ...rest } = fitting({ type: "mod" });
    const reply = await as.user(author).post("/api/project", rest);
    expect(await read(reply.body.id)).toMatchObject({ visibility: "listed", type: ["mod"] });
  });

  test("needs the scope project_create", async () => {
    expect(await as.anyone.post("/api/project", fitting())).toFail(401, "signInNeeded");
    const others = assignableScopes.filter((scope) => scope !== "project_create");
    expect(await (await as.token(author, { scopes: others })).post("/api/project", fitting())).toFail(
      403,
      "scopeMissing",
    );
    const right = await as.token(author, { scopes: ["project_create"] });
    expect(await right.post("/api/project", fitting())).toSucceed();
  });

  test.each([
    ["no name", { name: undefined }],
    ["a name of one character", { name: "x" }],
    ["a name of 33 characters", { name: "x".repeat(33) }],
    ["a blank name", { name: "    " }],
    ["a name that looks blank", { name: "\u200b\u200b\u2060" }],
    ["a name with a line break", { name: "Fancy\nlamps" }],
    ["a name with an escape character", { name: "Fancy\u001b[2Jlamps" }],
    ["a name with a right-to-left override", { name: "Fancy \u202espmal" }],
    ["a name with a right-to-left mark", { name: "Fancy\u200flamps" }],
    ["half a character in the name", { name: "Fancy \ud83d" }],
    ["a name that is a number", { name: 12345 }],
    ["a name that is a list", { name: ["Fancy lamps"] }],
    ["an empty summary", { summary: "" }],
    ["a blank summary", { summary: " \u00a0 " }],
    ["a summary of 321 characters", { summary: "x".repeat(321) }],
    ["a summary with a bell", { summary: "Ring\u0007" }],
    ["a slug in capitals", { slug: "Fancy-Lamps" }],
    ["a slug of one character", { slug: "x" }],
    ["a slug of 65 characters", { slug: "x".repeat(65) }],
    ["a slug that begins with a dot", { slug: ".lamps" }],
    ["a slug with a path to a parent folder", { slug: "../lamps" }],
    ["a slug with a space", { slug: "fancy lamps" }],
    ["a slug with a slash", { slug: "fancy/lamps" }],
    ["a slug with a percent sign", { slug: "fancy%2flamps" }],
    ["a slug with a line break at its end", { slug: "lamps\n" }],
    ["a slug with a Cyrillic letter", { slug: "l\u0430mps" }],
    ["a slug of full-width letters", { slug: "\uff4c\uff41\uff4d\uff50" }],
    ["no type", { type: [] }],
    ["an unknown type", { type: ["spaceship"] }],
    ["a type that is a property of Object.prototype", { type: ["constructor"] }],
    ["types that cannot be combined", { type: ["mod", "shader"] }],
    ["three types of which only two can be combined", { type: ["mod", "plugin", "datamod"] }],
    ["a type that is a number", { type: [1] }],
    ["a list that is not JSON", { type: '["mod"' }],
    ["a list of lists", { type: '[["mod"]]' }],
    ["too many types", { type: Array(17).fill("mod") }],
    ["an unknown visibility", { visibility: "secret" }],
    ["an organization id that is not a string", { orgId: 5 }],
    ["an organization's id of 33 characters", { orgId: "x".repeat(33) }],
  ])("refuses %s and stores nothing", async (_what, more) => {
    const before = await countProjects();
    expect(await create(more)).toFail(400);
    expect(await countProjects()).toBe(before);
    const teams = await db
      .selectFrom("teams")
      .select("id")
      .where("kind", "=", "project")
      .where("id", "not in", db.selectFrom("projects").select("team_id"))
      .execute();
    expect(teams).toEqual([]);
  });

  test("reports every invalid field at once", async () => {
    const reply = await create({ name: "x", slug: "X", summary: "" });
    expect(reply.body.issues.map(({ path }: { path: string }) => path).sort()).toEqual(["name", "slug", "summary"]);
  });

  test.each(["latest", "new", "random", "versions", "me", "api", "settings", "user", "login", "signup"])(
    "refuses the reserved slug %s",
    async (slug) => {
      expect(await create({ slug })).toFail(400, "nameReserved");
    },
  );

  test("accepts every length and character that the grammar allows", async () => {
    const tail = uniqueName("z").slice(-12);
    const slugs = [`0.${tail}`, `a+b_c-d.${tail}`, `${tail}${"x".repeat(64 - tail.length)}`];
    for (const slug of slugs) expect((await create({ slug })).body.slug).toBe(slug);
    expect(await create({ name: "\u{1f4a1}\u{1f4a1}", summary: "x".repeat(320) })).toSucceed();
    expect(await create({ name: "مصابيح", summary: "ランプ" })).toSucceed();
  });

  test("ignores fields that the caller may not set", async () => {
    const stolen = await makeProject(world, await make.user());
    const { id } = (
      await create({
        id: stolen.id,
        teamId: stolen.teamId,
        team_id: stolen.teamId,
        status: "approved",
        requestedStatus: "approved",
        downloads: 1_000_000,
        followers: 5,
        datePublished: "2001-01-01T00:00:00.000Z",
        color: "#000000",
        licenseId: "MIT",
        clientSide: "required",
        members: [],
        __proto__: { status: "approved" },
        constructor: { prototype: {} },
      })
    ).body;
    expect(id).not.toBe(stolen.id);
    const project = await read(id);
    expect(project).toMatchObject({
      status: "draft",
      downloads: 0,
      followers: 0,
      licenseId: "",
      clientSide: "unknown",
    });
    expect(project.teamId).not.toBe(stolen.teamId);
    expect(project.members).toHaveLength(1);
  });
});

describe("createProject in an organization", async () => {
  const head = await make.user();
  const slug = uniqueName("org");
  const orgId = await write(resources, {}, (tx) => createOrg(tx, head.id, { name: "Guild", slug, description: "" }));
  const { team_id } = await db
    .selectFrom("organizations")
    .select("team_id")
    .where("id", "=", orgId)
    .executeTakeFirstOrThrow();

  test("needs its permission add_project, and creates an empty team", async () => {
    const [plain, able, invited] = [await make.user(), await make.user(), await make.user()];
    await addMember(world, team_id, plain, { orgPermissions: ["edit_details", "remove_project"] });
    await addMember(world, team_id, able, { permissions: [], orgPermissions: ["add_project"] });
    await addMember(world, team_id, invited, { orgPermissions: ["add_project"], accepted: false });
    for (const user of [author, plain, invited]) expect(await create({ orgId }, user)).toFail(403, "permissionMissing");
    const reply = await create({ orgId }, able);
    expect(reply).toSucceed();
    const { project } = (await as.user(head).get(`/api/project/${reply.body.id}`)).body;
    expect(project).toMatchObject({ orgId, members: [], organisation: { id: orgId, slug } });
    expect(await as.user(author).get(`/api/project/${reply.body.id}`)).toFail(404);
  });

  test("is refused for an organization that does not exist", async () => {
    expect(await create({ orgId: "nothing1" })).toFail(404, "organizationNotFound");
    expect(await create({ orgId: "" })).toSucceed();
  });

  test("is allowed for the owner of the organization and for administrators", async () => {
    expect(await create({ orgId }, head)).toSucceed();
    expect(await create({ orgId }, await make.user({ role: "admin" }))).toSucceed();
    expect(await create({ orgId }, await make.user({ role: "moderator" }))).toFail(403, "permissionMissing");
  });
});
