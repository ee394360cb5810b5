// Versions and their files: the rows of section 4, the notes of their fields, and the rules for all paths and wrappers.
import { createHash } from "node:crypto";
import { describe, expect } from "vitest";
import type { Reply } from "#test/callers/actors.js";
import { makeOrg, makeProject } from "#test/worlds/content.js";
import { makeVersion, type VersionOptions } from "#test/worlds/versions.js";
import { conforms } from "./conforms.js";
import { conformanceWorld, good } from "./world.js";

const world = await conformanceWorld();
const { as, make, clock } = world;
const author = await make.user();
const get = async (path: string) => good(await as.anyone.get(path));

async function publish(projectId: string, options: VersionOptions = {}) {
  clock.advance(1000);
  return makeVersion(world, author, projectId, options);
}

describe("wrappers and references", () => {
  conforms(
    {
      "4.wrapper":
        "responses of GET /api/project/{ID|slug}, GET /api/project/{ID|slug}/version and GET /api/project/{ID|slug}/version/{ID/slug} carry a boolean success=true.",
      "4.wrapper.keys": "The project is under the key project; versions are under the key data.",
    },
    async () => {
      const project = await makeProject(world, author);
      const version = await publish(project.id);
      const path = `/api/project/${project.slug}`;
      expect(await get(path)).toEqual({ success: true, project: expect.objectContaining({ id: project.id }) });
      expect(await get(`${path}/version`)).toEqual({
        success: true,
        data: [expect.objectContaining({ id: version.id })],
      });
      expect(await get(`${path}/version/${version.id}`)).toEqual({
        success: true,
        data: expect.objectContaining({ id: version.id }),
      });
    },
  );

  conforms(
    { "4.wrapper.others": "The other endpoints below return their payload unwrapped, except the PAT delete response." },
    async () => {
      const org = await makeOrg(world, author);
      const { id } = await makeProject(world, author, { orgId: org.id });
      const { sha512 } = await publish(id);
      const owner = as.user(author);
      for (const path of [
        `/api/projects?ids=${id}`,
        "/api/projects/random",
        `/api/organization/${org.id}/projects`,
        `/api/organizations?ids=${org.id}`,
        "/api/organization",
        `/api/user/${author.id}/organization`,
        `/api/users?ids=${author.id}`,
        `/api/user/${author.id}/projects`,
        "/api/pat",
      ])
        expect(Array.isArray(good(await owner.get(path))), path).toBe(true);
      const bare = async (reply: Promise<Reply>) => {
        const body = good(await reply);
        expect(body).not.toHaveProperty("success");
        expect(body).not.toHaveProperty("data");
        return body;
      };
      const created = await bare(owner.post("/api/pat", { name: "x", dateExpires: "2099-01-01", authScopes: [] }));
      await bare(owner.patch(`/api/pat/${created.id}`, { name: "y", dateExpires: "2099-01-01", authScopes: [] }));
      expect(Object.keys(await bare(as.anyone.get(`/api/projects/versions?ids=${id}`)))).toEqual([id]);
      expect(Object.keys(await bare(as.anyone.post("/api/version-files", { hashes: [sha512] })))).toEqual([sha512]);
      expect(Object.keys(await bare(as.anyone.post("/api/version-files/update", { hashes: [sha512] })))).toEqual([
        sha512,
      ]);
      expect((await bare(as.anyone.post(`/api/version-file/${sha512}/update`, {}))).projectId).toBe(id);
      expect((await bare(as.anyone.get(`/api/organization/${org.slug}`))).id).toBe(org.id);
      expect((await bare(as.anyone.get(`/api/user/${author.userName}`))).id).toBe(author.id);
      expect(good(await owner.delete(`/api/pat/${created.id}`)).success).toBe(true);
    },
  );

  conforms({ "4.ref": "In paths, {ID|slug} accepts either the identifier or the slug." }, async () => {
    const org = await makeOrg(world, author);
    const project = await makeProject(world, author, { orgId: org.id });
    const version = await publish(project.id, { versionNumber: "1.0-RC" });
    const same = async (...paths: string[]) => {
      const texts = await Promise.all(
        paths.map(async (path) => {
          const reply = await as.anyone.get(path);
          expect(reply).toSucceed();
          return reply.bytes.toString("latin1");
        }),
      );
      expect(new Set(texts).size, paths[0]!).toBe(1);
    };
    const refs = [project.id, project.slug];
    for (const tail of ["", "/version", "/version/latest", "/version/latest/primary-file"])
      await same(...refs.map((ref) => `/api/project/${ref}${tail}`));
    for (const tail of ["", "/primary-file", "/file-1.0-RC.jar"])
      await same(
        ...refs.flatMap((ref) => [version.id, "1.0-rc"].map((name) => `/api/project/${ref}/version/${name}${tail}`)),
      );
    for (const tail of ["", "/projects"])
      await same(`/api/organization/${org.id}${tail}`, `/api/organization/${org.slug}${tail}`);
    await same(`/api/user/${author.id}/projects`, `/api/user/${author.userName}/projects`);
  });

  conforms({ "4.ids": "List parameters named ids are a plain comma-separated list, not JSON encoded." }, async () => {
    const [a, b] = [await makeProject(world, author), await makeProject(world, author)];
    const [one, two] = [await makeOrg(world, author), await makeOrg(world, author)];
    const other = await make.user();
    const idsAt = async (path: string, ids: string) => {
      const body = await get(`${path}?ids=${ids}`);
      return Array.isArray(body) ? body.map(({ id }: { id: string }) => id) : Object.keys(body);
    };
    for (const [path, ids] of [
      ["/api/projects", [a.id, b.id]],
      ["/api/projects/versions", [a.id, b.id]],
      ["/api/organizations", [one.id, two.id]],
      ["/api/users", [other.id, author.id]],
    ] as const) {
      expect(await idsAt(path, ids.join(","))).toEqual(ids);
      expect(await idsAt(path, ids.join("%2C"))).toEqual(ids);
      expect(await idsAt(path, encodeURIComponent(JSON.stringify(ids)))).toEqual([]);
    }
  });
});

