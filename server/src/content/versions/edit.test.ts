// updateVersion, updateLatestVersion, yankVersion, unyankVersion and deleteVersion.
import { describe, expect, test } from "vitest";
import { counterOf } from "#content/downloads/counters.js";
import { jar, jarFile, publishTo, toForm, type UploadParts } from "#test/callers/uploads.js";
import { testApp } from "#test/server/harness.js";
import { addMember, makeProject, type TestProject } from "#test/worlds/content.js";
import { listDailyDownloads } from "#test/worlds/daily-downloads.js";

const world = await testApp({
  settings: { MODSHELF_TRUSTED_PROXIES: "loopback" },
});
const { as, make, clock, resources } = world;
const author = await make.user();
const me = as.user(author);

interface Published {
  id: string;
  slug: string;
  path: string;
  sha1: string;
  sha512: string;
  bytes: Buffer;
}

async function published(project: TestProject, parts: UploadParts = {}): Promise<Published> {
  const bytes = jar();
  clock.advance(1000);
  const { data } = (await publishTo(me, project.id, { primaryFile: jarFile("mod.jar", bytes), ...parts })).body;
  const { sha1_hash: sha1, sha512_hash: sha512 } = data.primaryFile;
  return { id: data.id, slug: data.slug, path: `/api/project/${project.slug}/version/${data.id}`, sha1, sha512, bytes };
}
const versionOf = async ({ path }: Published) => (await me.get(path)).body.data;
const patchForm = ({ path }: Published, parts: UploadParts) => me.call("PATCH", path, { body: toForm(parts) });

