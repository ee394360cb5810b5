// Look-ups by file hash: the rows of section 4.
import { describe, expect } from "vitest";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion, type VersionOptions } from "#test/worlds/versions.js";
import { conforms } from "./conforms.js";
import { conformanceWorld, good } from "./world.js";

const world = await conformanceWorld();
const { as, make, clock } = world;
const author = await make.user();
const post = async (path: string, body: object) => good(await as.anyone.post(path, body));

async function publish(projectId: string, options: VersionOptions = {}) {
  clock.advance(1000);
  return makeVersion(world, author, projectId, options);
}

const idsOf = (map: Record<string, { id: string }>): Record<string, string> =>
  Object.fromEntries(Object.entries(map).map(([hash, { id }]) => [hash, id]));

/** The three routes handle the algorithm in the same way. */
async function checkAlgorithm(ask: (body: object, hash: string) => Promise<string | undefined>, path: string) {
  const { id } = await makeProject(world, author);
  const version = await publish(id);
  expect(await ask({}, version.sha512)).toBe(version.id);
  expect(await ask({ algorithm: "sha512" }, version.sha512)).toBe(version.id);
  expect(await ask({ algorithm: "sha1" }, version.sha1)).toBe(version.id);
  expect(await ask({}, version.sha1)).toBeUndefined();
  expect(await ask({ algorithm: "sha1" }, version.sha512)).toBeUndefined();
  for (const algorithm of ["md5", "SHA1", "", 1])
    expect(
      await as.anyone.post(path.replace("{hash}", version.sha512), { algorithm, hashes: [version.sha512] }),
    ).toFail(400);
}

const askBulk = (path: string) => async (body: object, hash: string) =>
  (await post(path, { ...body, hashes: [hash] }))[hash]?.id;
const askSingle = async (body: object, hash: string) => {
  const reply = await as.anyone.post(`/api/version-file/${hash}/update`, body);
  return reply.status === 404 ? undefined : good(reply).id;
};

/** A project with an old stable version and newer ones that only some filters match. */
async function updatable() {
  const { id } = await makeProject(world, author);
  const old = await publish(id, { gameVersions: ["0.4.8"], loaders: ["quilt"] });
  const stable = await publish(id, { gameVersions: ["0.4.9"], loaders: ["quilt"] });
  const beta = await publish(id, { gameVersions: ["0.4.9"], loaders: ["puzzle_loader"], channel: "beta" });
  const alpha = await publish(id, { gameVersions: ["0.4.10"], loaders: ["quilt"], channel: "alpha" });
  return { id, old, stable, beta, alpha };
}
type Updatable = Awaited<ReturnType<typeof updatable>>;

/** A filter has the same result in bulk and for one hash. */
async function checkFilter(ask: typeof askSingle, cases: [object, keyof Omit<Updatable, "id"> | undefined][]) {
  const project = await updatable();
  for (const [filter, expected] of cases)
    expect(await ask(filter, project.old.sha512), JSON.stringify(filter)).toBe(expected && project[expected].id);
}

const byGameVersions: Parameters<typeof checkFilter>[1] = [
  [{}, "alpha"],
  [{ gameVersions: [] }, "alpha"],
  [{ gameVersions: ["0.4.8"] }, "old"],
  [{ gameVersions: ["0.4.8", "0.4.9"] }, "beta"],
  [{ gameVersions: ["0.1"] }, undefined],
];
const byLoader: Parameters<typeof checkFilter>[1] = [
  [{ loader: "quilt" }, "alpha"],
  [{ loader: "puzzle_loader" }, "beta"],
  [{ loader: "puzzle_loader", gameVersions: ["0.4.8"] }, undefined],
];
const byChannel: Parameters<typeof checkFilter>[1] = [
  [{ releaseChannel: "release" }, "stable"],
  [{ releaseChannel: "beta" }, "beta"],
  [{ releaseChannel: "alpha" }, "alpha"],
  [{ releaseChannel: "dev" }, "alpha"],
  [{ releaseChannel: "beta-only" }, "beta"],
  [{ releaseChannel: "dev-only" }, undefined],
  [{ releaseChannel: "alpha", loader: "quilt", gameVersions: ["0.4.9"] }, "stable"],
];

