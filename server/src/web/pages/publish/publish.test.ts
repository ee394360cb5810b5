// Creating projects and versions with forms, as a browser without script sends them.
import { describe, expect, test } from "vitest";
import type { TestUser } from "#test/callers/actors.js";
import { heading, location, readPage, submit, submitFiles, typed, wrongWith } from "#test/callers/page-forms.js";
import { jar } from "#test/callers/uploads.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { countStatements } from "#test/server/statement-count.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, resources } = world;

const manifest = (more: object = {}) =>
  JSON.stringify({
    schema_version: 1,
    quilt_loader: {
      id: `lamps-${uniqueName()}`,
      version: "1.4.0-beta.1",
      metadata: { name: "Fancy lamps", description: "Lamps that\nlight themselves", license: ["LGPLv3"] },
      depends: [{ id: "cosmicreach", versions: ">=0.4.7 <0.5.0" }],
      ...more,
    },
  });
const lamps = (name = "lamps.jar", more = {}) =>
  new File([new Uint8Array(jar({ name: "quilt.mod.json", content: manifest(more) }))], name);

const fields = {
  versionNumber: "1.0",
  title: "First",
  releaseChannel: "release",
  gameVersions: ["0.4.8"],
  loaders: ["quilt"],
};

async function draft(owner?: TestUser) {
  const user = owner ?? (await make.user());
  const project = await makeProject(world, user, { status: "draft", license: "" });
  return { user, project, path: `/project/${project.slug}`, actor: as.user(user) };
}

