// Installation plans, through the API. The search itself is tested in solve.pure.test.ts.
import { describe, expect, test } from "vitest";
import { write } from "#platform/changes/write.js";
import { testApp } from "#test/server/harness.js";
import { setProject } from "#test/worlds/content.js";
import { TestMods } from "#test/worlds/test-mods.js";

const world = await testApp();
const { as, make, resources } = world;
const author = await make.user();
const newMods = () => new TestMods(world, author);

const ask = (body: object, actor = as.anyone) => actor.post("/api/resolve", body);
interface Planned {
  action: string;
  project: { id: string };
  version: { versionNumber: string };
}
/** For example "add core@1.0", in the order of the plan. */
const linesOf = (mods: TestMods, files: Planned[]) =>
  files.map(({ action, project, version }) => `${action} ${mods.nameOf(project.id)}@${version.versionNumber}`);
const planOf = async (mods: TestMods, wanted: string[], more: object = {}, actor = as.anyone) => {
  const projects = wanted.map((text) => {
    const [name = "", version] = text.split("@");
    return { project: mods.id(name), ...(version !== undefined && { version }) };
  });
  const reply = await ask({ projects, ...more }, actor);
  expect(reply).toSucceed();
  return reply.body;
};
const yank = (mods: TestMods, text: string) =>
  write(resources, {}, async (tx) => {
    const id = mods.versionId(text);
    await tx.db.updateTable("versions").set({ date_yanked: tx.now }).where("id", "=", id).execute();
    tx.changed("project", mods.id(text.split("@")[0]!));
  });

