// The index of file hashes and slugs: look-ups with it equal those without it after every kind of change, on several
// nodes, and unknown hashes and slugs need no statement.
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fileChangeId } from "#content/catalog/catalog.js";
import { findProjectIds } from "#content/projects/read.js";
import { removeProject } from "#content/projects/remove.js";
import { leaveSlug, takeSlug } from "#content/projects/slugs.js";
import { removeVersion } from "#content/versions/remove.js";
import { systemRandom } from "#lib/random.js";
import { write } from "#platform/changes/write.js";
import { createLog } from "#platform/http/log-lines.js";
import type { Resources } from "#platform/http/resources.js";
import { testApp, uniqueName } from "#test/server/harness.js";
import { countStatements } from "#test/server/statement-count.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { findOrMakeSecret } from "./fingerprint-secret.js";
import { HashIndex, hashIndexOf } from "./hash-index.js";

const here = await testApp();
const there = await testApp({ sharedWith: here });
const without = await testApp({ sharedWith: here });
await hashIndexOf(without.resources).stop();
const { make, clock, resources } = here;
const index = hashIndexOf(resources);
const owner = await make.user();
const moderator = await make.user({ role: "moderator" });
const actor = { userId: owner.id, credential: "test" };
const retiring = { retiredNameDays: 0 };

const unknown = (bytes: number): string => randomBytes(bytes).toString("hex");

/** A few projects, files and slugs that all steps share, so that they meet. */
const contents = Array.from({ length: 4 }, () => randomBytes(64));
const slugs = Array.from({ length: 5 }, () => uniqueName("slug"));
const projects: string[] = [];
const hashes = new Set<string>();

type Step = {
  kind: "create" | "publish" | "remove" | "erase" | "rename" | "hide" | "hold" | "lift";
  a: number;
  b: number;
};
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("create", "publish", "publish", "publish", "remove", "erase", "rename", "hide", "hold", "lift"),
  a: fc.nat(100),
  b: fc.nat(100),
});

const pick = <T>(from: readonly T[], n: number): T | undefined => from[n % from.length];

async function act({ kind, a, b }: Step): Promise<void> {
  const id = pick(projects, a);
  clock.advance(1000);
  if (kind === "create" || id === undefined) {
    projects.push((await makeProject(here, owner, {})).id);
    return;
  }
  if (kind === "publish") {
    const { sha1, sha512 } = await makeVersion(here, owner, id, { bytes: pick(contents, b)! });
    hashes.add(sha1).add(sha512);
  } else if (kind === "hide") {
    await setProject(here, id, { visibility: b % 2 ? "private" : "listed" });
  } else if (kind === "rename") {
    await rename(id, pick(slugs, b)!);
  } else if (kind === "erase") {
    const row = await resources.db.selectFrom("projects").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    await write(resources, actor, (tx) => removeProject(tx, row, retiring));
    projects.splice(projects.indexOf(id), 1);
  } else {
    const row = await resources.db
      .selectFrom("versions")
      .selectAll()
      .where("project_id", "=", id)
      .orderBy("id")
      .executeTakeFirst();
    if (!row) return;
    if (kind === "remove") await write(resources, actor, (tx) => removeVersion(tx, row, retiring));
    else await hold(row.id, kind === "hold");
  }
}

async function rename(id: string, slug: string): Promise<void> {
  const { db } = resources;
  const old = (await db.selectFrom("projects").select("slug").where("id", "=", id).executeTakeFirstOrThrow()).slug;
  const taken = await db.selectFrom("projects").select("id").where("slug", "=", slug).executeTakeFirst();
  if (taken) return;
  await write(resources, actor, async (tx) => {
    await takeSlug(tx, "project", { id, slug }, () =>
      tx.db.updateTable("projects").set({ slug }).where("id", "=", id).execute(),
    );
    await leaveSlug(tx, "project", { id, slug: old });
    tx.changed("project", id);
  });
}

async function hold(versionId: string, isHeld: boolean): Promise<void> {
  const desk = here.as.user(moderator);
  await make.confirmed(moderator);
  const open = await resources.db
    .selectFrom("quarantines")
    .select("id")
    .where("version_id", "=", versionId)
    .where("date_lifted", "is", null)
    .executeTakeFirst();
  if (isHeld && !open) await desk.post("/api/moderation/quarantine", { versionId, reason: "A reason for the test" });
  if (!isHeld && open) await desk.delete(`/api/moderation/quarantine/${open.id}`);
}