describe("getNewProjectPage, submitNewProjectFile and submitNewProject", () => {
  test("create a project by hand, and continue with its first version", async () => {
    const user = await make.user();
    expect(heading(await readPage(as.user(user), "/new"))).toBe("Publish a project");
    const slug = uniqueName("lamps");
    const given = { name: "Lamps", slug, summary: "They light", type: ["mod"], visibility: "listed" };
    const reply = await submit(as.user(user), "/new", given);
    expect([reply.status, location(reply)]).toEqual([303, `/project/${slug}/version/new`]);
    expect((await as.user(user).get(`/api/project/${slug}`)).body.project).toMatchObject({
      name: "Lamps",
      type: ["mod"],
    });
  });

  test("show problems beside the fields, and keep what was typed", async () => {
    const user = await make.user();
    const taken = await makeProject(world, user);
    const page = await submit(as.user(user), "/new", { name: "L", slug: "Not A Slug", summary: "", type: [] });
    expect(page.status).toBe(400);
    expect(typed(page, "slug")).toBe("Not A Slug");
    for (const name of ["name", "slug", "summary", "type"]) expect(wrongWith(page, name), name).toBeTruthy();
    const again = await submit(as.user(user), "/new", {
      ...{ name: "Lamps \u05d0", slug: taken.slug, summary: "<script>", type: ["mod"] },
    });
    expect([again.status, wrongWith(again, "slug")]).toEqual([409, "This URL is taken. Choose another one."]);
    const free = `${taken.slug}-2`;
    expect(again.text).toContain(`name="freeSlug" value="${free}"`);
    const given = { name: "Lamps", slug: taken.slug, freeSlug: free, summary: "They light", type: ["mod"] };
    expect(location(await submit(as.user(user), "/new", given))).toBe(`/project/${free}/version/new`);
    expect(again.text).toContain("&lt;script>");
    const both = await submit(as.user(user), "/new", {
      name: "Lamps",
      slug: uniqueName(),
      summary: "x",
      type: ["mod", "world"],
    });
    expect([both.status, Boolean(wrongWith(both, "type"))]).toEqual([400, true]);
  });

  test("create a project in an organization, if the user may", async () => {
    const [user, other] = [await make.user(), await make.user()];
    const [own, others] = [await makeOrg(world, user), await makeOrg(world, other)];
    expect((await readPage(as.user(user), "/new")).text).toContain(own.id);
    const slug = uniqueName("lamps");
    const given = { name: "Lamps", slug, summary: "They light", type: ["mod"] };
    const refused = await submit(as.user(user), "/new", { ...given, owner: others.id });
    expect([refused.status, Boolean(wrongWith(refused, "owner"))]).toEqual([403, true]);
    await submit(as.user(user), "/new", { ...given, owner: own.id });
    expect((await as.user(user).get(`/api/project/${slug}`)).body.project.orgId).toBe(own.id);
  });

  test("fill the form from a file, and keep the file", async () => {
    const user = await make.user();
    const actor = as.user(user);
    const read = await submitFiles(actor, "/new/file", {}, { primaryFile: [lamps()] });
    expect(location(read)).toMatch(/^\/new\?upload=\w{8}$/);
    const page = await readPage(actor, location(read)!);
    expect([typed(page, "name"), /lamps-user-/.test(typed(page, "slug") ?? "")]).toEqual(["Fancy lamps", true]);
    expect(page.text).toMatch(/value="mod" checked/);
    expect(page.text).toContain("Lamps that light themselves");
    expect(page.text).toMatch(/<option value="LGPL-3\.0-only" selected/);
    expect(page.text).toContain("Your file says: LGPLv3");
    const upload = typed(page, "upload")!;
    const slug = uniqueName("lamps");
    const given = { name: "Fancy lamps", slug, summary: "x", type: ["mod"], upload };
    const refused = await submit(actor, "/new", { ...given, license: "no such license" });
    expect([refused.status, Boolean(wrongWith(refused, "license"))]).toEqual([400, true]);
    const made = await submit(actor, "/new", { ...given, license: "LGPL-3.0-only" });
    const { project } = (await actor.get(`/api/project/${slug}`)).body;
    expect(project).toMatchObject({ licenseId: "LGPL-3.0-only", status: "draft" });
    expect(location(made)).toBe(`/project/${slug}/version/new?upload=${upload}`);
    const form = await readPage(actor, location(made)!);
    expect([typed(form, "versionNumber"), typed(form, "title")]).toEqual(["1.4.0-beta.1", "Fancy lamps 1.4.0-beta.1"]);
    expect(form.text).toMatch(/<option value="beta" selected/);
    expect(form.text).toMatch(/name="gameVersions" value="0\.4\.8" checked/);
    expect(form.text).not.toMatch(/name="gameVersions" value="0\.5\.0" checked/);
    expect(typed(form, "primaryUpload")).toBe(upload);
  });

  test("require a file, and start again if it has expired", async () => {
    const actor = as.user(await make.user());
    const page = await submitFiles(actor, "/new/file", {}, { primaryFile: undefined });
    expect([page.status, Boolean(wrongWith(page, "primaryFile"))]).toEqual([400, true]);
    expect((await readPage(actor, "/new?upload=nothing")).status).toBe(200);
  });

  test("redirect guests to the sign-in page, and give back what they typed", async () => {
    expect(location(await readPage(as.anyone, "/new"))).toBe("/auth/sign-in?next=%2Fnew");
    const page = await submit(as.anyone, "/new", { name: "Lamps", type: ["mod", "plugin"] });
    expect(page.status).toBe(401);
    expect(page.text.match(/name="type"/g)).toHaveLength(2);
  });
});

