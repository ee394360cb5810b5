// Installation plans, through the API. The search itself is tested in solve.pure.test.ts.
import { describe, expect, test } from "vitest";
import { write } from "#platform/changes/write.js";
import { testApp } from "#test/server/harness.js";
import { setProject } from "#test/worlds/content.js";
import { ModShelf } from "#test/worlds/mod-shelf.js";

const world = await testApp();
const { as, make, resources } = world;
const author = await make.user();
const newShelf = () => new ModShelf(world, author);

const ask = (body: object, actor = as.anyone) => actor.post("/api/resolve", body);
interface Planned {
  action: string;
  project: { id: string };
  version: { versionNumber: string };
}
/** For example "add core@1.0", in the order of the plan. */
const linesOf = (shelf: ModShelf, files: Planned[]) =>
  files.map(({ action, project, version }) => `${action} ${shelf.nameOf(project.id)}@${version.versionNumber}`);
const planOf = async (shelf: ModShelf, wanted: string[], more: object = {}, actor = as.anyone) => {
  const projects = wanted.map((text) => {
    const [name = "", version] = text.split("@");
    return { project: shelf.id(name), ...(version !== undefined && { version }) };
  });
  const reply = await ask({ projects, ...more }, actor);
  expect(reply).toSucceed();
  return reply.body;
};
const yank = (shelf: ModShelf, text: string) =>
  write(resources, {}, async (tx) => {
    const id = shelf.versionId(text);
    await tx.db.updateTable("versions").set({ date_yanked: tx.now }).where("id", "=", id).execute();
    tx.changed("project", shelf.id(text.split("@")[0]!));
  });

