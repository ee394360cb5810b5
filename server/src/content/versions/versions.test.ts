// Reading versions; the rules of interface §4 are quoted where they are tested.
import { describe, expect, test } from "vitest";
import { preparedOf } from "#content/catalog/prepared-catalog.js";
import { siteUrl, testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, clock } = world;
const author = await make.user();

describe("getVersions", () => {
  test('"wrapper with data as ProjectVersionData[]", newest first, every field of the table', async () => {
    const project = await makeProject(world, author);
    const target = await makeProject(world, author);
    const first = await makeVersion(world, author, project.id, {
      changelog: "one\r\ntwo",
      additional: [{ name: "a-sources.jar", bytes: Buffer.from("src") }],
    });
    clock.advance(1000);
    const dependencies = [{ projectId: target.id, versionId: null, type: "required" as const }];
    const second = await makeVersion(world, author, project.id, { channel: "beta", featured: true, dependencies });
    const { body } = await as.anyone.get(`/api/project/${project.slug}/version`);
    expect(body.success).toBe(true);
    expect(body.data.map((version: { id: string }) => version.id)).toEqual([second.id, first.id]);
    const file = {
      id: expect.stringMatching(/^\w{8}$/),
      isPrimary: true,
      name: `file-${first.versionNumber}.jar`,
      size: 64,
      type: "jar",
      url: `${siteUrl}/cdn/data/project/${project.id}/version/${first.id}/file-${first.versionNumber}.jar`,
      sha1_hash: first.sha1,
      sha512_hash: first.sha512,
    };
    expect(body.data[1]).toEqual({
      id: first.id,
      projectId: project.id,
      title: `Version ${first.versionNumber}`,
      versionNumber: first.versionNumber,
      slug: first.versionNumber,
      datePublished: expect.stringMatching(/Z$/),
      featured: false,
      downloads: 0,
      changelog: "one\r\ntwo",
      releaseChannel: "release",
      gameVersions: ["0.4.8"],
      loaders: ["quilt"],
      primaryFile: file,
      files: [file, expect.objectContaining({ isPrimary: false, name: "a-sources.jar", size: 3 })],
      author: { id: author.id, userName: author.userName, avatar: expect.any(String), role: "Owner" },
      dependencies: [],
      yanked: false,
      yankReason: null,
      yankReplacementId: null,
      provenance: null,
      isDuplicate: false,
    });
    expect(body.data[0].dependencies).toEqual([{ projectId: target.id, versionId: null, dependencyType: "required" }]);
    expect((await as.anyone.get(`/api/project/${project.id}/version?featured=true`)).body.data).toHaveLength(1);
  });

  test("isDuplicate: the next older version has the same non-empty changelog and the same channel", async () => {
    const project = await makeProject(world, author);
    for (const [changelog, channel] of [
      ["same", "release"],
      ["same", "release"],
      ["same", "beta"],
      ["", "beta"],
      ["", "beta"],
    ] as const) {
      await makeVersion(world, author, project.id, { changelog, channel });
      clock.advance(1000);
    }
    const { data } = (await as.anyone.get(`/api/project/${project.id}/version`)).body;
    expect(data.map((version: { isDuplicate: boolean }) => version.isDuplicate)).toEqual([
      false,
      false,
      false,
      true,
      false,
    ]);
  });
});

describe("getVersion and getLatestVersion", () => {
  test("find versions by id and by slug in any case; latest is the newest in the channel release", async () => {
    const project = await makeProject(world, author);
    const release = await makeVersion(world, author, project.id, { versionNumber: "1.0-RC" });
    clock.advance(1000);
    const beta = await makeVersion(world, author, project.id, {
      channel: "beta",
      gameVersions: ["0.4.9"],
      loaders: ["puzzle_loader"],
    });
    const base = `/api/project/${project.slug}/version`;
    for (const ref of [release.id, "1.0-rc", "1.0-RC"])
      expect((await as.anyone.get(`${base}/${ref}`)).body.data.id).toBe(release.id);
    const latest = async (query: string) => (await as.anyone.get(`${base}/latest${query}`)).body?.data?.id;
    expect(await latest("")).toBe(release.id);
    expect(await latest("?releaseChannel=beta")).toBe(beta.id);
    expect(await latest("?releaseChannel=dev&unknownKey=1")).toBe(beta.id);
    expect(await latest("?releaseChannel=beta&gameVersion=0.4.8")).toBe(release.id);
    expect(await latest("?releaseChannel=beta&loader=puzzle_loader")).toBe(beta.id);
    for (const none of [
      "?loader=puzzle_loader",
      "?releaseChannel=beta&gameVersion=0.4.8&loader=puzzle_loader",
      "?releaseChannel=alpha-only",
      "?loader=QUILT",
    ])
      expect(await as.anyone.get(`${base}/latest${none}`)).toFail(404, "versionNotFound");
    expect(await as.anyone.get(`${base}/latest?releaseChannel=stable`)).toFail(400, "invalidRequest");
    expect(await as.anyone.get(`${base}/nope`)).toFail(404, "versionNotFound");
    expect(await as.anyone.get("/api/project/nope/version/latest")).toFail(404, "projectNotFound");
  });
});