describe("resolveDependencies", () => {
  test("returns exact files with all dependencies, dependencies first, and the reason for each", async () => {
    const mods = newMods();
    await mods.version("core@1.0");
    await mods.version("core@1.1");
    await mods.version("api@1.0", { needs: "core@1.0" });
    await mods.version("friend@1.0");
    await mods.version("mod@1.0", { needs: "api core ?friend" });
    const body = await planOf(mods, ["mod"], { gameVersion: "0.4.8", loader: "quilt", releaseChannel: "release" });
    expect(body).toMatchObject({ resolved: true, clash: null, unknown: [], unmet: [], downloadSize: 3 * 64 });
    expect(linesOf(mods, body.files)).toEqual(["add core@1.0", "add api@1.0", "add mod@1.0"]);
    const [core, , mod] = body.files;
    const { sha1, sha512, id } = mods.versions.get("core@1.0")!;
    expect(core.file).toMatchObject({ size: 64, sha1_hash: sha1, sha512_hash: sha512, isPrimary: true });
    expect(core.file.url).toBe(`http://modshelf.test/cdn/data/project/${mods.id("core")}/version/${id}/file-1.0.jar`);
    expect(core.reasons).toEqual([
      expect.objectContaining({
        kind: "required",
        projectId: mods.id("mod"),
        versionNumber: "1.0",
        onVersionId: null,
      }),
      expect.objectContaining({
        kind: "required",
        projectId: mods.id("api"),
        onVersionId: id,
        onVersionNumber: "1.0",
      }),
    ]);
    expect(mod.reasons).toEqual([
      expect.objectContaining({ kind: "wanted", projectId: null, versionId: null, onProjectId: mods.id("mod") }),
    ]);
    expect(body.optional).toEqual([
      {
        project: { id: mods.id("friend"), slug: mods.projects.get("friend")!.slug, name: "friend" },
        versionId: null,
        forVersionIds: [mods.versionId("mod@1.0")],
      },
    ]);
  });

  test("matches game version, loader and channel on one version; a version without loaders matches every loader", async () => {
    const mods = newMods();
    await mods.version("textures@1.0", { loaders: [] });
    await mods.version("mod@1.0", { needs: "textures" });
    await mods.version("mod@1.1", { channel: "beta", needs: "textures" });
    await mods.version("mod@1.2", { gameVersions: ["0.4.9"] });
    await mods.version("mod@1.3", { loaders: ["puzzle_loader"] });
    const plan = async (more: object) => linesOf(mods, (await planOf(mods, ["mod"], more)).files);
    const here = { gameVersion: "0.4.8", loader: "quilt" };
    expect(await plan({ ...here, releaseChannel: "release" })).toEqual(["add textures@1.0", "add mod@1.0"]);
    expect(await plan(here)).toEqual(["add textures@1.0", "add mod@1.1"]);
    expect(await plan({ ...here, releaseChannel: "beta-only" })).toEqual([]);
    expect(await plan({ gameVersion: "0.4.9" })).toEqual(["add mod@1.2"]);
    expect(await plan({})).toEqual(["add mod@1.3"]);
    expect(await ask({ projects: [{ project: mods.id("mod") }], releaseChannel: "stable" })).toFail(
      400,
      "invalidRequest",
    );
  });

  test("accepts a version by number, slug or id, and ranges of numbers", async () => {
    const mods = newMods();
    for (const number of ["1.0", "1.9", "1.10", "2.0-Beta", "2.0"]) await mods.version(`mod@${number}`);
    const plan = async (version: string) => linesOf(mods, (await planOf(mods, [`mod@${version}`])).files);
    expect(await plan("1.9")).toEqual(["add mod@1.9"]);
    expect(await plan("2.0-BETA")).toEqual(["add mod@2.0-Beta"]);
    expect(await plan(mods.versionId("mod@1.0"))).toEqual(["add mod@1.0"]);
    expect(await plan("latest")).toEqual(["add mod@2.0"]);
    expect(await plan(">=1.2 <2")).toEqual(["add mod@2.0-Beta"]);
    expect(await plan(">=1.2 <=1.99")).toEqual(["add mod@1.10"]);
    const none = await planOf(mods, ["mod@>3"]);
    expect(none.clash.reasons).toMatchObject([{ kind: "noVersion", missing: "version" }]);
    const projects = [{ project: mods.id("mod"), version: "9.9" }];
    const refused = await ask({ projects });
    expect(refused).toFail(404, "versionNotFound");
    expect(refused.body.issues).toEqual([{ path: "projects.0.version", message: expect.any(String) }]);
    expect(await ask({ projects: [{ ...projects[0], version: ">=1 || <3" }] })).toFail(400, "invalidRequest");
  });

  test("uses versions that are pinned or explicitly named although they do not fit, and says so", async () => {
    const mods = newMods();
    await mods.version("old@1.0", { gameVersions: ["0.4.5"], channel: "alpha" });
    await mods.version("old@2.0");
    await mods.version("mod@1.0", { needs: "old@1.0" });
    const setup = { gameVersion: "0.4.8", releaseChannel: "release" };
    const pinned = await planOf(mods, ["mod"], setup);
    expect(linesOf(mods, pinned.files)).toEqual(["add old@1.0", "add mod@1.0"]);
    expect(pinned.files.map(({ fits }: { fits: boolean }) => fits)).toEqual([false, true]);
    expect(linesOf(mods, (await planOf(mods, ["old"], setup)).files)).toEqual(["add old@2.0"]);
    expect(linesOf(mods, (await planOf(mods, ["old@1.0"], setup)).files)).toEqual(["add old@1.0"]);
  });

  test("skips withdrawn versions unless they are named or installed", async () => {
    const mods = newMods();
    await mods.version("core@1.0");
    await mods.version("core@1.1");
    await mods.version("mod@1.0", { needs: "core@1.1" });
    await yank(mods, "core@1.1");
    expect(linesOf(mods, (await planOf(mods, ["core"])).files)).toEqual(["add core@1.0"]);
    expect(linesOf(mods, (await planOf(mods, ["core@1.1"])).files)).toEqual(["add core@1.1"]);
    const { clash } = await planOf(mods, ["mod"]);
    expect(clash.reasons).toMatchObject([{ kind: "noVersion", missing: "version", projectId: mods.id("core") }]);
    const kept = await planOf(mods, ["mod"], { installed: [mods.hash("core@1.1")] });
    expect(linesOf(mods, kept.files)).toEqual(["keep core@1.1", "add mod@1.0"]);
  });

  test("names the clashing demands and the reason, and nothing else", async () => {
    const mods = newMods();
    await mods.version("core@1.0");
    await mods.version("core@2.0");
    await mods.version("bystander@1.0");
    await mods.version("mod-a@1.0", { needs: "core@1.0" });
    await mods.version("mod-b@1.0", { needs: "core@2.0" });
    await mods.version("mod-c@1.0", { needs: "!bystander" });
    const body = await planOf(mods, ["bystander", "mod-a", "mod-b"]);
    expect(body).toMatchObject({ resolved: false, files: [], downloadSize: 0 });
    expect(body.clash.demands.map((demand: { onProjectId: string }) => mods.nameOf(demand.onProjectId))).toEqual([
      "mod-a",
      "mod-b",
    ]);
    expect(body.clash.reasons).toEqual([
      expect.objectContaining({
        kind: "pinsDiffer",
        projectSlug: mods.projects.get("core")!.slug,
        missing: null,
        demands: [
          expect.objectContaining({ kind: "required", projectId: mods.id("mod-a"), onVersionNumber: "1.0" }),
          expect.objectContaining({ kind: "required", projectId: mods.id("mod-b"), onVersionNumber: "2.0" }),
        ],
      }),
    ]);
    const other = await planOf(mods, ["mod-a", "mod-c", "bystander"]);
    expect(other.clash.demands.map((demand: { onProjectId: string }) => mods.nameOf(demand.onProjectId))).toEqual([
      "mod-c",
      "bystander",
    ]);
    expect(other.clash.reasons).toMatchObject([{ kind: "incompatible", projectId: mods.id("bystander") }]);
    const elsewhere = await planOf(mods, ["mod-a"], { gameVersion: "0.4.9" });
    expect(elsewhere.clash.reasons).toMatchObject(
      [
        {
          kind: "noVersion",
          missing: "gameVersion",
          newest: { versionNumber: "1.0" },
          message: /has no version for 0\.4\.9$/,
        },
      ].map((each) => ({ ...each, message: expect.stringMatching(each.message) })),
    );
  });

  test("two entries for one project count as one unless they differ", async () => {
    const mods = newMods();
    await mods.version("mod@1.0");
    await mods.version("mod@2.0");
    const slug = mods.projects.get("mod")!.slug.toUpperCase();
    const { body } = await ask({ projects: [{ project: mods.id("mod") }, { project: slug }, { project: slug }] });
    expect(linesOf(mods, body.files)).toEqual(["add mod@2.0"]);
    expect(body.files[0].reasons).toHaveLength(1);
    expect((await planOf(mods, ["mod", "mod@1.0"])).files).toHaveLength(1);
    expect((await planOf(mods, ["mod@2.0", "mod@1.0"])).clash.reasons).toMatchObject([{ kind: "pinsDiffer" }]);
  });
});

