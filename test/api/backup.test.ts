// Backups: created during writes, restored into an empty instance, and refused if anything was changed.
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setSuspension } from "#accounts/users/write.js";
import type { Config } from "#config/config.js";
import { consumers } from "#operations/background/consumers.js";
import { checkLastBackup } from "#operations/backup/last.js";
import { type Made, makeBackup } from "#operations/backup/make.js";
import { restoreBackup } from "#operations/backup/restore.js";
import { keepNewest } from "#operations/backup/retention.js";
import { savedTables } from "#operations/backup/tables.js";
import { verify } from "#operations/verification/verify.js";
import { openBlobStore } from "#platform/blobs/open.js";
import { ChangeLog } from "#platform/changes/change-log.js";
import { catchUp } from "#platform/changes/consumer.js";
import { ServerMemory } from "#platform/changes/server-memory.js";
import { write } from "#platform/changes/write.js";
import { openDatabase } from "#platform/db/open.js";
import type { Tables } from "#platform/db/tables.js";
import { publishTo } from "#test/callers/uploads.js";
import { drawPicture } from "#test/files/pictures.js";
import { run, useProcesses } from "#test/process/program.js";
import { engine, siteUrl, testApp } from "#test/server/harness.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { emptyDatabase } from "./empty-database.js";

useProcesses();
const world = await testApp();
const { as, make, config, resources, clock, dataDir } = world;
const { db, blobs } = resources;

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "modshelf-backup-"));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const backUp = (folder: string): Promise<Made> => {
  clock.advance(1000);
  return makeBackup({ config, blobs, now: clock.now() }, folder);
};

/** A new, unused instance on the same database engine. */
async function emptyInstance(place?: Config["database"]) {
  const dir = newFolder();
  const found = place ?? (await emptyDatabase());
  const own: Config = {
    ...config,
    dataDir: dir,
    database: found,
    storage: { kind: "disk", path: dir },
  };
  const database = openDatabase(own.database, () => {});
  const store = await openBlobStore(own.storage);
  const changeLog = new ChangeLog(database, { warn: () => {} });
  const memory = new ServerMemory({ changeLog, clock });
  const target = { config: own, db: database.db, blobs: store, clock, random: resources.random, changeLog, memory };
  return {
    target,
    dir,
    close: async () => {
      await changeLog.stop();
      await store.close();
      await database.close();
    },
  };
}

async function restored<T>(
  folder: string,
  look: (target: Awaited<ReturnType<typeof emptyInstance>>) => Promise<T>,
  place?: Config["database"],
) {
  const instance = await emptyInstance(place);
  try {
    await restoreBackup(instance.target, folder);
    return await look(instance);
  } finally {
    await instance.close();
  }
}
const rowsOf = async (of: typeof db, table: string): Promise<string[]> => {
  const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(of);
  return rows
    .map((row) =>
      JSON.stringify(row, (_key, value) => (value?.type === "Buffer" ? Buffer.from(value).toString("hex") : value)),
    )
    .sort();
};

const author = await make.user({ password: "the author's own password" });
beforeAll(async () => {
  const project = await makeProject(world, author, { name: "Größe 🎲" });
  const org = await makeOrg(world, author);
  await addMember(world, org.teamId, await make.user());
  for (let times = 0; times < 2; times++) expect(await publishTo(as.user(author), project.id)).toSucceed();
  await as.user(author).form("PATCH", `/api/project/${project.id}/icon`, { icon: await drawPicture() });
  await as.user(await make.user()).post(`/api/project/${project.id}/follow`);
  // Counters follow the change log; they would change between the look at the tables and the backup.
  for (const consumer of consumers) await catchUp(resources, consumer);
});