describe("resolveDependencies", () => {
  test("returns exact files with all dependencies, dependencies first, and the reason for each", async () => {
    const shelf = newShelf();
    await shelf.version("core@1.0");
    await shelf.version("core@1.1");
    await shelf.version("api@1.0", { needs: "core@1.0" });
    await shelf.version("friend@1.0");
    await shelf.version("mod@1.0", { needs: "api core ?friend" });
    const body = await planOf(shelf, ["mod"], { gameVersion: "0.4.8", loader: "quilt", releaseChannel: "release" });
    expect(body).toMatchObject({ resolved: true, clash: null, unknown: [], unmet: [], downloadSize: 3 * 64 });
    expect(linesOf(shelf, body.files)).toEqual(["add core@1.0", "add api@1.0", "add mod@1.0"]);
    const [core, , mod] = body.files;
    const { sha1, sha512, id } = shelf.versions.get("core@1.0")!;
    expect(core.file).toMatchObject({ size: 64, sha1_hash: sha1, sha512_hash: sha512, isPrimary: true });
    expect(core.file.url).toBe(`http://modshelf.test/cdn/data/project/${shelf.id("core")}/version/${id}/file-1.0.jar`);
    expect(core.reasons).toEqual([
      expect.objectContaining({
        kind: "required",
        projectId: shelf.id("mod"),
        versionNumber: "1.0",
        onVersionId: null,
      }),
      expect.objectContaining({
        kind: "required",
        projectId: shelf.id("api"),
        onVersionId: id,
        onVersionNumber: "1.0",
      }),
    ]);
    expect(mod.reasons).toEqual([
      expect.objectContaining({ kind: "wanted", projectId: null, versionId: null, onProjectId: shelf.id("mod") }),
    ]);
    expect(body.optional).toEqual([
      {
        project: { id: shelf.id("friend"), slug: shelf.projects.get("friend")!.slug, name: "friend" },
        versionId: null,
        forVersionIds: [shelf.versionId("mod@1.0")],
      },
    ]);
  });

  test("matches game version, loader and channel on one version; a version without loaders matches every loader", async () => {
    const shelf = newShelf();
    await shelf.version("textures@1.0", { loaders: [] });
    await shelf.version("mod@1.0", { needs: "textures" });
    await shelf.version("mod@1.1", { channel: "beta", needs: "textures" });
    await shelf.version("mod@1.2", { gameVersions: ["0.4.9"] });
    await shelf.version("mod@1.3", { loaders: ["puzzle_loader"] });
    const plan = async (more: object) => linesOf(shelf, (await planOf(shelf, ["mod"], more)).files);
    const here = { gameVersion: "0.4.8", loader: "quilt" };
    expect(await plan({ ...here, releaseChannel: "release" })).toEqual(["add textures@1.0", "add mod@1.0"]);
    expect(await plan(here)).toEqual(["add textures@1.0", "add mod@1.1"]);
    expect(await plan({ ...here, releaseChannel: "beta-only" })).toEqual([]);
    expect(await plan({ gameVersion: "0.4.9" })).toEqual(["add mod@1.2"]);
    expect(await plan({})).toEqual(["add mod@1.3"]);
    expect(await ask({ projects: [{ project: shelf.id("mod") }], releaseChannel: "stable" })).toFail(
      400,
      "invalidRequest",
    );
  });

  test("accepts a version by number, slug or id, and ranges of numbers", async () => {
    const shelf = newShelf();
    for (const number of ["1.0", "1.9", "1.10", "2.0-Beta", "2.0"]) await shelf.version(`mod@${number}`);
    const plan = async (version: string) => linesOf(shelf, (await planOf(shelf, [`mod@${version}`])).files);
    expect(await plan("1.9")).toEqual(["add mod@1.9"]);
    expect(await plan("2.0-BETA")).toEqual(["add mod@2.0-Beta"]);
    expect(await plan(shelf.versionId("mod@1.0"))).toEqual(["add mod@1.0"]);
    expect(await plan("latest")).toEqual(["add mod@2.0"]);
    expect(await plan(">=1.2 <2")).toEqual(["add mod@2.0-Beta"]);
    expect(await plan(">=1.2 <=1.99")).toEqual(["add mod@1.10"]);
    const none = await planOf(shelf, ["mod@>3"]);
    expect(none.clash.reasons).toMatchObject([{ kind: "noVersion", missing: "version" }]);
    const projects = [{ project: shelf.id("mod"), version: "9.9" }];
    const refused = await ask({ projects });
    expect(refused).toFail(404, "versionNotFound");
    expect(refused.body.issues).toEqual([{ path: "projects.0.version", message: expect.any(String) }]);
    expect(await ask({ projects: [{ ...projects[0], version: ">=1 || <3" }] })).toFail(400, "invalidRequest");
  });

  test("uses versions that are pinned or explicitly named although they do not fit, and says so", async () => {
    const shelf = newShelf();
    await shelf.version("old@1.0", { gameVersions: ["0.4.5"], channel: "alpha" });
    await shelf.version("old@2.0");
    await shelf.version("mod@1.0", { needs: "old@1.0" });
    const setup = { gameVersion: "0.4.8", releaseChannel: "release" };
    const pinned = await planOf(shelf, ["mod"], setup);
    expect(linesOf(shelf, pinned.files)).toEqual(["add old@1.0", "add mod@1.0"]);
    expect(pinned.files.map(({ fits }: { fits: boolean }) => fits)).toEqual([false, true]);
    expect(linesOf(shelf, (await planOf(shelf, ["old"], setup)).files)).toEqual(["add old@2.0"]);
    expect(linesOf(shelf, (await planOf(shelf, ["old@1.0"], setup)).files)).toEqual(["add old@1.0"]);
  });

  test("skips withdrawn versions unless they are named or installed", async () => {
    const shelf = newShelf();
    await shelf.version("core@1.0");
    await shelf.version("core@1.1");
    await shelf.version("mod@1.0", { needs: "core@1.1" });
    await yank(shelf, "core@1.1");
    expect(linesOf(shelf, (await planOf(shelf, ["core"])).files)).toEqual(["add core@1.0"]);
    expect(linesOf(shelf, (await planOf(shelf, ["core@1.1"])).files)).toEqual(["add core@1.1"]);
    const { clash } = await planOf(shelf, ["mod"]);
    expect(clash.reasons).toMatchObject([{ kind: "noVersion", missing: "version", projectId: shelf.id("core") }]);
    const kept = await planOf(shelf, ["mod"], { installed: [shelf.hash("core@1.1")] });
    expect(linesOf(shelf, kept.files)).toEqual(["keep core@1.1", "add mod@1.0"]);
  });

  test("names the clashing demands and the reason, and nothing else", async () => {
    const shelf = newShelf();
    await shelf.version("core@1.0");
    await shelf.version("core@2.0");
    await shelf.version("bystander@1.0");
    await shelf.version("mod-a@1.0", { needs: "core@1.0" });
    await shelf.version("mod-b@1.0", { needs: "core@2.0" });
    await shelf.version("mod-c@1.0", { needs: "!bystander" });
    const body = await planOf(shelf, ["bystander", "mod-a", "mod-b"]);
    expect(body).toMatchObject({ resolved: false, files: [], downloadSize: 0 });
    expect(body.clash.demands.map((demand: { onProjectId: string }) => shelf.nameOf(demand.onProjectId))).toEqual([
      "mod-a",
      "mod-b",
    ]);
    expect(body.clash.reasons).toEqual([
      expect.objectContaining({
        kind: "pinsDiffer",
        projectSlug: shelf.projects.get("core")!.slug,
        missing: null,
        demands: [
          expect.objectContaining({ kind: "required", projectId: shelf.id("mod-a"), onVersionNumber: "1.0" }),
          expect.objectContaining({ kind: "required", projectId: shelf.id("mod-b"), onVersionNumber: "2.0" }),
        ],
      }),
    ]);
    const other = await planOf(shelf, ["mod-a", "mod-c", "bystander"]);
    expect(other.clash.demands.map((demand: { onProjectId: string }) => shelf.nameOf(demand.onProjectId))).toEqual([
      "mod-c",
      "bystander",
    ]);
    expect(other.clash.reasons).toMatchObject([{ kind: "incompatible", projectId: shelf.id("bystander") }]);
    const elsewhere = await planOf(shelf, ["mod-a"], { gameVersion: "0.4.9" });
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
    const shelf = newShelf();
    await shelf.version("mod@1.0");
    await shelf.version("mod@2.0");
    const slug = shelf.projects.get("mod")!.slug.toUpperCase();
    const { body } = await ask({ projects: [{ project: shelf.id("mod") }, { project: slug }, { project: slug }] });
    expect(linesOf(shelf, body.files)).toEqual(["add mod@2.0"]);
    expect(body.files[0].reasons).toHaveLength(1);
    expect((await planOf(shelf, ["mod", "mod@1.0"])).files).toHaveLength(1);
    expect((await planOf(shelf, ["mod@2.0", "mod@1.0"])).clash.reasons).toMatchObject([{ kind: "pinsDiffer" }]);
  });
});

