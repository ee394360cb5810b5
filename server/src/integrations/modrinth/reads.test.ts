// Reads of the Modrinth face: shapes, filters, visibility, and the single and bulk look-ups that must agree.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { counterOf } from "#content/downloads/counters.js";
import { readPreset } from "#content/taxonomy/presets.js";
import { setTaxonomy } from "#content/taxonomy/write.js";
import { write } from "#platform/changes/write.js";
import { testApp } from "#test/server/harness.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion, type VersionOptions } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, clock, resources } = world;
await write(resources, { credential: "test" }, (tx) => setTaxonomy(tx, readPreset("minecraft"), "test"));
const author = await make.user({ userName: "ada" });
const token = await as.token(author, { scopes: ["project_read", "version_read", "user_read", "user_write"] });

const lamps = await makeProject(world, author, { slug: "lamps", name: "Lamps", description: "# Lamps" });
const library = await makeProject(world, author, { slug: "lamp-api", name: "Lamp API" });
const hidden = await makeProject(world, author, { slug: "secret-lamps", status: "draft" });

const add = async (projectId: string, options: VersionOptions) => {
  clock.advance(1000);
  return makeVersion(world, author, projectId, options);
};
const api = await add(library.id, { versionNumber: "1.0", loaders: ["fabric"], gameVersions: ["1.20.1"] });
const old = await add(lamps.id, {
  versionNumber: "1.0+mc1.20",
  loaders: ["fabric"],
  gameVersions: ["1.20.1", "1.20"],
  changelog: "First",
  featured: true,
  dependencies: [
    { projectId: library.id, versionId: api.id, type: "required" },
    { projectId: hidden.id, versionId: null, type: "optional" },
  ],
  additional: [{ name: "lamps-sources.jar", bytes: Buffer.from("sources") }],
});
const beta = await add(lamps.id, {
  versionNumber: "1.1",
  channel: "beta",
  loaders: ["fabric", "quilt"],
  gameVersions: ["1.20.1"],
});
const forge = await add(lamps.id, { versionNumber: "1.2", channel: "dev", loaders: ["forge"], gameVersions: ["1.21"] });
const secret = await add(hidden.id, { versionNumber: "0.1", loaders: ["fabric"], gameVersions: ["1.20.1"] });

const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const get = (path: string, actor = as.anyone) => actor.get(`/v2${path}`);
const ids = (list: { id: string }[]) => list.map(({ id }) => id);