describe("getVersionById and getVersionsByIds", () => {
  test("return only versions that the caller may see, in request order", async () => {
    const open = await makeProject(world, author);
    const secret = await makeProject(world, author, { visibility: "private" });
    const [a, b, c] = [
      await makeVersion(world, author, open.id),
      await makeVersion(world, author, open.id),
      await makeVersion(world, author, secret.id),
    ];
    expect(
      (await as.anyone.get(`/api/version?ids=${b.id},${c.id},${a.id}`)).body.map(
        (version: { id: string }) => version.id,
      ),
    ).toEqual([b.id, a.id]);
    expect(await as.anyone.get(`/api/version/${c.id}`)).toFail(404, "versionNotFound");
    expect((await as.user(author).get(`/api/version/${c.id}`)).body.id).toBe(c.id);
  });
});

describe("downloadPrimaryFile, downloadFile and getVersionFile", () => {
  test("return the bytes with every header that a launcher needs", async () => {
    const project = await makeProject(world, author);
    const version = await makeVersion(world, author, project.id, {
      additional: [{ name: "extra.jar", bytes: Buffer.from("extra bytes") }],
    });
    const base = `/api/project/${project.slug}/version`;
    const paths = [
      `${base}/latest/primary-file`,
      `${base}/${version.id}/primary-file`,
      `${base}/latest/file-${version.versionNumber}.jar`,
      `/cdn/data/project/${project.id}/version/${version.id}/file-${version.versionNumber}.jar`,
    ];
    for (const path of paths) {
      const reply = await as.anyone.with({ origin: "https://tool.example" }).get(path);
      expect(reply.status, path).toBe(200);
      expect(reply.bytes.equals(version.bytes)).toBe(true);
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        "content-type": "application/java-archive",
        "content-length": "64",
        etag: `"${version.sha512}"`,
        "accept-ranges": "bytes",
        "content-disposition": `attachment; filename="file-${version.versionNumber}.jar"`,
        "x-content-type-options": "nosniff",
        "access-control-allow-origin": "*",
      });
      expect(reply.headers.get("access-control-expose-headers")).toContain("Content-Disposition");
    }
    expect((await as.anyone.get(`${base}/latest/extra.jar`)).text).toBe("extra bytes");
    expect((await as.anyone.get(paths[3]!)).headers.get("cache-control")).toBe(
      "public, max-age=31536000, s-maxage=60, immutable",
    );
    expect(await as.anyone.get(`${base}/latest/nope.jar`)).toFail(404, "fileNotFound");
    const known = preparedOf(world.resources).places.count;
    for (const [ref, of] of [
      [project.slug, version.id],
      [project.id, version.versionNumber],
      ["AAAAAAAA", version.id],
    ])
      expect(await as.anyone.get(`/cdn/data/project/${ref}/version/${of}/file-${version.versionNumber}.jar`)).toFail(
        404,
        "fileNotFound",
      );
    // Anyone can name projects that do not exist, so they must not take memory.
    expect(preparedOf(world.resources).places.count).toBe(known);
    expect(await as.anyone.get(`${base}/latest/primary-file?loader=nope`)).toFail(404, "versionNotFound");
  });

  test("support Range, If-Range, If-None-Match and HEAD", async () => {
    const project = await makeProject(world, author);
    const version = await makeVersion(world, author, project.id);
    const path = `/api/project/${project.id}/version/${version.id}/primary-file`;
    const get = (headers: Record<string, string>) => as.anyone.get(path, { headers });
    const part = await get({ range: "bytes=10-19" });
    expect([part.status, part.headers.get("content-range"), part.headers.get("content-length")]).toEqual([
      206,
      "bytes 10-19/64",
      "10",
    ]);
    expect(part.bytes.equals(version.bytes.subarray(10, 20))).toBe(true);
    expect((await get({ range: "bytes=-4" })).bytes.equals(version.bytes.subarray(60))).toBe(true);
    const beyond = await get({ range: "bytes=64-" });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, "bytes */64"]);
    expect((await get({ range: "bytes=0-1,5-6" })).status).toBe(200);
    expect((await get({ range: "bytes=0-1", "if-range": '"other"' })).status).toBe(200);
    expect((await get({ range: "bytes=0-1", "if-range": `"${version.sha512}"` })).status).toBe(206);
    expect((await get({ "if-none-match": `"${version.sha512}"` })).status).toBe(304);
    const head = await as.anyone.head(path);
    expect([head.status, head.headers.get("content-length"), head.text]).toEqual([200, "64", ""]);
  });

  test("private files are sent only to users who may see them, and are never cached", async () => {
    const project = await makeProject(world, author, { visibility: "private" });
    const version = await makeVersion(world, author, project.id);
    const stranger = as.user(await make.user());
    const paths = [
      `/api/project/${project.id}/version/latest/primary-file`,
      `/cdn/data/project/${project.id}/version/${version.id}/file-${version.versionNumber}.jar`,
    ];
    for (const path of paths) {
      for (const actor of [as.anyone, stranger]) expect(await actor.get(path)).toFail(404);
      const reply = await as.user(author).get(path);
      expect([reply.status, reply.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
    }
  });
});