describe("an installed version", () => {
  test("is kept if possible, replaced if necessary, and stays with its dependencies", async () => {
    const shelf = newShelf();
    await shelf.version("core@1.0");
    await shelf.version("core@2.0");
    await shelf.version("helper@1.0");
    await shelf.version("other@1.0", { needs: "helper" });
    await shelf.version("other@1.1", { needs: "helper" });
    await shelf.version("mod@1.0", { needs: "core@2.0" });
    const installed = [shelf.hash("core@1.0").toUpperCase(), shelf.hash("other@1.0"), "ab".repeat(64)];
    const body = await planOf(shelf, ["mod"], { installed });
    expect(linesOf(shelf, body.files).sort()).toEqual([
      "add helper@1.0",
      "add mod@1.0",
      "keep other@1.0",
      "replace core@2.0",
    ]);
    expect(body.files.find(({ action }: Planned) => action === "replace").replaces).toEqual([
      { hash: installed[0], versionId: shelf.versionId("core@1.0") },
    ]);
    expect(body.unknown).toEqual(["ab".repeat(64)]);
    expect(body.downloadSize).toBe(3 * 64);
    // A project that is requested by name gets its newest version.
    expect(linesOf(shelf, (await planOf(shelf, ["other"], { installed })).files)).toContain("replace other@1.1");
  });

  test("is kept with a warning even if it does not fit or has unmet dependencies", async () => {
    const shelf = newShelf();
    await shelf.project("gone", { visibility: "private" });
    await shelf.version("lonely@1.0", { needs: "gone", gameVersions: ["0.4.5"] });
    await shelf.version("mod@1.0");
    const body = await planOf(shelf, ["mod"], { installed: [shelf.hash("lonely@1.0")], gameVersion: "0.4.8" });
    expect(linesOf(shelf, body.files)).toEqual(["add mod@1.0", "keep lonely@1.0"]);
    expect(body.files[1].fits).toBe(false);
    expect(body.unmet).toEqual([
      expect.objectContaining({ projectId: shelf.id("lonely"), onProjectId: null, onProjectSlug: null }),
    ]);
    // A new installation would be refused.
    expect((await planOf(shelf, ["lonely"])).clash.reasons).toMatchObject([{ kind: "noVersion", missing: "project" }]);
  });

  test("clashes with incompatible projects", async () => {
    const shelf = newShelf();
    await shelf.version("foe@1.0");
    await shelf.version("mod@1.0", { needs: "!foe" });
    const { clash } = await planOf(shelf, ["mod"], { installed: [shelf.hash("foe@1.0")] });
    expect(clash.demands.map(({ kind }: { kind: string }) => kind)).toEqual(["wanted", "installed"]);
  });

  test("is recognized by its bytes: two versions with the same file are no update, and sha1 works too", async () => {
    const shelf = newShelf();
    const bytes = Buffer.from(`same ${Math.random()}`);
    await shelf.version("mod@1.0", { bytes, gameVersions: ["0.4.7"] });
    const { sha1 } = await shelf.version("mod@1.1", { bytes, gameVersions: ["0.4.8"] });
    const { body } = await ask({ installed: [sha1, sha1], algorithm: "sha1", gameVersion: "0.4.7" });
    expect(linesOf(shelf, body.files)).toEqual(["keep mod@1.0"]);
    expect(body.files[0].fits).toBe(true);
  });
});