describe("updateVersion", () => {
  test("changes the given fields, as JSON and as a form, and leaves the others and the slug", async () => {
    const project = await makeProject(world, author);
    const library = await makeProject(world, author);
    const version = await published(project, { versionNumber: "1.0.0", title: "Before" });
    const before = await versionOf(version);
    const reply = await me.patch(version.path, { title: "After", versionNumber: "1.0.1", unknown: 1 });
    expect(reply.body).toEqual({
      success: true,
      message: "Version saved",
      slug: "1.0.0",
      data: { ...before, title: "After", versionNumber: "1.0.1", isDuplicate: undefined },
    });
    const token = await as.token(author, { scopes: ["version_write"] });
    const dependencies = [{ projectId: library.id, versionId: null, dependencyType: "optional" }];
    const json = { changelog: null, featured: true, releaseChannel: "alpha", dependencies, loaders: ["puzzle_loader"] };
    await token.patch(version.path, json);
    expect(await versionOf(version)).toMatchObject({ ...json, changelog: "", title: "After" });
    await patchForm(version, { featured: "false", gameVersions: ["0.5.0"], loaders: [], dependencies: [] });
    expect(await versionOf(version)).toMatchObject({
      featured: false,
      gameVersions: ["0.5.0"],
      loaders: [],
      dependencies: [],
      releaseChannel: "alpha",
    });
    expect(await me.patch(version.path, {})).toSucceed();
  });

  test("and updateLatestVersion change the same version that a reader gets as latest", async () => {
    const project = await makeProject(world, author);
    const path = `/api/project/${project.id}/version/latest`;
    expect(await me.patch(path, { title: "None" })).toFail(404, "versionNotFound");
    const release = await published(project);
    await published(project, { releaseChannel: "beta" });
    expect((await me.patch(path, { title: "Latest" })).body.data.id).toBe(release.id);
    expect((await me.call("PATCH", path, { body: toForm({ changelog: "By form" }) })).body.slug).toBe(release.slug);
    expect(await as.user(await make.user()).patch(path, { title: "No" })).toFail(403, "permissionMissing");
    expect(await me.delete(path)).toFail(405, "methodNotAllowed");
    expect(await versionOf(release)).toMatchObject({ title: "Latest", changelog: "By form" });
  });

  test("keeps the project's lists correct, even if two versions change at the same time", async () => {
    const project = await makeProject(world, author);
    const versions = await Promise.all(Array.from({ length: 6 }, () => published(project)));
    const gameVersions = ["0.5.0", "0.5.1", "0.5.2", "0.5.3", "0.5.4", "0.5.5"];
    await Promise.all(versions.map((version, at) => me.patch(version.path, { gameVersions: [gameVersions[at]] })));
    const shown = (await me.get(`/api/project/${project.id}`)).body.project;
    expect(shown.gameVersions).toEqual(gameVersions.toReversed());
    expect((await me.get(`/api/project/${project.id}/version/latest?gameVersion=0.4.8`)).status).toBe(404);
  });

  test("adds files and never replaces one", async () => {
    const project = await makeProject(world, author);
    const version = await published(project, { additionalFiles: [jarFile("Extra.jar")] });
    const before = await versionOf(version);
    const more = jarFile("more.jar");
    const form = toForm({ additionalFiles: [more] });
    // Clients of the earlier service name the files that should stay; all of them stay anyway.
    form.append("additionalFiles", JSON.stringify({ id: before.files[1].id, name: "Extra.jar" }));
    const { data } = (await me.call("PATCH", version.path, { body: form })).body;
    expect(data.files.map(({ name }: { name: string }) => name)).toEqual(["mod.jar", "Extra.jar", "more.jar"]);
    expect(data.files.slice(0, 2)).toEqual(before.files);
    expect((await as.anyone.get(`${version.path}/more.jar`)).bytes.equals(more.bytes)).toBe(true);
    for (const name of ["more.jar", "MORE.JAR", "extra.jar", "mod.jar"])
      expect(await patchForm(version, { title: "No", additionalFiles: [jarFile(name)] })).toFail(409, "fileNameTaken");
    expect(await patchForm(version, { primaryFile: jarFile("other.jar") })).toSucceed();
    expect(await versionOf(version)).toEqual({ ...data, isDuplicate: false });
  });

  test("refuses what publishing refuses, a taken number, and users without the permission", async () => {
    const project = await makeProject(world, author, { visibility: "private" });
    const [version] = [
      await published(project, { versionNumber: "1" }),
      await published(project, { versionNumber: "2" }),
    ];
    expect(await me.patch(version.path, { versionNumber: "2" })).toFail(409, "versionNumberTaken");
    const wrong = [
      { title: "x" },
      { loaders: ["forge"] },
      { gameVersions: [] },
      { releaseChannel: "x" },
      { versionNumber: "" },
      { changelog: 5 },
      { dependencies: [{ projectId: project.id, dependencyType: "required" }] },
    ];
    for (const json of wrong) expect(await me.patch(version.path, json), JSON.stringify(json)).toFail(400);
    const absent = { title: null, releaseChannel: null, loaders: null, dependencies: null };
    expect((await me.patch(version.path, absent)).body.data).toEqual({
      ...(await versionOf(version)),
      isDuplicate: undefined,
    });
    for (const json of [[], "text", 7]) expect((await me.patch(version.path, json)).status).toBe(400);
    expect(await patchForm(version, { additionalFiles: [{ name: "a.txt", bytes: Buffer.from("x") }] })).toFail(400);
    const member = await make.user();
    await addMember(world, project.teamId, member, { permissions: ["delete_version"] });
    expect(await as.user(member).patch(version.path, { title: "No" })).toFail(403, "permissionMissing");
    expect(await as.user(await make.user()).patch(version.path, {})).toFail(404, "projectNotFound");
    expect(await as.anyone.patch(version.path, {})).toFail(401);
    const other = await as.token(author, { scopes: ["version_create", "version_delete"] });
    expect(await other.patch(version.path, {})).toFail(403, "scopeMissing");
    expect(await me.patch(`${version.path}x`, {})).toFail(404, "versionNotFound");
    const elsewhere = await published(await makeProject(world, author));
    expect(await me.patch(version.path.replace(version.id, elsewhere.id), {})).toFail(404, "versionNotFound");
    expect((await versionOf(version)).title).not.toBe("No");
  });
});