describe("getNewVersionPage and submitNewVersion", () => {
  test("publish a version with one form, and lead from a draft to its checklist", async () => {
    const { actor, path, project } = await draft();
    const reply = await submitFiles(actor, `${path}/version/new`, fields, {
      primaryFile: [lamps()],
      additionalFiles: undefined,
    });
    expect([reply.status, location(reply)]).toEqual([303, `${path}#checklist`]);
    const { data } = (await actor.get(`/api/project/${project.slug}/version/1.0`)).body;
    expect(data).toMatchObject({
      title: "First",
      gameVersions: ["0.4.8"],
      loaders: ["quilt"],
      files: [{ name: "lamps.jar" }],
    });
  });

  test("lead to the version itself if the project is public", async () => {
    const user = await make.user();
    const { slug } = await makeProject(world, user);
    const more = { primaryFile: [lamps()], additionalFiles: [lamps("a.jar"), lamps("b.jar")] };
    const reply = await submitFiles(as.user(user), `/project/${slug}/version/new`, fields, more);
    expect(location(reply)).toBe(`/project/${slug}/version/1.0`);
    expect((await as.anyone.get(`/api/project/${slug}/version/1.0`)).body.data.files).toHaveLength(3);
  });

  test("keep the files when the form is shown again, so that they need not be sent twice", async () => {
    const { actor, path, project } = await draft();
    const files = { primaryFile: [lamps()], additionalFiles: [lamps("extra.jar")] };
    const wrong = { ...fields, versionNumber: "not a number", gameVersions: [], changelog: "- **one**\r\n- two" };
    const page = await submitFiles(actor, `${path}/version/new`, wrong, files);
    expect(page.status).toBe(400);
    expect(wrongWith(page, "versionNumber")).toBeTruthy();
    expect(typed(page, "versionNumber")).toBe("not a number");
    expect(page.text).toContain("- **one**\n- two");
    expect(page.text).toContain("lamps.jar");
    const again = {
      ...{ ...fields, primaryUpload: typed(page, "primaryUpload")! },
      additionalUploads: typed(page, "additionalUploads")!,
    };
    const nothing = { primaryFile: undefined, additionalFiles: undefined };
    const missing = await submitFiles(actor, `${path}/version/new`, { ...again, gameVersions: [] }, nothing);
    expect([missing.status, Boolean(wrongWith(missing, "gameVersions"))]).toEqual([400, true]);
    expect(typed(missing, "primaryUpload")).toBe(again.primaryUpload);
    const reply = await submitFiles(actor, `${path}/version/new`, again, nothing);
    expect(reply.status).toBe(303);
    const { data } = (await actor.get(`/api/project/${project.slug}/version/1.0`)).body;
    expect(data.files.map(({ name }: { name: string }) => name)).toEqual(["lamps.jar", "extra.jar"]);
    // Sent twice.
    expect((await submitFiles(actor, `${path}/version/new`, again, nothing)).status).toBe(303);
    expect((await actor.get(`/api/project/${project.slug}/version`)).body.data).toHaveLength(1);
  });

  test("show problems of the file beside the file, and keep the texts", async () => {
    const { actor, path } = await draft();
    const file = new File(["no archive"], "lamps.jar");
    const page = await submitFiles(
      actor,
      `${path}/version/new`,
      { ...fields, title: "Keep me" },
      { primaryFile: [file] },
    );
    expect([page.status, typed(page, "title")]).toEqual([400, "Keep me"]);
    expect(wrongWith(page, "primaryFile")).toMatch(/lamps\.jar was rejected/);
    const none = await submitFiles(actor, `${path}/version/new`, fields, { primaryFile: undefined });
    expect([none.status, Boolean(wrongWith(none, "primaryFile"))]).toEqual([400, true]);
    const gone = await submitFiles(
      actor,
      `${path}/version/new`,
      { ...fields, primaryUpload: "nothing" },
      { primaryFile: undefined },
    );
    expect([gone.status, Boolean(wrongWith(gone, "primaryFile"))]).toEqual([404, true]);
  });

  test("accept dependencies by slug and number, and name unknown ones", async () => {
    const { actor, path, project, user } = await draft();
    const library = await makeProject(world, user);
    const pinned = await makeVersion(world, user, library.id, { versionNumber: "3.2" });
    const rows = {
      dependencyProject: [library.slug, ""],
      dependencyVersion: ["3.2", ""],
      dependencyType: ["optional", "required"],
    };
    const unknown = { ...fields, ...rows, dependencyProject: ["unknown-project", ""], dependencyVersion: ["", ""] };
    const page = await submitFiles(actor, `${path}/version/new`, unknown, { primaryFile: [lamps()] });
    expect([page.status, wrongWith(page, "dependencies")]).toEqual([400, "The project unknown-project does not exist"]);
    const marked = page.text.match(/<input name="dependencyProject"[^>]*aria-invalid[^>]*>/g);
    expect(marked).toEqual([expect.stringContaining('value="unknown-project"')]);
    // Another row is asked for without script; the file and everything typed stay.
    const more = { ...fields, ...rows, addRow: "1" };
    const longer = await submitFiles(actor, `${path}/version/new`, more, { primaryFile: [lamps()] });
    expect([longer.status, longer.text.match(/name="dependencyProject"/g)?.length]).toEqual([200, 3]);
    expect([typed(longer, "dependencyProject"), typed(longer, "title")]).toEqual([library.slug, "First"]);
    expect(longer.text).toContain('name="primaryUpload"');
    const reply = await submitFiles(actor, `${path}/version/new`, { ...fields, ...rows }, { primaryFile: [lamps()] });
    expect(reply.status).toBe(303);
    const { data } = (await actor.get(`/api/project/${project.slug}/version/1.0`)).body;
    expect(data.dependencies).toMatchObject([
      { projectId: library.id, versionId: pinned.id, dependencyType: "optional" },
    ]);
    const edit = await readPage(actor, `${path}/version/1.0/edit`);
    expect([typed(edit, "dependencyProject"), typed(edit, "dependencyVersion")]).toEqual([library.slug, "3.2"]);
  });

  test("run no more queries for two hundred uploads and dependencies than for two", async () => {
    const { actor, path } = await draft();
    const cost = (count: number) => {
      const many = Array.from({ length: count }, (_, at) => `unknown-${at}`);
      const rows = { dependencyProject: many, dependencyVersion: many, dependencyType: many.map(() => "required") };
      const sent = { ...fields, ...rows, additionalUploads: many };
      return countStatements(world.resources.db, async () => {
        const page = await submitFiles(actor, `${path}/version/new`, sent, { primaryFile: undefined });
        expect(page.text).toContain("unknown-1");
      });
    };
    const few = await cost(2);
    expect(await cost(200)).toBeLessThanOrEqual(few);
  });

  test("are refused to members who may not publish, and not found if the project is hidden", async () => {
    const { path, project } = await draft();
    const [stranger, editor] = [await make.user(), await make.user()];
    await addMember(world, project.teamId, editor, { permissions: ["edit_details"] });
    expect((await readPage(as.user(stranger), `${path}/version/new`)).status).toBe(404);
    expect((await readPage(as.user(editor), `${path}/version/new`)).status).toBe(403);
    const sent = await submitFiles(as.user(editor), `${path}/version/new`, fields, { primaryFile: [lamps()] });
    expect(sent.status).toBe(403);
    const open = await makeProject(world, await make.user());
    expect((await readPage(as.user(stranger), `/project/${open.slug}/version/new`)).status).toBe(403);
  });

  test("say that an archived project accepts no versions", async () => {
    const user = await make.user();
    const { slug } = await makeProject(world, user, { visibility: "archived" });
    const page = await readPage(as.user(user), `/project/${slug}/version/new`);
    expect(page.text).toContain("This project is archived");
    const sent = await submitFiles(as.user(user), `/project/${slug}/version/new`, fields, { primaryFile: [lamps()] });
    expect(sent.status).toBe(409);
  });
});