describe("an installed version", () => {
  test("is kept if possible, replaced if necessary, and stays with its dependencies", async () => {
    const mods = newMods();
    await mods.version("core@1.0");
    await mods.version("core@2.0");
    await mods.version("helper@1.0");
    await mods.version("other@1.0", { needs: "helper" });
    await mods.version("other@1.1", { needs: "helper" });
    await mods.version("mod@1.0", { needs: "core@2.0" });
    const installed = [mods.hash("core@1.0").toUpperCase(), mods.hash("other@1.0"), "ab".repeat(64)];
    const body = await planOf(mods, ["mod"], { installed });
    expect(linesOf(mods, body.files).sort()).toEqual([
      "add helper@1.0",
      "add mod@1.0",
      "keep other@1.0",
      "replace core@2.0",
    ]);
    expect(body.files.find(({ action }: Planned) => action === "replace").replaces).toEqual([
      { hash: installed[0], versionId: mods.versionId("core@1.0") },
    ]);
    expect(body.unknown).toEqual(["ab".repeat(64)]);
    expect(body.downloadSize).toBe(3 * 64);
    // A project that is requested by name gets its newest version.
    expect(linesOf(mods, (await planOf(mods, ["other"], { installed })).files)).toContain("replace other@1.1");
  });

  test("is kept with a warning even if it does not fit or has unmet dependencies", async () => {
    const mods = newMods();
    await mods.project("gone", { visibility: "private" });
    await mods.version("lonely@1.0", { needs: "gone", gameVersions: ["0.4.5"] });
    await mods.version("mod@1.0");
    const body = await planOf(mods, ["mod"], { installed: [mods.hash("lonely@1.0")], gameVersion: "0.4.8" });
    expect(linesOf(mods, body.files)).toEqual(["add mod@1.0", "keep lonely@1.0"]);
    expect(body.files[1].fits).toBe(false);
    expect(body.unmet).toEqual([
      expect.objectContaining({ projectId: mods.id("lonely"), onProjectId: null, onProjectSlug: null }),
    ]);
    // A new installation would be refused.
    expect((await planOf(mods, ["lonely"])).clash.reasons).toMatchObject([{ kind: "noVersion", missing: "project" }]);
  });

  test("clashes with incompatible projects", async () => {
    const mods = newMods();
    await mods.version("foe@1.0");
    await mods.version("mod@1.0", { needs: "!foe" });
    const { clash } = await planOf(mods, ["mod"], { installed: [mods.hash("foe@1.0")] });
    expect(clash.demands.map(({ kind }: { kind: string }) => kind)).toEqual(["wanted", "installed"]);
  });

  test("is recognized by its bytes: two versions with the same file are no update, and sha1 works too", async () => {
    const mods = newMods();
    const bytes = Buffer.from(`same ${Math.random()}`);
    await mods.version("mod@1.0", { bytes, gameVersions: ["0.4.7"] });
    const { sha1 } = await mods.version("mod@1.1", { bytes, gameVersions: ["0.4.8"] });
    const { body } = await ask({ installed: [sha1, sha1], algorithm: "sha1", gameVersion: "0.4.7" });
    expect(linesOf(mods, body.files)).toEqual(["keep mod@1.0"]);
    expect(body.files[0].fits).toBe(true);
  });
});

