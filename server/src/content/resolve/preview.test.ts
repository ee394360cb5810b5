// Previews of updates through the API, and very large graphs.
import { describe, expect, test } from "vitest";
import { catalogOf } from "#content/catalog/catalog.js";
import { write } from "#platform/changes/write.js";
import { testApp } from "#test/server/harness.js";
import { countStatements } from "#test/server/statement-count.js";
import { TestMods } from "#test/worlds/test-mods.js";

const world = await testApp();
const { as, make, resources } = world;
const author = await make.user();
const newMods = () => new TestMods(world, author);

const ask = (hashes: string[], more: object = {}) => as.anyone.post("/api/update-preview", { hashes, ...more });
const preview = async (mods: TestMods, installed: string[], more: object = {}) => {
  const reply = await ask(installed.map(mods.hash), more);
  expect(reply).toSucceed();
  return reply.body;
};
interface Previewed {
  change: string;
  current: { versionNumber: string } | null;
  next: { versionNumber: string } | null;
}
/** For example "updated 1.0 → 1.1". */
const linesOf = (files: Previewed[]) =>
  files.map(({ change, current, next }) => `${change} ${current?.versionNumber} → ${next?.versionNumber}`);

describe("previewUpdate", () => {
  test("says for each file what would happen to it, what must be added, and how much must be downloaded", async () => {
    const mods = newMods();
    await mods.version("fine@1.0", { gameVersions: ["0.4.8", "0.4.9"] });
    await mods.version("new-core@1.0", { gameVersions: ["0.4.9"] });
    await mods.version("moving@1.0");
    await mods.version("moving@2.0", { gameVersions: ["0.4.9"], needs: "new-core" });
    await mods.version("slow@1.0");
    await mods.version("gone-lib@1.0");
    await mods.version("needy@1.0", { needs: "gone-lib" });
    await mods.version("needy@1.1", { gameVersions: ["0.4.9"], needs: "gone-lib" });
    const unknown = "12".repeat(64);
    const hashes = ["fine@1.0", "moving@1.0", "slow@1.0", "needy@1.0"].map(mods.hash);
    const { body } = await ask([...hashes, unknown], { gameVersion: "0.4.9", loader: "quilt" });
    expect(linesOf(body.files)).toEqual([
      "kept 1.0 → 1.0",
      "updated 1.0 → 2.0",
      "missing 1.0 → undefined",
      "incompatible 1.0 → undefined",
      "unknown undefined → undefined",
    ]);
    expect(body.files[1]).toMatchObject({
      hash: mods.hash("moving@1.0"),
      project: { id: mods.id("moving"), name: "moving" },
      file: { sha512_hash: mods.hash("moving@2.0"), size: 64 },
    });
    expect(body.files[2].newest).toMatchObject({ versionNumber: "1.0", gameVersions: ["0.4.8"] });
    expect(body.files[4]).toMatchObject({ hash: unknown, project: null, file: null });
    expect(body.additions).toMatchObject([{ action: "add", project: { id: mods.id("new-core") } }]);
    expect(body.clashes).toMatchObject([
      {
        demands: [{ onProjectId: mods.id("needy") }],
        reasons: [{ missing: "gameVersion", projectId: mods.id("gone-lib") }],
      },
    ]);
    expect(body.downloadSize).toBe(2 * 64);
  });

  test("leaves out the last of the projects that clash, and updates the rest", async () => {
    const mods = newMods();
    for (const name of ["first", "second", "third"]) await mods.version(`${name}@1.0`);
    await mods.version("first@2.0");
    await mods.version("third@2.0");
    const without = { gameVersions: ["0.4.9"] };
    await mods.version("first@3.0", without);
    await mods.version("third@3.0", without);
    await mods.version("second@3.0", { ...without, needs: "!first" });
    const { files, clashes } = await preview(mods, ["first@1.0", "second@1.0", "third@1.0"], { gameVersion: "0.4.9" });
    expect(linesOf(files)).toEqual(["updated 1.0 → 3.0", "incompatible 1.0 → undefined", "updated 1.0 → 3.0"]);
    expect(clashes).toHaveLength(1);
    expect(clashes[0].demands.map(({ onProjectId }: { onProjectId: string }) => mods.nameOf(onProjectId))).toEqual([
      "first",
      "second",
    ]);
  });

  test("never downgrades a version that fits, and replaces withdrawn versions", async () => {
    const mods = newMods();
    await mods.version("mod@1.0");
    await mods.version("mod@1.1", { channel: "beta" });
    const { files } = await preview(mods, ["mod@1.1"], { releaseChannel: "release" });
    expect(linesOf(files)).toEqual(["kept 1.1 → 1.1"]);
    await write(resources, {}, async (tx) => {
      await tx.db
        .updateTable("versions")
        .set({ date_yanked: tx.now })
        .where("id", "=", mods.versionId("mod@1.1"))
        .execute();
      tx.changed("project", mods.id("mod"));
    });
    expect(linesOf((await preview(mods, ["mod@1.1"])).files)).toEqual(["updated 1.1 → 1.0"]);
  });

  test("joins the changelogs in between, newest first, each text once, cut if they are too long", async () => {
    const mods = newMods();
    await mods.version("mod@1.0", { changelog: "the first" });
    await mods.version("mod@1.1", { changelog: "one" });
    await mods.version("mod@1.1-q", { changelog: "other loader", loaders: ["puzzle_loader"] });
    await mods.version("mod@1.2", { changelog: "x".repeat(9000) });
    await mods.version("mod@1.3", { changelog: "" });
    await mods.version("mod@1.4", { changelog: "same" });
    await mods.version("mod@1.5", { changelog: "same" });
    const { files } = await preview(mods, ["mod@1.0", "mod@1.5", "mod@1.1"], { loader: "quilt" });
    const shown = files[0].changelogs.map(
      (part: { version: { versionNumber: string }; changelog: string; truncated: boolean }) =>
        `${part.version.versionNumber} ${part.changelog.length} ${part.truncated}`,
    );
    expect(shown).toEqual(["1.4 4 false", "1.2 8192 true", "1.1 3 false"]);
    expect(files[0].changelogsTruncated).toBe(true);
    expect(linesOf(files)).toEqual(["updated 1.0 → 1.5", "kept 1.5 → 1.5", "updated 1.1 → 1.5"]);
    // Shown once, with the first file of the project.
    expect(files[2]).toMatchObject({ changelogs: [], changelogsTruncated: true });
  });

  test("limits the total length of all texts", async () => {
    const mods = newMods();
    await mods.version("mod@1.0");
    for (let n = 0; n < 8; n++) await mods.version(`mod@2.${n}`, { changelog: `${n}${"y".repeat(8000)}` });
    const [file] = (await preview(mods, ["mod@1.0"])).files;
    const total = file.changelogs.reduce(
      (sum: number, { changelog }: { changelog: string }) => sum + changelog.length,
      0,
    );
    expect(total).toBe(32 * 1024);
    expect(file.changelogsTruncated).toBe(true);
  });

  test.each([
    ["no hashes", { hashes: [] }],
    ["hashes that are not a list", { hashes: "ab" }],
    ["5,000 hashes", { hashes: Array(5_000).fill("ab") }],
    ["the algorithm md5", { hashes: ["ab"], algorithm: "md5" }],
    ["an unknown channel", { hashes: ["ab"], releaseChannel: "best" }],
  ])("answers 400 for %s", async (_name, body) => {
    expect(await as.anyone.post("/api/update-preview", body)).toFail(400, "invalidRequest");
  });

  test("answers for each hash as sent, including duplicates, either case and any length", async () => {
    const mods = newMods();
    await mods.version("mod@1.0");
    const hash = mods.hash("mod@1.0");
    const hashes = [hash, hash.toUpperCase(), hash, "ab", "zz", "", mods.versions.get("mod@1.0")!.sha1];
    const { body } = await ask(hashes);
    expect(body.files.map((file: { hash: string }) => file.hash)).toEqual(hashes);
    expect(body.files.map((file: Previewed) => file.change)).toEqual([
      ...["kept", "kept", "kept"],
      ...["unknown", "unknown", "unknown", "unknown"],
    ]);
  });
});

