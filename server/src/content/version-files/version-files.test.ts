// Look-ups by file hash. Single and bulk requests share one resolver; a property test compares them with each other and
// with a model that does not use the catalogue.
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { routes } from "#app.js";
import { preparedOf } from "#content/catalog/prepared-catalog.js";
import { testApp } from "#test/server/harness.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion, type TestVersion } from "#test/worlds/versions.js";
import { versionFileRoutes } from "./routes.js";

const world = await testApp({ routes: [...new Set([...routes, ...versionFileRoutes])] });
const { as, make, clock } = world;
const author = await make.user();
const step = () => clock.advance(1000);

const lookUp = (hashes: string[], more: object = {}, actor = as.anyone) =>
  actor.post("/api/version-files", { hashes, ...more });
const update = (hashes: string[], more: object = {}, actor = as.anyone) =>
  actor.post("/api/version-files/update", { hashes, ...more });

describe("getVersionsByHashes", () => {
  test('"map from each input hash to its version": any file, either algorithm, either case, keys as sent', async () => {
    const project = await makeProject(world, author);
    const target = await makeProject(world, author);
    const version = await makeVersion(world, author, project.id, {
      additional: [{ name: "extra.jar", bytes: Buffer.from(`extra ${project.id}`) }],
      dependencies: [{ projectId: target.id, versionId: null, type: "optional" }],
    });
    const extra = (await as.anyone.get(`/api/project/${project.id}/version/${version.id}`)).body?.data?.files?.[1];
    const upper = version.sha512.toUpperCase();
    const { body } = await lookUp([version.sha512, upper, "0".repeat(128), ...(extra ? [extra.sha512_hash] : [])]);
    expect(Object.keys(body)).toEqual([version.sha512, upper, ...(extra ? [extra.sha512_hash] : [])]);
    expect(body[version.sha512]).toMatchObject({ id: version.id, projectId: project.id });
    // "id: present in hash-lookup responses only"
    expect(body[version.sha512].dependencies).toEqual([
      { id: expect.any(String), projectId: target.id, versionId: null, dependencyType: "optional" },
    ]);
    expect("isDuplicate" in body[version.sha512]).toBe(false);
    expect(Object.keys((await lookUp([version.sha1, version.sha512], { algorithm: "sha1" })).body)).toEqual([
      version.sha1,
    ]);
    expect((await as.anyone.get(`/api/version-file/${upper}`)).body.id).toBe(version.id);
    expect((await as.anyone.get(`/api/version-file/${version.sha1}?algorithm=sha1`)).body.id).toBe(version.id);
  });

  test("returns {} if no hash is known; one entry per hash, even for two hashes of one project", async () => {
    expect((await lookUp(["ab".repeat(64)])).body).toEqual({});
    const project = await makeProject(world, author);
    const [a, b] = [await makeVersion(world, author, project.id), await makeVersion(world, author, project.id)];
    const { body } = await lookUp([a.sha512, b.sha512]);
    expect([body[a.sha512].id, body[b.sha512].id]).toEqual([a.id, b.id]);
  });

  test("answers the same while the disk is slow", async () => {
    const project = await makeProject(world, author);
    const versions = await Promise.all([1, 2, 3].map(() => makeVersion(world, author, project.id)));
    const hashes = versions.map(({ sha512 }) => sha512);
    const answers = async () => [(await lookUp(hashes)).body, (await update(hashes)).body];
    const before = await answers();
    expect(Object.keys(before[0])).toEqual(hashes);
    const { pace } = preparedOf(world.resources);
    const slow = vi.spyOn(pace, "isSlow", "get").mockReturnValue(true);
    expect(await answers()).toEqual(before);
    expect(slow).toHaveBeenCalled();
    slow.mockRestore();
  });

  test("answers once for a hash that was sent several times, also after a query with many hashes", async () => {
    const project = await makeProject(world, author);
    const [a, b] = [await makeVersion(world, author, project.id), await makeVersion(world, author, project.id)];
    const unknown = Array.from({ length: 400 }, (_, n) => n.toString(16).padStart(128, "0"));
    const once = await lookUp([a.sha512, b.sha512]);
    expect(Object.keys(once.body)).toEqual([a.sha512, b.sha512]);
    for (const hashes of [
      [...unknown, a.sha512, b.sha512, ...unknown, a.sha512],
      [a.sha512, b.sha512, b.sha512, a.sha512],
    ]) {
      const several = await lookUp(hashes);
      expect(several.body).toEqual(once.body);
      // JSON may have a key twice, and a parser would not tell.
      expect(several.headers.get("content-length")).toBe(once.headers.get("content-length"));
    }
  });

  test("a file in several versions belongs to the newest visible one; a hidden copy never hides a visible one", async () => {
    const bytes = Buffer.from(`shared ${clock.now()}`);
    const [first, second, hidden] = [
      await makeProject(world, author),
      await makeProject(world, author),
      await makeProject(world, author, { status: "draft" }),
    ];
    const older = await makeVersion(world, author, first.id, { bytes });
    step();
    const newer = await makeVersion(world, author, second.id, { bytes });
    expect((await lookUp([older.sha512])).body[older.sha512].id).toBe(newer.id);
    step();
    const newest = await makeVersion(world, author, hidden.id, { bytes });
    expect((await lookUp([older.sha512])).body[older.sha512].id).toBe(newer.id);
    expect((await lookUp([older.sha512], {}, as.user(author))).body[older.sha512].id).toBe(newest.id);
    await setProject(world, second.id, { visibility: "private" });
    expect((await lookUp([older.sha512])).body[older.sha512].id).toBe(older.id);
  });

  test("getVersionsByHashes and getUpdatesByHashes leave out a malformed hash and answer for all others", async () => {
    const { sha512, id } = await makeVersion(world, author, (await makeProject(world, author)).id);
    const wrong = [
      "",
      "xyz",
      "z".repeat(128),
      `${sha512}0`,
      ` ${sha512.slice(1)}`,
      "é".repeat(128),
      null,
      7,
      {},
      [sha512],
    ];
    for (const path of ["/api/version-files", "/api/version-files/update"]) {
      const { body } = await as.anyone.post(path, { hashes: [...wrong, sha512] });
      expect(Object.entries(body)).toEqual([[sha512, expect.objectContaining({ id })]]);
      expect((await as.anyone.post(path, { hashes: wrong })).body).toEqual({});
    }
  });

  test("answers 400 for requests that exceed a limit", async () => {
    const hash = "0".repeat(128);
    for (const body of [
      {},
      { hashes: [] },
      { hashes: Array(1001).fill(hash) },
      { hashes: hash },
      { hashes: [hash], algorithm: "md5" },
    ])
      expect(await as.anyone.post("/api/version-files", body)).toFail(400, "invalidRequest");
    expect(await lookUp(Array.from({ length: 1000 }, (_, n) => n.toString(16).padStart(128, "0")))).toSucceed();
    expect(await as.anyone.get("/api/version-file/zz")).toFail(400, "invalidRequest");
    expect(await as.anyone.get(`/api/version-file/${hash}`)).toFail(404, "versionNotFound");
  });

  test("allows every origin: CORS without credentials, including the preflight", async () => {
    const headers = {
      origin: "https://tool.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
    };
    const preflight = await as.anyone.call("OPTIONS", "/api/version-files", { headers });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    const reply = await as.anyone
      .with({ origin: "https://tool.example" })
      .post("/api/version-files", { hashes: ["0".repeat(128)] });
    expect(reply).toSucceed();
    expect(reply.headers.get("access-control-allow-credentials")).toBeNull();
  });
});