describe("yankVersion and unyankVersion", () => {
  test("name a replacement version of the project, as long as that exists", async () => {
    const project = await makeProject(world, author);
    const [old, young] = [await published(project), await published(project)];
    const foreign = await published(await makeProject(world, author));
    const gone = await published(project);
    expect(await me.post(`${gone.path}/yank`)).toSucceed();
    for (const replacement of [old.id, gone.id, foreign.id, "nope", 5])
      expect(await me.post(`${old.path}/yank`, { replacement })).toFail(400, "invalidRequest");
    expect(await me.post(`${old.path}/yank`, { replacement: young.slug })).toSucceed();
    expect(await versionOf(old)).toMatchObject({ yanked: true, yankReplacementId: young.id });
    expect((await as.anyone.get(`/api/version-file/${old.sha1}?algorithm=sha1`)).body.yankReplacementId).toBe(young.id);
    expect(await me.post(`${old.path}/yank`, { reason: "Worse than thought", replacement: null })).toSucceed();
    expect(await versionOf(old)).toMatchObject({ yankReplacementId: null });
    await me.post(`${old.path}/yank`, { replacement: young.id });
    expect(await me.delete(young.path)).toSucceed();
    expect(await versionOf(old)).toMatchObject({ yanked: true, yankReplacementId: null });
  });

  test("hide a version from latest and from updates, but not from requests that name it", async () => {
    const project = await makeProject(world, author);
    const [old, young] = [await published(project), await published(project)];
    const latest = async () => (await as.anyone.get(`/api/project/${project.id}/version/latest`)).body.data?.id;
    const update = async ({ sha512 }: Published) =>
      (await as.anyone.post(`/api/version-file/${sha512}/update`, { algorithm: "sha512" })).body.id;
    expect([await latest(), await update(old)]).toEqual([young.id, young.id]);

    expect(await me.post(`${young.path}/yank`, { reason: "It deletes worlds" })).toSucceed();
    expect([await latest(), await update(old)]).toEqual([old.id, old.id]);
    expect(await versionOf(young)).toMatchObject({ yanked: true, yankReason: "It deletes worlds" });
    expect((await as.anyone.get(`${young.path}/primary-file`)).bytes.equals(young.bytes)).toBe(true);
    expect((await as.anyone.get(`/api/version-file/${young.sha1}?algorithm=sha1`)).body.id).toBe(young.id);
    expect((await as.anyone.get(`/api/project/${project.id}/version`)).body.data).toHaveLength(2);

    expect(await me.delete(`${young.path}/yank`)).toSucceed();
    expect([await latest(), await update(old)]).toEqual([young.id, young.id]);
    expect(await versionOf(young)).toMatchObject({ yanked: false, yankReason: null });
    expect(await me.post(`${young.path}/yank`)).toSucceed();
    expect(await versionOf(young)).toMatchObject({ yanked: true, yankReason: null });
    expect(await me.post(`${old.path}/yank`, { reason: "x".repeat(257) })).toFail(400);
    expect(await me.post(`${old.path}/yank`, { reason: null })).toSucceed();
    expect(await latest()).toBeUndefined();
  });

  test("need upload_version and version_write", async () => {
    const project = await makeProject(world, author);
    const version = await published(project);
    const member = await make.user();
    await addMember(world, project.teamId, member, { permissions: ["delete_version"] });
    const reader = await as.token(author, { scopes: ["version_create"] });
    for (const method of ["post", "delete"] as const) {
      expect(await as.user(member)[method](`${version.path}/yank`)).toFail(403, "permissionMissing");
      expect(await reader[method](`${version.path}/yank`)).toFail(403, "scopeMissing");
      expect(await as.anyone[method](`${version.path}/yank`)).toFail(401);
      expect(await me[method](`/api/project/${project.id}/version/nope/yank`)).toFail(404, "versionNotFound");
    }
  });
});