describe("projects", () => {
  test("modrinthGetProject has every field of Modrinth's, for guests and members alike", async () => {
    const { body, headers } = await get("/project/lamps");
    expect(body).toMatchObject({
      ...{ id: lamps.id, slug: "lamps", title: "Lamps", body: "# Lamps", project_type: "mod", status: "approved" },
      ...{ team: lamps.teamId, organization: null, downloads: 0, followers: 0, loaders: ["fabric", "forge", "quilt"] },
      ...{ game_versions: ["1.20", "1.20.1", "1.21"], versions: [old.id, beta.id, forge.id], gallery: [] },
      license: { id: "MIT", name: "MIT License", url: expect.stringContaining("http") },
      ...{ client_side: "unknown", server_side: "unknown", color: expect.any(Number), icon_url: null },
    });
    expect(headers.get("etag")).toBeTruthy();
    expect((await get("/project/lamps", token)).body).toEqual(body);
    expect((await get(`/project/${lamps.id}`)).body).toEqual(body);
    // The ordinary route and the one before the router send the same.
    const slow = await get("/project/lamps", as.anyone.with({ "x-unusual": "1" }));
    expect([slow.body, slow.headers.get("etag")]).toEqual([body, headers.get("etag")]);
  });

  test("modrinthGetProjects, modrinthCheckProject, modrinthGetRandomProjects: visible projects, in the order of the request", async () => {
    const list = `/projects?ids=${json(["lamp-api", lamps.id, "lamps", "no-such", hidden.id])}`;
    expect(ids((await get(list)).body)).toEqual([library.id, lamps.id]);
    expect(ids((await get(list, token)).body)).toEqual([library.id, lamps.id, hidden.id]);
    expect((await get("/projects?ids=[]")).body).toEqual([]);
    expect((await get("/project/lamps/check")).body).toEqual({ id: lamps.id });
    expect((await get("/projects_random?count=2")).body).toHaveLength(2);
    for (const path of ["", "/check", "/version", "/members", "/dependencies"]) {
      expect(await get(`/project/secret-lamps${path}`), path).toFail(404, "projectNotFound");
      expect((await get(`/project/secret-lamps${path}`, token)).status, path).toBe(200);
    }
  });

  test("modrinthGetMembers, modrinthGetTeamMembers: permissions are for members only", async () => {
    const [member] = (await get("/project/lamps/members")).body;
    expect(member).toMatchObject({
      ...{ team_id: lamps.teamId, role: "Owner", is_owner: true, permissions: null, accepted: true, ordering: 0 },
      user: { id: author.id, username: "ada", role: "developer", badges: 0 },
    });
    expect((await get(`/team/${lamps.teamId}/members`)).body).toEqual([member]);
    expect((await get("/project/lamps/members", token)).body[0].permissions).toBe(1023);
    expect(await get(`/team/${hidden.teamId}/members`)).toFail(404, "teamNotFound");
  });

  test("modrinthGetDependencies shows what the caller may see", async () => {
    const { body } = await get("/project/lamps/dependencies");
    expect([ids(body.projects), ids(body.versions)]).toEqual([[library.id], [api.id]]);
    const seen = (await get("/project/lamps/dependencies", token)).body;
    expect(ids(seen.projects).sort()).toEqual([library.id, hidden.id].sort());
  });
});

describe("versions", () => {
  test("modrinthGetVersion has every field of Modrinth's; hidden dependencies are left out", async () => {
    const { body } = await get(`/version/${old.id}`);
    expect(body).toMatchObject({
      ...{ id: old.id, project_id: lamps.id, author_id: author.id, featured: true, version_number: "1.0+mc1.20" },
      ...{ changelog: "First", version_type: "release", status: "listed", loaders: ["fabric"] },
      ...{ game_versions: ["1.20", "1.20.1"], downloads: 0 },
      dependencies: [{ version_id: api.id, project_id: library.id, file_name: null, dependency_type: "required" }],
    });
    expect(body.files).toHaveLength(2);
    expect(body.files[0]).toMatchObject({
      hashes: { sha1: old.sha1, sha512: old.sha512 },
      ...{ primary: true, size: 64, filename: "file-1.0+mc1.20.jar", file_type: null },
    });
    expect((await get(`/version/${old.id}`, token)).body.dependencies).toHaveLength(2);
    expect((await get(`/version/${forge.id}`)).body.version_type).toBe("alpha");
    expect(await get(`/version/${secret.id}`)).toFail(404, "versionNotFound");
    expect((await get(`/version/${secret.id}`, token)).body.id).toBe(secret.id);
  });

  test("modrinthGetVersions, modrinthGetProjectVersion: by ids and by number", async () => {
    const list = `/versions?ids=${json([forge.id, secret.id, old.id])}`;
    expect(ids((await get(list)).body)).toEqual([forge.id, old.id]);
    expect(ids((await get(list, token)).body)).toEqual([forge.id, secret.id, old.id]);
    for (const ref of ["1.0+mc1.20", "1.0%2Bmc1.20", old.id])
      expect((await get(`/project/lamps/version/${ref}`)).body.id, ref).toBe(old.id);
    for (const ref of ["latest", "9.9"]) expect((await get(`/project/lamps/version/${ref}`)).status, ref).toBe(404);
  });

  test("modrinthGetProjectVersions filters before it cuts the page", async () => {
    const list = async (query: string) => {
      const replies = await Promise.all(
        [as.anyone, token].map((actor) => get(`/project/lamps/version?${query}`, actor)),
      );
      const [guest, member] = replies.map(({ body }) => ids(body));
      expect(guest, query).toEqual(member);
      return guest;
    };
    expect(await list("")).toEqual([forge.id, beta.id, old.id]);
    expect(await list(`loaders=${json(["quilt", "forge"])}`)).toEqual([forge.id, beta.id]);
    expect(await list(`loaders=${json(["fabric"])}&game_versions=${json(["1.20"])}`)).toEqual([old.id]);
    expect(await list(`loaders=${json(["forge"])}&game_versions=${json(["1.20"])}`)).toEqual([]);
    expect(await list("loaders=[]&game_versions=[]")).toHaveLength(3);
    expect(await list("version_type=alpha")).toEqual([forge.id]);
    expect(await list("featured=true&limit=1")).toEqual([old.id]);
    expect(await list("featured=false&offset=1")).toEqual([beta.id]);
    expect(await list("limit=0")).toEqual([]);
    const { body } = await get("/project/lamps/version?include_changelog=false");
    expect(body.map(({ changelog }: { changelog: unknown }) => changelog)).toEqual([null, null, null]);
  });
});