/** Everything that can be looked up, as one server answers it. */
async function lookUpAll({ as, resources: from }: typeof here): Promise<unknown> {
  const all = [...hashes, unknown(64)];
  const refs = [...slugs, ...projects, uniqueName("none")];
  const ids = (algorithm: string, path: string) =>
    as
      .user(owner)
      .post(path, { algorithm, hashes: all })
      .then(({ body }) => Object.entries(body as Record<string, { id: string }>).map(([hash, { id }]) => [hash, id]));
  return {
    anyone: (await as.anyone.post("/api/version-files", { hashes: all })).body,
    sha1: await ids("sha1", "/api/version-files"),
    sha512: await ids("sha512", "/api/version-files"),
    updates: await ids("sha512", "/api/version-files/update"),
    slugs: [...(await findProjectIds(from, refs))],
  };
}

describe("look-ups with the index", () => {
  test("equal those without it, on every node, after any changes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const one of steps) {
          await act(one);
          // On this node at once; on the others once they have read the change log.
          const found = await lookUpAll(here);
          for (const node of [there, without]) {
            await node.resources.changeLog.catchUp();
            expect(await lookUpAll(node)).toEqual(found);
          }
        }
        await Promise.all([index.settled(), hashIndexOf(there.resources).settled()]);
        expect(await lookUpAll(here)).toEqual(await lookUpAll(without));
        expect(await lookUpAll(there)).toEqual(await lookUpAll(without));
        expect([index.isReady, hashIndexOf(without.resources).isReady]).toEqual([true, false]);
      }),
      { numRuns: 12 },
    );
  });

  test("find a file and a slug from the moment of the change, before the index has read it", async () => {
    const told: unknown[] = [];
    await index.settled();
    const unsubscribe = resources.changeLog.subscribe(({ kind, id }) => {
      if (kind === "file") for (const hash of id.split(":")) told.push(index.projectsWith(hash.toUpperCase()));
      if (kind === "project") told.push(index.projectsNamed("not-a-known-slug"));
    });
    const project = await makeProject(here, owner);
    const version = await makeVersion(here, owner, project.id);
    unsubscribe();
    expect(told.length).toBeGreaterThan(3);
    expect(new Set(told)).toEqual(new Set([undefined]));
    expect((await here.as.anyone.get(`/api/version-file/${version.sha512}`)).body.id).toBe(version.id);
    expect((await here.as.anyone.get(`/api/project/${project.slug.toUpperCase()}`)).body.project.id).toBe(project.id);
    await index.settled();
    const number = index.numberOf(project.id)!;
    expect(index.idOf(number)).toBe(project.id);
    for (const ref of [project.id, project.slug]) expect(index.projectsNamed(ref)).toEqual([number]);
    for (const hash of [version.sha1, version.sha512]) expect(index.projectsWith(hash)).toEqual([number]);
    expect(index.projectsNamed("not-a-known-slug")).toEqual([]);
  });

  test("forget what was deleted", async () => {
    const project = await makeProject(here, owner);
    const { sha1, sha512 } = await makeVersion(here, owner, project.id);
    const row = await resources.db
      .selectFrom("projects")
      .selectAll()
      .where("id", "=", project.id)
      .executeTakeFirstOrThrow();
    await write(resources, actor, (tx) => removeProject(tx, row, retiring));
    await index.settled();
    for (const ref of [project.id, project.slug]) expect(index.projectsNamed(ref)).toEqual([]);
    for (const hash of [sha1, sha512]) expect(index.projectsWith(hash)).toEqual([]);
  });

  test("need no statement for unknown hashes and slugs", async () => {
    await index.settled();
    const ask = async () => {
      const hashes = Array.from({ length: 100 }, () => unknown(64));
      expect((await here.as.anyone.post("/api/version-files", { hashes })).body).toEqual({});
      expect((await here.as.anyone.post("/api/version-files/update", { hashes })).body).toEqual({});
      expect((await here.as.anyone.get(`/api/version-file/${unknown(20)}?algorithm=sha1`)).status).toBe(404);
      expect(await findProjectIds(resources, [uniqueName("none"), "none", "ABCDefgh"])).toEqual(new Map());
    };
    await ask();
    // The server also queries the database in the background, so one count may be too high.
    await expect.poll(() => countStatements(resources.db, ask)).toBe(0);
  });
});