describe("a caller", () => {
  test("cannot tell a project that they may not see from a missing one, for wanted projects, dependencies and hashes", async () => {
    const shelf = newShelf();
    await shelf.version("hidden@1.0");
    await shelf.version("mod@1.0", { needs: "hidden" });
    await setProject(world, shelf.id("hidden"), { visibility: "private" });
    const wish = (project: string) => ask({ projects: [{ project: shelf.id("mod") }, { project }] });
    const [hidden, absent] = [await wish(shelf.id("hidden")), await wish("never-was")];
    expect(hidden).toFail(404, "projectNotFound");
    expect({ ...hidden.body, requestId: "" }).toEqual({ ...absent.body, requestId: "" });
    expect(hidden.body.issues).toEqual([{ path: "projects.1.project", message: "this project does not exist" }]);
    expect((await planOf(shelf, ["mod"])).resolved).toBe(false);
    expect((await ask({ installed: [shelf.hash("hidden@1.0")] })).body).toMatchObject({
      files: [],
      unknown: [shelf.hash("hidden@1.0")],
    });
    const own = await planOf(shelf, ["mod"], {}, as.user(author));
    expect(linesOf(shelf, own.files)).toEqual(["add hidden@1.0", "add mod@1.0"]);
    // The answer to a member is not cached for others.
    expect((await planOf(shelf, ["mod"])).resolved).toBe(false);
  });

  test("sees every change at once, although answers are cached", async () => {
    const shelf = newShelf();
    await shelf.version("mod@1.0");
    const plan = async () => linesOf(shelf, (await planOf(shelf, ["mod"])).files);
    expect([await plan(), await plan()]).toEqual([["add mod@1.0"], ["add mod@1.0"]]);
    await shelf.version("mod@1.1");
    expect(await plan()).toEqual(["add mod@1.1"]);
    await yank(shelf, "mod@1.1");
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
    const shelf = newShelf();
    for (const name of ["mod-a", "mod-b", "mod-c"]) await shelf.project(name);
    await shelf.version("mod-a@1.0", { needs: "mod-b" });
    await shelf.version("mod-b@1.0", { needs: "mod-c" });
    await shelf.version("mod-c@1.0", { needs: "mod-a mod-b mod-c" });
    expect((await planOf(shelf, ["mod-a"])).files).toHaveLength(3);
  });
});