describe("getVersionsByHashes", () => {
  conforms(
    {
      "4.hashes.find": "POST | /api/version-files",
      "4.hashes.find.hashes": "hashes (string[])",
      "4.hashes.find.response": "map from each input hash to its version",
    },
    async () => {
      const [one, two] = [await makeProject(world, author), await makeProject(world, author)];
      const extra = { name: "extra.jar", bytes: Buffer.from(`extra of ${one.id}`) };
      const [a, b, c] = [await publish(one.id, { additional: [extra] }), await publish(one.id), await publish(two.id)];
      const { files } = good(await as.anyone.get(`/api/project/${one.id}/version/${a.id}`)).data;
      const unknown = "0".repeat(128);
      const found = await post("/api/version-files", {
        hashes: [a.sha512, b.sha512, c.sha512, files[1].sha512_hash, unknown],
      });
      expect(idsOf(found)).toEqual({
        [a.sha512]: a.id,
        [b.sha512]: b.id,
        [c.sha512]: c.id,
        [files[1].sha512_hash]: a.id,
      });
      expect(await post("/api/version-files", { hashes: [unknown] })).toEqual({});
      // Entries that are not hashes are left out, like unknown hashes.
      for (const wrong of [null, 1, "x", {}])
        expect(idsOf(await post("/api/version-files", { hashes: [wrong, a.sha512] }))).toEqual({ [a.sha512]: a.id });
      for (const hashes of [undefined, [], "x", a.sha512])
        expect(await as.anyone.post("/api/version-files", { hashes })).toFail(400, "invalidRequest");
    },
  );

  conforms({ "4.hashes.find.algorithm": "algorithm (sha1 or sha512, default sha512)" }, () =>
    checkAlgorithm(askBulk("/api/version-files"), "/api/version-files"),
  );
});

describe("getUpdatesByHashes", () => {
  const update = askBulk("/api/version-files/update");

  conforms(
    {
      "4.hashes.update": "POST | /api/version-files/update",
      "4.hashes.update.hashes": "hashes (string[])",
      "4.hashes.update.response":
        "map from each input hash to the latest version of the project that the hashed version belongs to",
    },
    async () => {
      const [one, two] = [await updatable(), await updatable()];
      const unknown = "0".repeat(128);
      const hashes = [one.old.sha512, one.beta.sha512, two.stable.sha512, unknown];
      expect(idsOf(await post("/api/version-files/update", { hashes }))).toEqual({
        [one.old.sha512]: one.alpha.id,
        [one.beta.sha512]: one.alpha.id,
        [two.stable.sha512]: two.alpha.id,
      });
      expect(await post("/api/version-files/update", { hashes: [null] })).toEqual({});
      for (const bad of [undefined, [], "x"])
        expect(await as.anyone.post("/api/version-files/update", { hashes: bad })).toFail(400, "invalidRequest");
    },
  );

  conforms({ "4.hashes.update.algorithm": "algorithm (sha1 or sha512, default sha512)" }, () =>
    checkAlgorithm(update, "/api/version-files/update"),
  );
  conforms({ "4.hashes.update.gameVersions": "gameVersions (string[], optional)" }, () =>
    checkFilter(update, byGameVersions),
  );
  conforms({ "4.hashes.update.loader": "loader (string, optional)" }, () => checkFilter(update, byLoader));
  conforms({ "4.hashes.update.releaseChannel": "releaseChannel (string, optional)" }, () =>
    checkFilter(update, byChannel),
  );
});

describe("getUpdateByHash", () => {
  conforms(
    {
      "4.hash.update": "POST | /api/version-file/{hash}/update",
      "4.hash.update.response": "the latest version of the project that the hashed version belongs to",
    },
    async () => {
      const { old, beta, alpha } = await updatable();
      for (const { sha512 } of [old, beta, alpha]) {
        const version = await post(`/api/version-file/${sha512}/update`, {});
        expect(version.id).toBe(alpha.id);
        expect(good(await as.anyone.post(`/api/version-file/${sha512}/update`))).toEqual(version);
        expect(version).toEqual((await post("/api/version-files/update", { hashes: [sha512] }))[sha512]);
      }
      expect(await as.anyone.post(`/api/version-file/${"0".repeat(128)}/update`, {})).toFail(404, "versionNotFound");
    },
  );

  conforms(
    {
      "4.hash.form": "In the single-hash form, {hash} is the file hash in the chosen algorithm.",
      "4.hash.update.algorithm": "algorithm (sha1 or sha512, default sha512)",
    },
    () => checkAlgorithm(askSingle, "/api/version-file/{hash}/update"),
  );
  conforms({ "4.hash.update.gameVersions": "gameVersions (string[])" }, () => checkFilter(askSingle, byGameVersions));
  conforms({ "4.hash.update.loader": "loader (string)" }, () => checkFilter(askSingle, byLoader));
  conforms({ "4.hash.update.releaseChannel": "releaseChannel (string)" }, () => checkFilter(askSingle, byChannel));
});