describe("deleteVersion", () => {
  test("deletes version, files and hashes at once, and the rows derived from them", async () => {
    const project = await makeProject(world, author);
    const kept = await published(project, { gameVersions: ["0.4.8"], loaders: ["quilt"] });
    const gone = await published(project, { gameVersions: ["0.5.0"], loaders: ["puzzle_loader"] });
    const dependent = await published(await makeProject(world, author), {
      dependencies: [{ projectId: project.id, versionId: gone.id, dependencyType: "required" }],
    });
    const hashPath = `/api/version-file/${gone.sha512}`;
    const cdnPath = new URL((await versionOf(gone)).primaryFile.url).pathname;
    const updated = (await me.get(`/api/project/${project.id}`)).body.project.dateUpdated;
    for (const path of [gone.path, hashPath, cdnPath]) expect((await as.anyone.get(path)).status).toBe(200);
    expect((await versionOf(dependent)).dependencies[0].versionId).toBe(gone.id);

    expect(await me.delete(gone.path)).toSucceed();
    const paths = [
      gone.path,
      `${gone.path}/primary-file`,
      hashPath,
      `${hashPath}/download`,
      cdnPath,
      `/api/version/${gone.id}`,
    ];
    for (const path of paths) expect((await as.anyone.get(path)).status, path).toBe(404);
    const look = (hashes: string[], algorithm: string) => as.anyone.post("/api/version-files", { hashes, algorithm });
    expect((await look([gone.sha512, kept.sha512], "sha512")).body).toEqual({ [kept.sha512]: expect.anything() });
    expect((await look([gone.sha1], "sha1")).body).toEqual({});
    const shown = (await me.get(`/api/project/${project.id}`)).body.project;
    expect(shown).toMatchObject({ gameVersions: ["0.4.8"], loaders: ["quilt"], dateUpdated: updated });
    expect((await versionOf(dependent)).dependencies[0]).toMatchObject({ projectId: project.id, versionId: null });
    expect(await me.delete(gone.path)).toFail(404, "versionNotFound");
    const audits = resources.db.selectFrom("audit_log").select("action").where("object_id", "=", gone.id).orderBy("id");
    expect((await audits.execute()).map(({ action }) => action)).toEqual(["version.create", "version.delete"]);
  });

  test("leaves another version with the same bytes unchanged", async () => {
    const project = await makeProject(world, author);
    const first = await published(project, { versionNumber: "1" });
    const twin = await published(project, { versionNumber: "2", primaryFile: jarFile("mod.jar", first.bytes) });
    await me.delete(first.path);
    expect((await as.anyone.get(`/api/version-file/${first.sha512}`)).body.id).toBe(twin.id);
    expect((await as.anyone.get(`${twin.path}/primary-file`)).bytes.equals(first.bytes)).toBe(true);
  });

  test("subtracts its downloads from the project's figures, even while downloads are counted", async () => {
    const project = await makeProject(world, author);
    const versions = [await published(project), await published(project)];
    for (const [at, version] of versions.entries())
      for (let n = 0; n <= at; n++)
        await as.anyone.with({ "x-forwarded-for": `10.9.${at}.${n}` }).get(`${version.path}/primary-file`);
    const figures = async () => {
      await counterOf(resources).flush();
      const { project: shown } = (await me.get(`/api/project/${project.id}`)).body;
      const days = [...(await listDailyDownloads(resources.db, project.id)).values()];
      return [shown.downloads, days.reduce((sum, count) => sum + count, 0)];
    };
    expect(await figures()).toEqual([3, 3]);
    const downloads = Array.from({ length: 8 }, (_, n) =>
      as.anyone.with({ "x-forwarded-for": `10.8.0.${n}` }).get(`${versions[n % 2]!.path}/primary-file`),
    );
    await Promise.all([...downloads, counterOf(resources).flush(), me.delete(versions[1]!.path)]);
    expect(await figures()).toEqual([5, 5]);
  });

  test("needs delete_version and the scope", async () => {
    const project = await makeProject(world, author);
    const version = await published(project);
    const member = await make.user();
    await addMember(world, project.teamId, member, { permissions: ["upload_version"] });
    expect(await as.user(member).delete(version.path)).toFail(403, "permissionMissing");
    expect(await as.user(await make.user()).delete(version.path)).toFail(403, "permissionMissing");
    expect(await as.anyone.delete(version.path)).toFail(401);
    expect(await (await as.token(author, { scopes: ["version_write"] })).delete(version.path)).toFail(
      403,
      "scopeMissing",
    );
    const remover = await make.user();
    await addMember(world, project.teamId, remover, { permissions: ["delete_version"] });
    expect(await as.user(remover).delete(version.path)).toSucceed();
  });
});