describe("getVersions and getVersion", () => {
  conforms(
    { "4.version.list": "GET | /api/project/{ID|slug}/version | none | wrapper with data as ProjectVersionData[]" },
    async () => {
      const { id, slug } = await makeProject(world, author);
      expect(await get(`/api/project/${slug}/version`)).toEqual({ success: true, data: [] });
      const versions = [
        await publish(id),
        await publish(id, { channel: "dev" }),
        await publish(id, { channel: "beta" }),
      ];
      const { data } = await get(`/api/project/${slug}/version`);
      expect(data.map((version: { id: string }) => version.id)).toEqual(
        versions.map((version) => version.id).reverse(),
      );
      expect(await as.anyone.get("/api/project/no-such/version")).toFail(404, "projectNotFound");
    },
  );

  conforms(
    {
      "4.version.get":
        "GET | /api/project/{ID|slug}/version/{ID/slug} | none | wrapper with data as one ProjectVersionData",
    },
    async () => {
      const { id, slug } = await makeProject(world, author);
      const version = await publish(id);
      await publish(id);
      const { data } = await get(`/api/project/${slug}/version/${version.versionNumber}`);
      expect(data).toEqual((await get(`/api/project/${slug}/version`)).data[1]);
      expect(await as.anyone.get(`/api/project/${slug}/version/9.9.9`)).toFail(404, "versionNotFound");
      const other = await makeProject(world, author);
      expect(await as.anyone.get(`/api/project/${other.slug}/version/${version.id}`)).toFail(404, "versionNotFound");
    },
  );

  conforms({ "2.ProjectVersionData.changelog.note": "may be empty; may contain CRLF line breaks" }, async () => {
    const { id } = await makeProject(world, author);
    for (const changelog of ["", "One\r\n\r\n- two\r\n"]) {
      const version = await publish(id, { changelog });
      expect((await get(`/api/project/${id}/version/${version.id}`)).data.changelog).toBe(changelog);
    }
  });

  conforms({ "2.ProjectVersionData.files.note": "includes the primary file" }, async () => {
    const { id } = await makeProject(world, author);
    const version = await publish(id, { additional: [{ name: "a.jar", bytes: Buffer.from("more") }] });
    const { primaryFile, files } = (await get(`/api/project/${id}/version/${version.id}`)).data;
    expect(files).toHaveLength(2);
    expect(files.filter((file: { isPrimary: boolean }) => file.isPrimary)).toEqual([primaryFile]);
    expect(primaryFile).toMatchObject({
      size: version.bytes.length,
      sha1_hash: createHash("sha1").update(version.bytes).digest("hex"),
      sha512_hash: createHash("sha512").update(version.bytes).digest("hex"),
    });
  });

  conforms(
    {
      "2.ProjectVersionData.isDuplicate.note": "seen on the project-versions list and single-version responses only",
      "2.Dependency.id.note": "present in hash-lookup responses only",
      "2.Dependency.dependencyType.note": "observed: required",
    },
    async () => {
      const [project, target] = [await makeProject(world, author), await makeProject(world, author)];
      const dependencies = [{ projectId: target.id, versionId: null, type: "required" as const }];
      const { id, sha512 } = await publish(project.id, { dependencies });
      const base = `/api/project/${project.id}/version`;
      const own = [...(await get(base)).data, (await get(`${base}/${id}`)).data, (await get(`${base}/latest`)).data];
      const bulk = [
        ...(await get(`/api/projects/versions?ids=${project.id}`))[project.id],
        ...(await get(`/api/projects?ids=${project.id}&include=version-info`))[0].versions,
      ];
      const byHash = [
        good(await as.anyone.post("/api/version-files", { hashes: [sha512] }))[sha512],
        good(await as.anyone.post("/api/version-files/update", { hashes: [sha512] }))[sha512],
        good(await as.anyone.post(`/api/version-file/${sha512}/update`, {})),
      ];
      const embedded = [
        ...(await get(`/api/project/${project.id}?includeVersions=true`)).project.versions,
        good(await as.user(author).patch(`${base}/${id}`, { title: "Renamed" })).data,
      ];
      for (const version of own) expect(version.isDuplicate).toBe(false);
      for (const version of [...bulk, ...byHash, ...embedded]) expect(version).not.toHaveProperty("isDuplicate");
      const plain = { projectId: target.id, versionId: null, dependencyType: "required" };
      for (const version of [...own, ...bulk]) expect(version.dependencies).toEqual([plain]);
      for (const version of byHash) expect(version.dependencies).toEqual([{ id: expect.any(String), ...plain }]);
    },
  );
});