describe("files", () => {
  const update = (hash: string, filter: object = {}, query = "", actor = as.anyone) =>
    actor.post(`/v2/version_file/${hash}/update${query}`, filter);

  test("modrinthGetVersionByHash, modrinthDownloadByHash: either algorithm, either case", async () => {
    for (const hash of [old.sha1, old.sha512, old.sha1.toUpperCase()])
      expect((await get(`/version_file/${hash}`)).body.id).toBe(old.id);
    expect((await get(`/version_file/${old.sha512}?algorithm=sha512`)).body.id).toBe(old.id);
    expect(await get(`/version_file/${old.sha512}?algorithm=sha1`)).toFail(404, "versionNotFound");
    expect(await get(`/version_file/${secret.sha1}`)).toFail(404, "versionNotFound");
    expect((await get(`/version_file/${secret.sha1}`, token)).body.id).toBe(secret.id);
    expect((await get(`/version_file/${old.sha1}/download`)).bytes.equals(old.bytes)).toBe(true);
    await counterOf(resources).flush();
    await expect.poll(async () => (await get(`/version_file/${old.sha1}`)).body.downloads).toBe(1);
    expect(await get(`/version_file/${secret.sha1}/download`)).toFail(404, "fileNotFound");
  });

  test("modrinthGetVersionsByHashes, modrinthGetUpdateLists, modrinthGetUpdatesApart answer for the hashes as sent", async () => {
    const hashes = [old.sha1, beta.sha1.toUpperCase(), secret.sha1, "00", "f".repeat(40)];
    const found = await as.anyone.post("/v2/version_files", { hashes, algorithm: "sha1" });
    expect(Object.entries<{ id: string }>(found.body).map(([hash, { id }]) => [hash, id])).toEqual([
      [old.sha1, old.id],
      [beta.sha1.toUpperCase(), beta.id],
    ]);
    expect(Object.keys((await token.post("/v2/version_files", { hashes })).body)).toHaveLength(3);
    const lists = await as.anyone.post("/v2/version_files/update_many", { hashes, loaders: ["fabric"] });
    expect(ids(lists.body[old.sha1])).toEqual([beta.id]);
    const apart = {
      algorithm: "sha1",
      hashes: [
        { hash: beta.sha1, loaders: ["fabric"] },
        { hash: old.sha1, loaders: ["forge"], game_versions: ["1.21"] },
        { hash: beta.sha1, loaders: ["fabric"], version_types: ["release"] },
        { hash: api.sha1, game_versions: ["1.7.10"] },
      ],
    };
    for (const actor of [as.anyone, token]) {
      const { body, text } = await actor.post("/v2/version_files/update_individual", apart);
      expect(text.split(`"${beta.sha1}":`)).toHaveLength(2);
      expect([Object.keys(body), body[old.sha1].id, body[beta.sha1].id]).toEqual([
        [old.sha1, beta.sha1],
        forge.id,
        old.id,
      ]);
    }
    expect((await as.anyone.post("/v2/version_files", { hashes: [] })).body).toEqual({});
  });

  test("modrinthGetUpdateByHash and modrinthGetUpdatesByHashes give the same version, for every filter", async () => {
    const some = (...values: string[]) => fc.option(fc.subarray(values), { nil: undefined });
    const filters = fc.record(
      {
        loaders: some("fabric", "quilt", "forge", "rift"),
        game_versions: some("1.20", "1.20.1", "1.21", "1.7.10"),
        version_types: some("release", "beta", "alpha"),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(filters, fc.constantFrom(old, beta, forge, api), async (filter, file) => {
        for (const actor of [as.anyone, token]) {
          const single = await update(file.sha512, filter, "?algorithm=sha512", actor);
          const body = { ...filter, algorithm: "sha512", hashes: [file.sha512] };
          const bulk = (await actor.post("/v2/version_files/update", body)).body;
          expect(bulk).toEqual(single.status === 404 ? {} : { [file.sha512]: single.body });
        }
      }),
      { numRuns: 25 },
    );
  });

  test("a withdrawn or hidden newest version does not hide an older one", async () => {
    const project = await makeProject(world, author);
    const first = await add(project.id, { versionNumber: "1", loaders: ["fabric"], gameVersions: ["1.21"] });
    const second = await add(project.id, { versionNumber: "2", loaders: ["fabric"], gameVersions: ["1.21"] });
    expect((await update(first.sha1)).body.id).toBe(second.id);
    await write(resources, { credential: "test" }, async (tx) => {
      await tx.db.updateTable("versions").set({ date_yanked: 1 }).where("id", "=", second.id).execute();
      tx.changed("project", project.id, [second.id]);
    });
    expect((await update(first.sha1)).body.id).toBe(first.id);
    expect(ids((await get(`/project/${project.id}/version`)).body)).toEqual([first.id]);
    expect((await get(`/project/${project.id}`)).body.versions).toEqual([first.id]);
    expect((await get(`/version/${second.id}`)).body.status).toBe("archived");
    await setProject(world, project.id, { status: "withheld" });
    expect(await update(first.sha1)).toFail(404, "versionNotFound");
  });
});

describe("users", () => {
  test("modrinthGetUser, modrinthGetOwnUser, modrinthGetUsers, modrinthGetUserProjects", async () => {
    const { body } = await get("/user/ADA");
    expect(body).toMatchObject({ id: author.id, username: "ada", role: "developer", avatar_url: expect.any(String) });
    expect((await get("/user", token)).body).toEqual(body);
    expect(await get("/user")).toFail(401, "signInNeeded");
    expect((await get(`/users?ids=${json([author.id, "stranger"])}`)).body).toEqual([body]);
    expect(ids((await get("/user/ada/projects")).body)).toContain(lamps.id);
    expect(ids((await get("/user/ada/projects")).body)).not.toContain(hidden.id);
    expect(ids((await get("/user/ada/projects", token)).body)).toContain(hidden.id);
    expect(await get("/user/stranger")).toFail(404, "userNotFound");
  });

  test("modrinthFollowProject, modrinthUnfollowProject, modrinthGetFollows", async () => {
    expect((await token.post("/v2/project/lamps/follow")).status).toBe(204);
    expect(await token.post("/v2/project/lamps/follow")).toFail(409, "alreadyFollowing");
    expect(ids((await get("/user/ada/follows", token)).body)).toEqual([lamps.id]);
    const other = await make.user();
    expect(await get(`/user/${other.userName}/follows`, token)).toFail(404, "userNotFound");
    expect((await get("/project/lamps")).body.followers).toBe(1);
    expect((await token.delete("/v2/project/lamps/follow")).status).toBe(204);
    expect(await as.anyone.post("/v2/project/lamps/follow")).toFail(401, "signInNeeded");
  });
});

describe("the site", () => {
  test("modrinthGetCategories, modrinthGetLoaders, modrinthGetGameVersions, modrinthGetProjectTypes: the names of the Minecraft preset", async () => {
    expect((await get("/tag/category")).body).toContainEqual({
      ...{ icon: "", name: "16x", project_type: "resourcepack", header: "resolutions" },
    });
    expect((await get("/tag/loader")).body[0]).toEqual({
      ...{ icon: "", name: "fabric", supported_project_types: ["mod", "modpack"] },
    });
    const versions: { version: string; date: string }[] = (await get("/tag/game_version")).body;
    expect(versions[0]).toMatchObject({ version: "26.3", version_type: "release", major: true });
    expect(versions.toSorted((a, b) => (a.date < b.date ? 1 : -1))).toEqual(versions);
    expect((await get("/tag/project_type")).body).toEqual([
      "mod",
      "plugin",
      "datapack",
      "resourcepack",
      "shader",
      "modpack",
    ]);
  });

  test("modrinthGetLicenses, modrinthGetLicense, modrinthGetDonationPlatforms, modrinthGetReportTypes, modrinthGetSideTypes, modrinthGetStatistics, modrinthGetRoot", async () => {
    expect((await get("/tag/license")).body).toContainEqual({ short: "MIT", name: "MIT License" });
    expect((await get("/tag/license/mit")).body.title).toBe("MIT License");
    expect(await get("/tag/license/none")).toFail(404, "licenseNotFound");
    expect((await get("/tag/donation_platform")).body).toContainEqual({ short: "ko-fi", name: "Ko-fi" });
    expect((await get("/tag/report_type")).body).toContain("spam");
    expect((await get("/tag/side_type")).body).toEqual(["required", "optional", "unsupported", "unknown"]);
    expect(Object.keys((await get("/statistics")).body)).toEqual(["projects", "versions", "files", "authors"]);
    expect((await get("")).body).toMatchObject({ name: "modshelf" });
  });
});

describe("bad input", () => {
  test.each([
    ["/projects", "ids"],
    ["/projects?ids=lamps", "ids"],
    ["/projects?ids=%7B%7D", "ids"],
    ["/projects?ids=[1]", "ids"],
    [`/projects?ids=${json(Array.from({ length: 501 }, (_, n) => `p${n}`))}`, "ids"],
    ["/versions?ids=[[]]", "ids"],
    ["/users?ids=null", "ids"],
    ["/project/lamps/version?loaders=fabric", "loaders"],
    ["/project/lamps/version?game_versions=1.20.1", "game_versions"],
    ["/project/lamps/version?limit=-1", "limit"],
    ["/project/lamps/version?version_type=CANARY", "version_type"],
    ["/project/lamps/version?featured=yes", "featured"],
    ["/version_file/zz", "hash"],
    [`/version_file/${old.sha1}?algorithm=md5`, "algorithm"],
    ["/projects_random?count=0", "count"],
  ])("%s is refused with a sentence that names %s", async (path, field) => {
    const { status, body } = await get(path);
    expect([status, body.error]).toEqual([400, "invalid_input"]);
    expect(body.description).toContain(field);
    expect(body.description).toBe(body.message);
  });

  test("every refusal below /v2 has Modrinth's fields, also for unknown paths and credentials", async () => {
    expect((await get("/nothing/here", as.anyone.with({ accept: "text/html" }))).body).toMatchObject({
      error: "not_found",
    });
    expect((await as.anyone.put("/v2/search", {})).body).toMatchObject({ error: "invalid_input" });
    const unknown = await get("/project/lamps", as.anyone.with({ authorization: "mrp_unknown" }));
    expect([unknown.status, unknown.body.error]).toEqual([401, "unauthorized"]);
    const weak = await as.token(author, { scopes: ["project_read"] });
    const refused = await weak.post("/v2/project/lamps/follow");
    expect([refused.status, refused.body.error]).toEqual([403, "unauthorized"]);
    expect(refused.body.description).toContain("user_write");
    const long = { hashes: Array.from({ length: 1001 }, () => old.sha1) };
    expect(await as.anyone.post("/v2/version_files", long)).toFail(400, "invalidRequest");
    const apart = { hashes: Array.from({ length: 60 }, (_, n) => ({ hash: old.sha1, loaders: [`l${n}`] })) };
    expect(await as.anyone.post("/v2/version_files/update_individual", apart)).toFail(400, "invalidRequest");
    const huge = await as.anyone.call("POST", "/v2/version_files", {
      ...{ headers: { "content-type": "application/json" }, body: Buffer.alloc(300_000, " ") },
    });
    expect(huge.body).toMatchObject({ error: "invalid_input", code: "bodyTooLarge" });
  });

  test("a token is also accepted without a scheme", async () => {
    const { value } = await make.token(author, { scopes: ["user_read"] });
    expect((await get("/user", as.anyone.with({ authorization: value }))).body.username).toBe("ada");
  });
});

test("the limits are in Modrinth's headers too", async () => {
  const limited = await testApp({ settings: { MODSHELF_RATE_LIMITS: "on" } });
  limited.clock.freeze();
  const owner = await limited.make.user();
  const { slug } = await makeProject(limited, owner);
  await limited.as.anyone.get(`/v2/project/${slug}`);
  for (const actor of [limited.as.anyone, limited.as.anyone.with({ "x-unusual": "1" })]) {
    const { headers } = await actor.get(`/v2/project/${slug}`);
    expect(headers.get("x-ratelimit-limit")).toBe("600");
    expect(Number(headers.get("x-ratelimit-remaining"))).toBeLessThan(600);
    expect(headers.get("x-ratelimit-reset")).toMatch(/^\d+$/);
  }
  for (let n = 0; n < 120; n++) await limited.as.anyone.get("/v2/search?limit=1");
  const refused = await limited.as.anyone.get("/v2/search?limit=1");
  expect([refused.status, refused.body.error]).toEqual([429, "ratelimit_error"]);
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
  await limited.stop();
});

test("the face can be turned off, and can have a host of its own", async () => {
  const off = await testApp({ settings: { MODSHELF_MODRINTH_API: "off" } });
  for (const path of ["/v2", "/v2/search", "/v2/tag/loader"]) expect((await off.as.anyone.get(path)).status).toBe(404);
  expect((await off.as.anyone.post("/v2/version_files", { hashes: [] })).status).toBe(404);
  await off.stop();
  const apart = await testApp({ settings: { MODSHELF_MODRINTH_URL: "http://api.modshelf.test" } });
  const { slug } = await makeProject(apart, await apart.make.user());
  const there = apart.as.anyone.with({ host: "api.modshelf.test" });
  const here = apart.as.anyone.with({ host: "modshelf.test" });
  expect((await there.get("/")).body).toMatchObject({ name: "modshelf" });
  expect((await there.get(`/v2/project/${slug}`)).status).toBe(200);
  expect((await here.get(`/v2/project/${slug}`)).status).toBe(200);
  for (const path of [`/api/project/${slug}`, `/project/${slug}`, "/search", "/cdn/x"])
    expect((await there.get(path)).status, path).toBe(404);
  expect((await there.get("/healthz")).status).toBe(200);
  expect((await here.get("/")).headers.get("content-type")).toContain("text/html");
  await apart.stop();
});