describe("a backup", () => {
  test("restores every row and every byte into an empty instance, and numbering continues", async () => {
    const folder = newFolder();
    const before = new Map<string, string[]>();
    for (const table of savedTables()) before.set(table, await rowsOf(db, table));
    const { moment } = await backUp(folder);
    expect(readdirSync(moment)).not.toContain("sessions.ndjson.gz");
    await restored(folder, async ({ target }) => {
      const changed = new Set([
        "settings",
        "audit_log",
        "changes",
        "feed_cursors",
        "public_changes",
        "public_things",
        "jobs",
      ]);
      for (const [table, rows] of before)
        if (!changed.has(table)) expect(await rowsOf(target.db, table), table).toEqual(rows);
        else
          expect(await rowsOf(target.db, table), table).toEqual(
            expect.arrayContaining(table === "changes" ? rows : []),
          );
      const findings = await verify({ ...target, deep: true, safetyMs: 0 });
      expect(findings.filter(({ level }) => level === "error")).toEqual([]);
      expect(await target.db.selectFrom("sessions").select("id").execute()).toEqual([]);
      await write(target, {}, (tx) => setSuspension(tx, author.id, "spam"));
      const broken = { user_id: "nobody", digest: Buffer.alloc(32, 9) } satisfies Tables["recovery_codes"];
      await expect(target.db.insertInto("recovery_codes").values(broken).execute()).rejects.toThrow();
    });
  });

  test("made while versions are published contains no partial version", async () => {
    const folder = newFolder();
    const project = await makeProject(world, author);
    const publishing = (async () => {
      for (let times = 0; times < 6; times++) await publishTo(as.user(author), project.id);
    })();
    const { manifest } = await backUp(folder);
    await publishing;
    expect(manifest.files.count).toBeGreaterThan(2);
    await restored(folder, async ({ target }) => {
      const findings = await verify({ ...target, deep: true, safetyMs: 0 });
      expect(findings.filter(({ level }) => level === "error")).toEqual([]);
    });
  });

  test("into the same folder copies only new files, and the last one is restored", async () => {
    const folder = newFolder();
    const first = await backUp(folder);
    expect(first.copied).toBe(first.manifest.files.count);
    const late = await make.user();
    const second = await backUp(folder);
    expect([second.copied, second.manifest.files.count]).toEqual([0, first.manifest.files.count]);
    const names = (target: { db: typeof db }) => target.db.selectFrom("users").select("id").execute();
    const has = (of: string) =>
      restored(of, async ({ target }) => (await names(target)).some(({ id }) => id === late.id));
    expect([await has(folder), await has(first.moment)]).toEqual([true, false]);
    // A file that only the first backup needed is deleted with it; a backup in progress keeps all files.
    const extra = join(folder, "files", "00", "0".repeat(128));
    mkdirSync(dirname(extra), { recursive: true });
    writeFileSync(extra, "only of the first");
    expect(await keepNewest(folder, 5)).toEqual({ moments: 0, files: 0 });
    expect(await keepNewest(folder, 1)).toEqual({ moments: 1, files: 1 });
    expect([existsSync(first.moment), existsSync(extra)]).toEqual([false, false]);
    await backUp(folder);
    mkdirSync(join(folder, "2020-01-01T00-00-00Z"));
    expect(await keepNewest(folder, 1)).toEqual({ moments: 1, files: 0 });
  });

  /** With PostgreSQL under test both engines are available. */
  test.runIf(engine === "postgres")("moves a site from PostgreSQL to SQLite and back", async () => {
    const [there, back] = [newFolder(), newFolder()];
    const { manifest } = await backUp(there);
    const file: Config["database"] = { engine: "sqlite", path: join(newFolder(), "moved.db") };
    await restored(
      there,
      async ({ target }) => {
        clock.advance(1000);
        await makeBackup({ config: target.config, blobs: target.blobs, now: clock.now() }, back);
      },
      file,
    );
    await restored(back, async ({ target }) => {
      for (const table of ["users", "versions", "version_files", "blobs", "team_members"])
        expect(await rowsOf(target.db, table), table).toEqual(await rowsOf(db, table));
      expect((await verify({ ...target, deep: true, safetyMs: 0 })).filter(({ level }) => level === "error")).toEqual(
        [],
      );
    });
    expect(manifest.tables.find(({ name }) => name === "users")?.rows).toBeGreaterThan(1);
  });
});