describe("a large graph", () => {
  const range = (length: number) => Array.from({ length }, (_, at) => at);
  const name = (n: number) => `p${String(n).padStart(2, "0")}`;

  test("with 500 projects, deep and with a cycle at its end, is planned in as many statements as a small one", {
    timeout: 120_000,
  }, async () => {
    const cost = async (mods: TestMods, name: string) => {
      catalogOf(resources).forget();
      let size = 0;
      const statements = await countStatements(resources.db, async () => {
        const { body } = await as.anyone.post("/api/resolve", { projects: [{ project: mods.id(name) }] });
        size = body.files.length;
      });
      return { statements, size };
    };
    const build = async (length: number) => {
      const mods = newMods();
      const needs = (n: number) => (n === 0 ? "p01" : n === 1 ? "p00" : `${name(n - 1)} ${name(n - 2)}`);
      await mods.plant(Object.fromEntries(range(length).map((n) => [`${name(n)}@1.0`, needs(n)])));
      return mods;
    };
    const [small, large] = [await build(3), await build(500)];
    await cost(small, "p02");
    const least = async (mods: TestMods, name: string) => {
      const costs = [await cost(mods, name), await cost(mods, name), await cost(mods, name)];
      return { size: costs[0]!.size, statements: Math.min(...costs.map(({ statements }) => statements)) };
    };
    const [few, many] = [await least(small, "p02"), await least(large, "p499")];
    expect([few.size, many.size]).toEqual([3, 500]);
    expect(many.statements).toBe(few.statements);
    const hashes = range(500).map((n) => large.hash(`${name(n)}@1.0`));
    const { body } = await ask(hashes);
    expect(new Set(body.files.map(({ change }: Previewed) => change))).toEqual(new Set(["kept"]));
  });

  test("that is too hard is given up with 422", async () => {
    const mods = newMods();
    // The pigeonhole principle again: each version occupies a hole, and there is one hole too few.
    const [pigeons, holes] = [range(10), range(9)];
    const needs = (pigeon: number, hole: number) =>
      range(pigeon)
        .map((other) => `!${name(other)}@${hole}`)
        .join(" ");
    await mods.plant(
      Object.fromEntries(
        pigeons.flatMap((pigeon) => holes.map((hole) => [`${name(pigeon)}@${hole}`, needs(pigeon, hole)])),
      ),
    );
    const projects = pigeons.map((pigeon) => ({ project: mods.id(name(pigeon)) }));
    expect(await as.anyone.post("/api/resolve", { projects })).toFail(422, "planTooHard");
    expect((await as.anyone.post("/api/resolve", { projects: projects.slice(1) })).body.resolved).toBe(true);
  });
});