describe("getLatestVersion", () => {
  conforms(
    {
      "4.version.latest": "GET | /api/project/{ID|slug}/version/latest",
      "4.version.latest.releaseChannel": "releaseChannel (release, beta, alpha or dev; default release)",
      "4.version.latest.response": "same shape as a single version",
      "2.ProjectVersionData.releaseChannel.note": "one of release, beta, alpha, dev",
    },
    async () => {
      const { id, slug } = await makeProject(world, author);
      expect(await as.anyone.get(`/api/project/${slug}/version/latest`)).toFail(404, "versionNotFound");
      const channels = ["release", "beta", "alpha", "dev"] as const;
      for (const channel of channels) await publish(id, { channel });
      const latest = async (query: string) => (await get(`/api/project/${slug}/version/latest${query}`)).data;
      expect((await latest("")).releaseChannel).toBe("release");
      for (const channel of channels) {
        expect((await latest(`?releaseChannel=${channel}`)).releaseChannel).toBe(channel);
        expect((await latest(`?releaseChannel=${channel}-only`)).releaseChannel).toBe(channel);
      }
      // Again, now from the cache.
      expect((await latest("")).releaseChannel).toBe("release");
      // Newer and more stable: it is the latest of every channel.
      const newest = await publish(id);
      for (const channel of channels) expect((await latest(`?releaseChannel=${channel}`)).id).toBe(newest.id);
      expect((await latest("?releaseChannel=beta-only")).releaseChannel).toBe("beta");
      expect(await get(`/api/project/${slug}/version/latest`)).toEqual(
        await get(`/api/project/${slug}/version/${newest.id}`),
      );
      expect(await as.anyone.get(`/api/project/${slug}/version/latest?releaseChannel=stable`)).toFail(400);
    },
  );

  conforms(
    { "4.version.latest.gameVersion": "gameVersion (string)", "4.version.latest.loader": "loader (string)" },
    async () => {
      const { id } = await makeProject(world, author);
      const old = await publish(id, { gameVersions: ["0.4.8"], loaders: ["quilt"] });
      const puzzle = await publish(id, { gameVersions: ["0.4.8", "0.4.9"], loaders: ["puzzle_loader"] });
      const latest = async (query: string) => (await get(`/api/project/${id}/version/latest?${query}`)).data.id;
      expect(await latest("gameVersion=0.4.8")).toBe(puzzle.id);
      expect(await latest("loader=quilt")).toBe(old.id);
      expect(await latest("gameVersion=0.4.8&loader=quilt")).toBe(old.id);
      for (const none of ["gameVersion=0.4.9&loader=quilt", "gameVersion=0.1", "loader=forge"])
        expect(await as.anyone.get(`/api/project/${id}/version/latest?${none}`)).toFail(404, "versionNotFound");
    },
  );
});