describe("getEditVersionPage and submitEditVersion", () => {
  test("change the details, add files, and never change existing files", async () => {
    const { actor, user, path, project } = await draft();
    const version = await makeVersion(world, user, project.id, { versionNumber: "2.0" });
    const page = await readPage(actor, `${path}/version/2.0/edit`);
    expect([heading(page), typed(page, "versionNumber")]).toEqual(["Edit 2.0", "2.0"]);
    expect(page.text, "an existing version keeps its number").not.toContain("Leave this empty to");
    const edit = {
      ...fields,
      versionNumber: "2.0",
      title: "Second",
      changelog: "More light",
      gameVersions: ["0.4.7", "0.4.8"],
    };
    const reply = await submitFiles(actor, `${path}/version/2.0/edit`, edit, { additionalFiles: [lamps("more.jar")] });
    expect(location(reply)).toBe(`${path}/version/2.0`);
    const { data } = (await actor.get(`/api/project/${project.slug}/version/${version.id}`)).body;
    expect(data).toMatchObject({ title: "Second", changelog: "More light", gameVersions: ["0.4.8", "0.4.7"] });
    expect(data.files.map(({ name }: { name: string }) => name)).toEqual(["file-2.0.jar", "more.jar"]);
    expect(data.primaryFile.sha512_hash).toBe(version.sha512);
  });

  test("show the form again with an uploaded file", async () => {
    const { actor, user, path, project } = await draft();
    await makeVersion(world, user, project.id, { versionNumber: "2.0" });
    const wrong = { ...fields, versionNumber: "2.0", gameVersions: ["nine"] };
    const page = await submitFiles(actor, `${path}/version/2.0/edit`, wrong, { additionalFiles: [lamps("more.jar")] });
    expect([page.status, Boolean(wrongWith(page, "gameVersions"))]).toEqual([400, true]);
    const again = { ...wrong, gameVersions: ["0.4.8"], additionalUploads: typed(page, "additionalUploads")! };
    expect((await submitFiles(actor, `${path}/version/2.0/edit`, again, { additionalFiles: undefined })).status).toBe(
      303,
    );
    const stale = await submitFiles(actor, `${path}/version/9/edit`, again, { additionalFiles: undefined });
    expect(stale.status).toBe(404);
  });
});