describe("a caller", () => {
  test("cannot tell a project that they may not see from a missing one, for wanted projects, dependencies and hashes", async () => {
    const mods = newMods();
    await mods.version("hidden@1.0");
    await mods.version("mod@1.0", { needs: "hidden" });
    await setProject(world, mods.id("hidden"), { visibility: "private" });
    const wish = (project: string) => ask({ projects: [{ project: mods.id("mod") }, { project }] });
    const [hidden, absent] = [await wish(mods.id("hidden")), await wish("never-was")];
    expect(hidden).toFail(404, "projectNotFound");
    expect({ ...hidden.body, requestId: "" }).toEqual({ ...absent.body, requestId: "" });
    expect(hidden.body.issues).toEqual([{ path: "projects.1.project", message: "this project does not exist" }]);
    expect((await planOf(mods, ["mod"])).resolved).toBe(false);
    expect((await ask({ installed: [mods.hash("hidden@1.0")] })).body).toMatchObject({
      files: [],
      unknown: [mods.hash("hidden@1.0")],
    });
    const own = await planOf(mods, ["mod"], {}, as.user(author));
    expect(linesOf(mods, own.files)).toEqual(["add hidden@1.0", "add mod@1.0"]);
    // The answer to a member is not cached for others.
    expect((await planOf(mods, ["mod"])).resolved).toBe(false);
  });

  test("sees every change at once, although answers are cached", async () => {
    const mods = newMods();
    await mods.version("mod@1.0");
    const plan = async () => linesOf(mods, (await planOf(mods, ["mod"])).files);
    expect([await plan(), await plan()]).toEqual([["add mod@1.0"], ["add mod@1.0"]]);
    await mods.version("mod@1.1");
    expect(await plan()).toEqual(["add mod@1.1"]);
    await yank(mods, "mod@1.1");
    expect(await plan()).toEqual(["add mod@1.0"]);
  });
});

describe("invalid requests", () => {
  const hash = "0".repeat(128);
  test.each([
    ["nothing", {}],
    ["no projects", { projects: [] }],
    ["a text for projects", { projects: "mod" }],
    ["a project without a name", { projects: [{}] }],
    ["an empty name", { projects: [{ project: "" }] }],
    ["a number for a name", { projects: [{ project: 5 }] }],
    ["a name that is too long", { projects: [{ project: "x".repeat(65) }] }],
    ["too many projects", { projects: Array(201).fill({ project: "a" }) }],
    ["too many hashes", { installed: Array(1001).fill(hash) }],
    ["5,000 hashes", { installed: Array(5_000).fill("ab") }],
    ["null for a hash", { installed: [null] }],
    ["an unknown algorithm", { installed: [hash], algorithm: "md5" }],
    ["a number for the game version", { installed: [hash], gameVersion: 5 }],
  ])("are refused with 400: %s", async (_name, body) => {
    expect(await ask(body)).toFail(400, "invalidRequest");
  });

  test("a malformed hash is unknown, like the hash of any other file", async () => {
    expect((await ask({ installed: ["xyz", hash] })).body.unknown).toEqual(["xyz", hash]);
  });

  test("all unknown names are reported with their position", async () => {
    const reply = await ask({ projects: ["a1", "../etc", "AAAAAAAA"].map((project) => ({ project })) });
    expect(reply).toFail(404, "projectNotFound");
    expect(reply.body.issues.map(({ path }: { path: string }) => path)).toEqual([
      "projects.0.project",
      "projects.1.project",
      "projects.2.project",
    ]);
  });

  test("cycles, and a project that depends on itself, are allowed", async () => {
    const mods = newMods();
    for (const name of ["mod-a", "mod-b", "mod-c"]) await mods.project(name);
    await mods.version("mod-a@1.0", { needs: "mod-b" });
    await mods.version("mod-b@1.0", { needs: "mod-c" });
    await mods.version("mod-c@1.0", { needs: "mod-a mod-b mod-c" });
    expect((await planOf(mods, ["mod-a"])).files).toHaveLength(3);
  });
});