describe("the index", () => {
  const withOwn = (changes: Partial<Resources>): HashIndex => new HashIndex({ ...resources, ...changes });

  test("is the same if a thread has filled it", async () => {
    const own = withOwn({});
    own.start({ mostRowsHere: 0 });
    const late = await makeVersion(here, owner, (await makeProject(here, owner)).id);
    await Promise.all([own.settled(), index.settled()]);
    const idsIn = (from: HashIndex, numbers: readonly number[] | undefined) =>
      numbers?.map((number) => from.idOf(number)).sort();
    for (const hash of [...hashes, late.sha1, late.sha512, unknown(64)])
      expect(idsIn(own, own.projectsWith(hash))).toEqual(idsIn(index, index.projectsWith(hash)));
    for (const ref of [...slugs, ...projects, uniqueName("none")])
      expect(idsIn(own, own.projectsNamed(ref))).toEqual(idsIn(index, index.projectsNamed(ref)));
    expect(own.figures()).toMatchObject({ name: "hashIndex", bytes: expect.any(Number) });
    expect(own.figures().bytes).toBeGreaterThan(0);
    await own.stop();
    expect(own.isReady).toBe(false);
  });

  test("stops while its thread is running", async () => {
    const own = withOwn({});
    own.start({ mostRowsHere: 0 });
    await own.stop();
    expect(own.isReady).toBe(false);
  });

  test("leaves everything to the database if it cannot be read, and says so", async () => {
    const lines: string[] = [];
    const place = resources.config.database;
    const broken =
      place.engine === "sqlite"
        ? { ...place, path: join(here.dataDir, "missing.db") }
        : { ...place, url: `${place.url}_missing` };
    const own = withOwn({
      config: { ...resources.config, database: broken },
      log: createLog("warn", { write: (line) => void lines.push(line) }),
    });
    own.start();
    await own.settled();
    expect(own.isReady).toBe(false);
    expect(own.projectsWith(unknown(64))).toBeUndefined();
    expect(own.projectsNamed("none")).toBeUndefined();
    expect(lines.join()).toContain("The index of file hashes could not be read");
    await own.stop();
  });

  test("uses the database for a file whose change could not be read, until it is", async () => {
    const [sha512, sha1] = [unknown(64), unknown(20)];
    const lines: string[] = [];
    let isBroken = false;
    const db = new Proxy(resources.db, {
      get(target, name) {
        if (isBroken && name === "getExecutor") throw new Error("No database");
        const value = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const own = withOwn({ db, log: createLog("warn", { write: (line) => void lines.push(line) }) });
    own.start();
    await own.settled();
    expect(own.projectsWith(sha512)).toEqual([]);
    isBroken = true;
    await write(resources, actor, async (tx) => tx.changed("file", fileChangeId(sha512, sha1)));
    await own.settled();
    expect([own.projectsWith(sha512), own.projectsWith(sha1)]).toEqual([undefined, undefined]);
    expect(lines.join()).toContain("The index of file hashes could not be read");
    isBroken = false;
    await expect.poll(() => own.projectsWith(sha512)).toEqual([]);
    await own.stop();
  });

  test("is shown with the caches", async () => {
    const caches = resources.memory.listCaches().filter(({ name }) => name === "hashIndex");
    expect(caches).toMatchObject([{ bytes: expect.any(Number), entries: expect.any(Number) }]);
  });
});

describe("the secret of fingerprints", () => {
  test("is made once, only its owner can read it, and a damaged one is replaced", () => {
    const folder = mkdtempSync(join(tmpdir(), "modshelf-test-"));
    const path = join(folder, "cache", "fingerprint.key");
    const secret = findOrMakeSecret(join(folder, "cache"), systemRandom);
    expect(secret).toHaveLength(32);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(findOrMakeSecret(join(folder, "cache"), systemRandom)).toEqual(secret);
    writeFileSync(path, "damaged");
    const next = findOrMakeSecret(join(folder, "cache"), systemRandom);
    expect(next).not.toEqual(secret);
    expect(readFileSync(path)).toEqual(next);
    rmSync(folder, { recursive: true });
  });
});