describe("getYankPage, submitYank, getDeleteVersionPage and submitDeleteVersion", () => {
  test("yank with a reason and a replacement, and restore it", async () => {
    const { actor, user, path, project } = await draft();
    await makeVersion(world, user, project.id, { versionNumber: "1.0" });
    const better = await makeVersion(world, user, project.id, { versionNumber: "1.1" });
    expect(heading(await readPage(actor, `${path}/version/1.0/yank`))).toBe("Yank 1.0");
    const long = await submit(actor, `${path}/version/1.0/yank`, { reason: "x".repeat(300) });
    expect([long.status, Boolean(wrongWith(long, "reason"))]).toEqual([400, true]);
    const reply = await submit(actor, `${path}/version/1.0/yank`, { reason: "Crashes.", replacement: better.id });
    expect(location(reply)).toBe(`${path}/version/1.0`);
    const read = async () => (await actor.get(`/api/project/${project.slug}/version/1.0`)).body.data;
    expect(await read()).toMatchObject({ yanked: true, yankReason: "Crashes.", yankReplacementId: better.id });
    for (const below of ["version/1.0", "download?version=1.0"])
      expect((await readPage(actor, `${path}/${below}`)).text).toContain("Use 1.1 instead");
    const odd = await submit(actor, `${path}/version/1.1/yank`, { reason: "Worse.", replacement: "nonsense" });
    expect([odd.status, odd.text.includes("Must be another version")]).toEqual([400, true]);
    expect(heading(await readPage(actor, `${path}/version/1.0/yank`))).toBe("Restore 1.0");
    await submit(actor, `${path}/version/1.0/yank`, { undo: "yes" });
    expect(await read()).toMatchObject({ yanked: false });
  });

  test("delete only after the number was typed", async () => {
    const { actor, user, path, project } = await draft();
    await makeVersion(world, user, project.id, { versionNumber: "1.0" });
    const question = await readPage(actor, `${path}/version/1.0/delete`);
    expect(question.text).toContain("Type &quot;1.0&quot; to confirm");
    const wrong = await submit(actor, `${path}/version/1.0/delete`, { confirm: "1.1" });
    expect([wrong.status, Boolean(wrongWith(wrong, "confirm"))]).toEqual([400, true]);
    const reply = await submit(actor, `${path}/version/1.0/delete`, { confirm: "1.0" });
    expect(location(reply)).toBe(`${path}/versions`);
    expect(await actor.get(`/api/project/${project.slug}/version/1.0`)).toFail(404, "versionNotFound");
  });

  test("need their permissions", async () => {
    const { user, path, project } = await draft();
    await makeVersion(world, user, project.id, { versionNumber: "1.0" });
    const publisher = await make.user();
    await addMember(world, project.teamId, publisher, { permissions: ["upload_version"] });
    expect((await readPage(as.user(publisher), `${path}/version/1.0/delete`)).status).toBe(403);
    expect((await submit(as.user(publisher), `${path}/version/1.0/delete`, { confirm: "1.0" })).status).toBe(403);
    expect((await readPage(as.user(publisher), `${path}/version/1.0/yank`)).status).toBe(200);
    expect((await readPage(as.user(await make.user()), `${path}/version/1.0/yank`)).status).toBe(404);
  });
});

test("an uploaded file is removed after it was published", async () => {
  const { actor, path, user } = await draft();
  await submitFiles(actor, `${path}/version/new`, fields, { primaryFile: [lamps()] });
  expect(await resources.db.selectFrom("uploads").select("id").where("user_id", "=", user.id).execute()).toEqual([]);
});