describe("restoring is refused, and changes nothing,", () => {
  let instance: Awaited<ReturnType<typeof emptyInstance>>;
  let good: { folder: string; made: Made };
  beforeAll(async () => {
    instance = await emptyInstance();
    const folder = newFolder();
    good = { folder, made: await backUp(folder) };
  });
  afterAll(() => instance.close());

  /** The error for a copy that `spoil` may damage. */
  async function refusal(spoil: (moment: string, folder: string, manifest: Made["manifest"]) => void): Promise<string> {
    const folder = newFolder();
    cpSync(good.folder, folder, { recursive: true });
    spoil(join(folder, basename(good.made.moment)), folder, good.made.manifest);
    try {
      await restoreBackup(instance.target, folder);
      return "restored";
    } catch (error) {
      return (error as Error).message;
    }
  }
  const put = (moment: string, manifest: unknown) =>
    writeFileSync(join(moment, "manifest.json"), typeof manifest === "string" ? manifest : JSON.stringify(manifest));

  test.each<[string, Parameters<typeof refusal>[0], string]>([
    ["with a table that was changed", (moment) => appendFileSync(join(moment, "users.ndjson.gz"), "x"), "damaged"],
    ["without one of its tables", (moment) => rmSync(join(moment, "versions.ndjson.gz")), "missing"],
    ["without a manifest", (moment) => rmSync(join(moment, "manifest.json")), "no finished backup"],
    ["with a broken manifest", (moment) => put(moment, "{"), "cannot be read"],
    ["with another manifest", (moment, _folder, manifest) => put(moment, { ...manifest, format: 9 }), "not a manifest"],
    [
      "from a newer Modshelf",
      (moment, _folder, manifest) => put(moment, { ...manifest, migrations: [...manifest.migrations, "0099-next"] }),
      "newer",
    ],
    ["without its files", (_moment, folder) => rmSync(join(folder, "files"), { recursive: true }), "is missing"],
    ["with a file that was changed", (_moment, folder) => spoilFile(folder), "damaged"],
    ["from nowhere", (_moment, folder) => rmSync(folder, { recursive: true }), "There is no folder"],
  ])("%s", async (_what, spoil, said) => {
    expect(await refusal(spoil)).toContain(said);
  });

  test("into an instance with content; the attempts above left it empty", async () => {
    expect(await refusal(() => {})).toBe("restored");
    expect(await refusal(() => {})).toContain("something in this instance");
  });
});

/** Damages the first file. */
function spoilFile(folder: string): void {
  const [below] = readdirSync(join(folder, "files"));
  const [name] = readdirSync(join(folder, "files", below!));
  const path = join(folder, "files", below!, name!);
  const bytes = readFileSync(path);
  bytes[0]! ^= 1;
  writeFileSync(path, bytes);
}

test("modshelf backup and modshelf restore work next to a running server, and doctor shows the time of the last backup", async () => {
  const folder = newFolder();
  const settings = {
    MODSHELF_URL: siteUrl,
    MODSHELF_DATA_DIR: dataDir,
    ...(config.database.engine === "postgres" && { MODSHELF_DATABASE_URL: config.database.url }),
  };
  expect(await checkLastBackup(resources)).toMatchObject({ level: "warning" });
  const made = await run(["backup", folder, "7"], { settings });
  expect([made.code, made.stdout.startsWith(folder)]).toEqual([0, true]);
  const last = await checkLastBackup(resources);
  expect([last.level, String(last.message)]).toEqual(["ok", expect.stringContaining(folder)]);
  await clock.during(49 * 60 * 60_000, async () => {
    expect(await checkLastBackup(resources)).toMatchObject({ level: "warning" });
  });
  const place = await emptyDatabase();
  const elsewhere = {
    ...settings,
    MODSHELF_DATA_DIR: newFolder(),
    MODSHELF_DATABASE_URL: place.engine === "sqlite" ? `sqlite:${place.path}` : place.url,
  };
  const back = await run(["restore", folder], { settings: elsewhere });
  expect([back.code, back.stderr]).toEqual([0, expect.stringContaining("All users have to sign in again")]);
});