describe("downloadByHash", () => {
  test("returns the file with the hash", async () => {
    const project = await makeProject(world, author);
    const version = await makeVersion(world, author, project.id);
    const reply = await as.anyone.get(`/api/version-file/${version.sha512}/download`);
    expect(reply.bytes.equals(version.bytes)).toBe(true);
    expect(await as.anyone.get(`/api/version-file/${"1".repeat(128)}/download`)).toFail(404, "fileNotFound");
  });
});

describe("getUpdatesByHashes and getUpdateByHash", () => {
  test("return the latest version of the file's project that matches the filters", async () => {
    const project = await makeProject(world, author);
    const old = await makeVersion(world, author, project.id, { gameVersions: ["0.4.8"] });
    step();
    const next = await makeVersion(world, author, project.id, { gameVersions: ["0.4.9"] });
    step();
    const beta = await makeVersion(world, author, project.id, {
      channel: "beta",
      gameVersions: ["0.4.9"],
      loaders: [],
    });
    const idOf = async (more: object) => (await update([old.sha512], more)).body[old.sha512]?.id;
    expect(await idOf({})).toBe(beta.id);
    expect(await idOf({ releaseChannel: "release" })).toBe(next.id);
    expect(await idOf({ gameVersions: ["0.4.8", "0.4.7"] })).toBe(old.id);
    expect(await idOf({ loader: "quilt" })).toBe(next.id);
    expect(await idOf({ releaseChannel: "beta-only" })).toBe(beta.id);
    expect(await idOf({ loader: "nope" })).toBeUndefined();
    expect(await as.anyone.post(`/api/version-file/${old.sha512}/update`, { loader: "nope" })).toFail(
      404,
      "versionNotFound",
    );
    expect(await update([old.sha512], { releaseChannel: "stable" })).toFail(400, "invalidRequest");
  });

  test("single and bulk agree with a model for every filter", async () => {
    const versions: (TestVersion & {
      projectId: string;
      channel: string;
      gameVersions: string[];
      loaders: string[];
      hidden: boolean;
    })[] = [];
    const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!;
    const channels = ["release", "beta", "alpha", "dev"] as const;
    for (let n = 0; n < 8; n++) {
      const hidden = n % 4 === 3;
      const project = await makeProject(world, author, hidden ? { visibility: "private" } : {});
      for (let m = 0; m < 5; m++) {
        const options = {
          channel: pick(channels, n * 7 + m * 3),
          gameVersions: [pick(["0.4.7", "0.4.8", "0.4.9"], n + m), pick(["0.4.5", "0.4.6"], m)],
          loaders: m % 3 === 0 ? [] : [pick(["quilt", "puzzle_loader"], n + m)],
        };
        const made = await makeVersion(world, author, project.id, options);
        versions.push({ ...made, projectId: project.id, hidden, ...options });
        step();
      }
    }
    const unknown = Array.from({ length: 5 }, (_, n) => `${n}`.repeat(128));
    const filters = fc.record(
      {
        gameVersions: fc.subarray(["0.4.5", "0.4.6", "0.4.7", "0.4.8", "0.4.9", "none"]),
        loader: fc.constantFrom("quilt", "puzzle_loader", "none"),
        releaseChannel: fc.constantFrom(...channels, ...channels.map((channel) => `${channel}-only`)),
      },
      { requiredKeys: [] },
    );
    const allowed = (channel: string, wanted: string | undefined) =>
      wanted === undefined ||
      (wanted.endsWith("-only")
        ? channel === wanted.slice(0, -5)
        : channels.indexOf(channel as "dev") <= channels.indexOf(wanted as "dev"));
    const model = (hash: string, filter: { gameVersions?: string[]; loader?: string; releaseChannel?: string }) => {
      const mine = versions.find((version) => version.sha512 === hash && !version.hidden);
      if (!mine) return undefined;
      return versions
        .filter((version) => version.projectId === mine.projectId)
        .filter((version) => allowed(version.channel, filter.releaseChannel))
        .filter((version) => filter.loader === undefined || version.loaders.includes(filter.loader))
        .findLast(
          (version) =>
            !filter.gameVersions?.length || filter.gameVersions.some((value) => version.gameVersions.includes(value)),
        )?.id;
    };
    await fc.assert(
      fc.asyncProperty(
        fc.subarray([...versions.map((version) => version.sha512), ...unknown], { minLength: 1 }),
        filters,
        async (hashes, filter) => {
          const { body } = await update(hashes, filter);
          for (const hash of hashes) expect(body[hash]?.id).toBe(model(hash, filter));
          const single = await as.anyone.post(`/api/version-file/${hashes[0]}/update`, filter);
          if (body[hashes[0]!]) expect(single.body).toEqual(body[hashes[0]!]);
          else expect(single).toFail(404, "versionNotFound");
        },
      ),
      { numRuns: 60 },
    );
  });
});
