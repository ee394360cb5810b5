// CI keys that are created on a project's page, and the forms in its checklist.
import { describe, expect, test } from "vitest";
import { location, readPage, submit, wrongWith } from "#test/callers/page-forms.js";
import { publishTo } from "#test/callers/uploads.js";
import { testApp } from "#test/server/harness.js";
import { addMember, makeProject } from "#test/worlds/content.js";

const world = await testApp();
const { as, make, clock } = world;

async function ownProject(options = {}) {
  const user = await make.user();
  const project = await makeProject(world, user, options);
  return { user, project, path: `/project/${project.slug}/settings/publishing` };
}

describe("submitCiKey", () => {
  test("creates a key that can publish in this project only, and shows it once", async () => {
    const { user, project, path } = await ownProject();
    const other = await makeProject(world, user);
    const page = await submit(as.user(user), `${path}/keys`, { name: "Forge", days: "30" });
    const value = /<code>(msp_\w+)<\/code>/.exec(page.text)?.[1] ?? "";
    expect(await publishTo(as.bearer(value), project.id)).toSucceed();
    expect(await publishTo(as.bearer(value), other.id)).toFail(403);
    const [token] = (await as.user(user).get("/api/pat")).body;
    expect(token).toMatchObject({
      ...{ name: "Forge", projectId: project.id },
      scopes: ["project_read", "version_create", "version_read"],
    });
    const list = await readPage(as.user(user), path);
    expect(list.text).toContain("Forge");
    expect(list.text).toContain(`/settings/pats/${token.id}`);
    expect(list.text).not.toContain(value);
  });

  test("needs a name, the permission to upload, and a recent sign-in", async () => {
    const { user, project, path } = await ownProject();
    const nameless = await submit(as.user(user), `${path}/keys`, { name: "  ", days: "30" });
    expect([nameless.status, Boolean(wrongWith(nameless, "name"))]).toEqual([400, true]);
    const member = await make.user();
    await addMember(world, project.teamId, member, { permissions: ["edit_details"] });
    expect((await submit(as.user(member), `${path}/keys`, { name: "Mine" })).status).toBe(403);
    const bearer = await as.token(user, { scopes: ["project_write"] });
    expect((await submit(bearer, `${path}/keys`, { name: "By a token" })).status).toBe(403);
    await clock.during(11 * 60_000, async () => {
      expect((await readPage(as.user(user), path)).text).toContain("/auth/sign-in?again=1");
      expect((await submit(as.user(user), `${path}/keys`, { name: "Late" })).status).toBe(403);
    });
    expect((await as.user(user).get("/api/pat")).body.map(({ name }: { name: string }) => name)).toEqual(["test"]);
  });
});

describe("submitNewToken for one project", () => {
  test("binds it to the chosen project, with the scopes of the preset that allow it", async () => {
    const { user, project } = await ownProject();
    const fields = { name: "One", preset: "ci", days: "90", project: project.id };
    expect((await readPage(as.user(user), "/settings/pats/new")).text).toContain(`value="${project.id}"`);
    expect((await submit(as.user(user), "/settings/pats/new", fields)).text).toContain("msp_");
    const [token] = (await as.user(user).get("/api/pat")).body;
    expect(token.projectId).toBe(project.id);
    expect(token.scopes).toContain("version_create");
    const wide = { ...fields, preset: "custom", scope_organization_write: "on" };
    const refused = await submit(as.user(user), "/settings/pats/new", wide);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("cannot have these scopes: organization_write");
    const foreign = await ownProject();
    const wrong = await submit(as.user(user), "/settings/pats/new", { ...fields, project: foreign.project.id });
    expect([wrong.status, Boolean(wrongWith(wrong, "project"))]).toEqual([404, true]);
  });
});

test("submitProjectSettings accepts the client and server sides alone from the checklist, and redirects back to it", async () => {
  const { user, project } = await ownProject({ status: "draft", types: ["mod"] });
  const top = `/project/${project.slug}`;
  const page = await readPage(as.user(user), top);
  expect(page.text).toContain('name="clientSide"');
  const reply = await submit(as.user(user), `${top}/settings`, {
    ...{ clientSide: "required", serverSide: "optional", next: `${top}#checklist` },
  });
  expect(location(reply)).toBe(`${top}?done=saved#checklist`);
  const { clientSide, serverSide, type } = (await as.user(user).get(`/api/project/${project.id}`)).body.project;
  expect({ clientSide, serverSide, type }).toEqual({ clientSide: "required", serverSide: "optional", type: ["mod"] });
});