describe("downloadPrimaryFile and downloadFile", () => {
  conforms(
    {
      "4.download.primary":
        "appending /primary-file to a version path above (including /version/latest) downloads that version's primary file.",
      "4.download.named": "Appending /{FILE_NAME} downloads the named file of that version.",
      "4.download.content": "The response is the file content.",
    },
    async () => {
      const { id, slug } = await makeProject(world, author);
      const extra = Buffer.from("not the primary one");
      const old = await publish(id, { additional: [{ name: "extra.jar", bytes: extra }] });
      const newest = await publish(id, { fileName: "newest.jar" });
      const base = `/api/project/${slug}/version`;
      for (const [path, bytes] of [
        [`${base}/latest/primary-file`, newest.bytes],
        [`${base}/latest/newest.jar`, newest.bytes],
        [`${base}/${old.id}/primary-file`, old.bytes],
        [`${base}/${old.versionNumber}/primary-file`, old.bytes],
        [`${base}/${old.id}/file-${old.versionNumber}.jar`, old.bytes],
        [`${base}/${old.versionNumber}/extra.jar`, extra],
      ] as const) {
        const reply = await as.anyone.get(path);
        expect(reply.status, path).toBe(200);
        expect(reply.bytes.equals(bytes), path).toBe(true);
      }
      for (const path of [`${base}/latest/extra.jar`, `${base}/${old.id}/nothing.jar`])
        expect(await as.anyone.get(path)).toFail(404, "fileNotFound");
    },
  );

  conforms({ "4.download.filters": "The same query filters apply." }, async () => {
    const { id } = await makeProject(world, author);
    const file = { fileName: "same-name.jar" };
    const quilt = await publish(id, { ...file, loaders: ["quilt"] });
    const puzzle = await publish(id, { ...file, loaders: ["puzzle_loader"], gameVersions: ["0.4.9"] });
    const beta = await publish(id, { ...file, channel: "beta" });
    for (const name of ["primary-file", "same-name.jar"]) {
      const path = `/api/project/${id}/version/latest/${name}`;
      for (const [query, { bytes }] of [
        ["", puzzle],
        ["?loader=quilt", quilt],
        ["?gameVersion=0.4.8", quilt],
        ["?gameVersion=0.4.9&loader=puzzle_loader", puzzle],
        ["?releaseChannel=beta", beta],
        ["?releaseChannel=release-only&loader=quilt", quilt],
      ] as const) {
        const reply = await as.anyone.get(path + query);
        expect(reply.bytes.equals(bytes), path + query).toBe(true);
      }
      expect(await as.anyone.get(`${path}?releaseChannel=alpha-only`)).toFail(404, "versionNotFound");
      expect(await as.anyone.get(`${path}?releaseChannel=nightly`)).toFail(400);
    }
  });
});
