// Plants every fault that verification knows, and expects it to be found, and repaired if that is possible.
import { existsSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { counterOf } from "#content/downloads/counters.js";
import { consumers } from "#operations/background/consumers.js";
import { catchUp } from "#platform/changes/consumer.js";
import { engine, testApp } from "#test/server/harness.js";
import { makeOrg, makeProject, type TestProject } from "#test/worlds/content.js";
import { makeVersion, type TestVersion } from "#test/worlds/versions.js";
import type { Subject } from "./registry-check.js";
import { checkNames, type Repair, repair, verify } from "./verify.js";

const world = await testApp({ settings: { MODSHELF_TRUSTED_PROXIES: "loopback" } });
const { as, make, resources, clock, dataDir, databaseUrl } = world;
const { db } = resources;
const author = await make.user();
const safetyMs = 3_600_000;
const subject: Subject = { ...resources, deep: true, safetyMs };
const files = join(dataDir, "files");
const pathOf = (sha512: string) => join(files, "blobs", sha512.slice(0, 2), sha512.slice(2, 4), sha512);

let project: TestProject;
let version: TestVersion;
let other: TestVersion;

beforeAll(async () => {
  const org = await makeOrg(world, author);
  const library = await makeProject(world, author, { orgId: org.id });
  await makeVersion(world, author, library.id);
  project = await makeProject(world, author);
  const dependencies = [{ projectId: library.id, versionId: null, type: "required" as const }];
  version = await makeVersion(world, author, project.id, { gameVersions: ["0.4.8", "0.4.9"], dependencies });
  other = await makeVersion(world, author, project.id, {
    loaders: [],
    additional: [{ name: "b.jar", bytes: Buffer.from("b") }],
  });
  for (const address of ["10.0.0.1", "10.0.0.2"])
    await as.anyone
      .with({ "x-forwarded-for": address })
      .get(`/api/project/${project.id}/version/${version.id}/primary-file`);
  await counterOf(resources).flush();
});

const found = async (deep = true) =>
  (await verify({ ...subject, deep })).map(({ check, level, about }) => `${level} ${check}: ${about}`).sort();
const mended = async (apply: boolean): Promise<string[]> =>
  (await repair(subject, { apply })).map((mending: Repair) => mending.check);

/** Runs SQL without checks, like an accident with a backup or a manual change would. */
async function plant(...statements: string[]): Promise<void> {
  // The consumers must be idle: on SQLite they and the test would wait for each other.
  for (const consumer of consumers) await catchUp(resources, consumer);
  if (engine === "sqlite") {
    const database = new DatabaseSync(join(dataDir, "modshelf.db"), { timeout: 5000 });
    database.exec("PRAGMA foreign_keys = OFF");
    for (const statement of statements) database.exec(statement);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("SET session_replication_role = replica");
  for (const statement of statements) await client.query(statement);
  await client.end();
}

function makeOld(path: string): void {
  const old = new Date(clock.now() - safetyMs - 1000);
  utimesSync(path, old, old);
}

afterEach(async () => {
  // Each test removes or repairs the faults that it planted.
  expect(await found()).toEqual([]);
});

describe("a sound registry", () => {
  test("has nothing to find and nothing to repair", async () => {
    expect(await found()).toEqual([]);
    expect(await mended(true)).toEqual([]);
    expect(checkNames.length).toBeGreaterThan(12);
  });
});

const mendable: [string, () => string[], () => string[]][] = [
  [
    "a version's download figure",
    () => [`update versions set downloads = 7 where id = '${version.id}'`],
    () => [`error download figures: version ${version.id}`],
  ],
  [
    "a project's download figure",
    () => [`update projects set downloads = 0 where id = '${project.id}'`],
    () => [`error download figures: project ${project.id}`],
  ],
  [
    "daily sums that lost rows",
    () => [`update download_days set count = 1`],
    () => [`error download figures: project ${project.id}`, `error download figures: version ${version.id}`],
  ],
  [
    "a follower figure",
    () => [`update projects set followers = 3 where id = '${project.id}'`],
    () => [`error follower figures: project ${project.id}`],
  ],
  [
    "the follower figure of a user",
    () => [`update users set followers = 3 where id = '${author.id}'`],
    () => [`error follower figures of authors: user ${author.id}`],
  ],
  [
    "a project's lists",
    () => [`update projects set game_versions = '["0.4.8"]', loaders = '["void"]' where id = '${project.id}'`],
    () => [`error project lists: project ${project.id}`],
  ],
  [
    "a pair that a version runs on",
    () => [`delete from version_compat where version_id = '${version.id}' and game_version = '0.4.9'`],
    () => [`error project lists: version ${version.id}`],
  ],
  [
    "a pair under another channel",
    () => [`update version_compat set channel = 'dev' where version_id = '${other.id}'`],
    () => [`error project lists: version ${other.id}`],
  ],
  [
    "a mark on bytes that are needed",
    () => [`update blobs set date_orphaned = 5 where size = 1`],
    () => [expect.stringMatching(/^leftover marked files: blob [0-9a-f]{128}$/)],
  ],
  [
    "a team without a project",
    () => [`insert into teams (id, kind, date_created) values ('lostTeam', 'project', 0)`],
    () => ["leftover loose records: team lostTeam"],
  ],
  [
    "a thread without a project",
    () => [`insert into threads (id, type, entity_id, date_created) values ('lostThread', 'project', 'gone', 0)`],
    () => ["leftover loose records: thread lostThread"],
  ],
  [
    "a picture without an owner",
    () => [
      `insert into images (id, owner_kind, owner_id, file_name, sha512, width, height, date_created)
       select 'lostImage', 'user', 'gone', 'a.webp', sha512, 1, 1, 0 from blobs where size = 1`,
    ],
    () => ["leftover loose records: image lostImage"],
  ],
];

describe("repairable faults", () => {
  test.each(mendable)("%s is found, planned, and repaired permanently", async (_what, faults, expected) => {
    await plant(...faults());
    expect(await found()).toEqual(expected());
    const plan = await mended(false);
    expect(plan).toHaveLength(1);
    expect(await found()).toEqual(expected());
    expect(await mended(true)).toEqual(plan);
    expect(await found()).toEqual([]);
    expect(await mended(true)).toEqual([]);
  });

  test("is visible to a running server, and is in the audit log", async () => {
    const shown = async () => (await as.anyone.get(`/api/project/${project.id}`)).body.project;
    const before = await shown();
    await plant(`update projects set loaders = '[]', downloads = 99 where id = '${project.id}'`);
    expect(await mended(true)).toEqual(["download figures", "project lists"]);
    expect(await shown()).toEqual(before);
    const last = await db.selectFrom("audit_log").selectAll().orderBy("id", "desc").limit(1).executeTakeFirst();
    expect(last).toMatchObject({ action: "repair.apply", credential: "command line" });
    expect(JSON.parse(last!.detail)).toEqual({ "download figures": 1, "project lists": 1 });
  });

  test("bytes without a row are deleted once they are old enough", async () => {
    const { sha512 } = await resources.blobs.put(Buffer.from("nobody's"));
    expect(await found()).toEqual([]);
    expect(await mended(true)).toEqual([]);
    makeOld(pathOf(sha512));
    expect(await found()).toEqual([`leftover unlisted files: blob ${sha512}`]);
    expect(await mended(true)).toEqual(["unlisted files"]);
    expect(await resources.blobs.find(sha512)).toBeUndefined();
  });

  test("temporary files are deleted once they are old enough, and nothing else in their folder", async () => {
    const name = `${"0a".repeat(16)}.upload`;
    const path = join(files, "tmp", name);
    const foreign = join(files, "tmp", "somebody-elses.txt");
    for (const each of [path, foreign]) writeFileSync(each, "half an upload");
    expect(await found()).toEqual([]);
    for (const each of [path, foreign]) makeOld(each);
    expect(await found()).toEqual([`leftover temporary files: temporary file ${name}`]);
    expect(await mended(true)).toEqual(["temporary files"]);
    expect([existsSync(path), existsSync(foreign)]).toEqual([false, true]);
    rmSync(foreign);
  });
});

const wrongFigures = expect.stringMatching(/^error site figures: project /);

const forPeople: [string, () => string[], () => string[], () => string[]][] = [
  [
    "a version whose primary file is another's",
    () => [
      `update versions set primary_file_id = (select primary_file_id from versions where id = '${other.id}') where id = '${version.id}'`,
    ],
    () => [`error versions: version ${version.id}`],
    () => [
      `update versions set primary_file_id = (select id from version_files where version_id = '${version.id}') where id = '${version.id}'`,
    ],
  ],
  [
    "a version without files",
    () => [`update version_files set version_id = 'gone' where version_id = '${version.id}'`],
    () => [`error versions: version ${version.id}`, `error versions: version ${version.id}`],
    () => [`update version_files set version_id = '${version.id}' where version_id = 'gone'`],
  ],
  [
    "a file under another project",
    () => [
      `update version_files set project_id = (select id from projects where id <> '${project.id}') where version_id = '${version.id}'`,
    ],
    () => [...Array(2).fill(wrongFigures), expect.stringMatching(/^error versions: file /)],
    () => [`update version_files set project_id = '${project.id}' where version_id = '${version.id}'`],
  ],
  [
    "a file with another size",
    () => [`update version_files set size = 1 where version_id = '${version.id}'`],
    () => [expect.stringMatching(/^error file records: file /)],
    () => [`update version_files set size = 64 where version_id = '${version.id}'`],
  ],
  [
    "a dependency on a version of another project",
    () => [`update dependencies set on_version_id = '${other.id}' where version_id = '${version.id}'`],
    () => [expect.stringMatching(/^error versions: dependency /)],
    () => [`update dependencies set on_version_id = null where version_id = '${version.id}'`],
  ],
  [
    "a project without an owner",
    () => [`update team_members set is_owner = 0 where team_id = '${project.teamId}'`],
    () => [`error owners: project ${project.id}`],
    () => [`update team_members set is_owner = 1 where team_id = '${project.teamId}'`],
  ],
  [
    "an organization without an owner",
    () => [`update team_members set is_owner = 0 where team_id in (select team_id from organizations)`],
    () => [expect.stringMatching(/^error owners: organization /)],
    () => [`update team_members set is_owner = 1 where team_id in (select team_id from organizations)`],
  ],
  [
    "a daily sum under another project",
    () => [`update download_days set project_id = 'gone'`],
    () => [expect.stringMatching(/^error download days: day \d+$/), `error download figures: project ${project.id}`],
    () => [`update download_days set project_id = '${project.id}'`],
  ],
  [
    "an audit entry that was changed",
    () => [`update audit_log set action = 'x' || action where id = 2`],
    () => ["error audit log: entry 2"],
    () => [`update audit_log set action = substr(action, 2) where id = 2`],
  ],
];

/** On SQLite every broken reference is named too; PostgreSQL would not have let it in. */
const withoutReferences = (findings: string[]) => findings.filter((text) => !text.startsWith("error references:"));

describe("faults that need a person", () => {
  test.each(forPeople)("%s is found and left alone", async (_what, faults, expected, undo) => {
    await plant(...faults());
    const findings = withoutReferences(await found());
    await plant(...undo());
    expect(findings).toEqual(expected());
  });

  test("a broken reference, which PostgreSQL would never let in", async () => {
    if (engine === "postgres") return;
    await plant(
      `insert into follows (user_id, project_id, preferences, date_created) values ('gone', '${project.id}', '{}', 0)`,
    );
    expect(await found()).toEqual([
      `error follower figures: project ${project.id}`,
      expect.stringMatching(/^error references: row \d+ of follows$/),
    ]);
    await plant("delete from follows");
  });

  test("bytes that are missing, cut, or rotten", async () => {
    const path = pathOf(version.sha512);
    const about = expect.stringMatching(
      new RegExp(`^error stored files: file \\w+ of version ${version.id} in project ${project.id}$`),
    );
    rmSync(path);
    expect(await found()).toEqual([about]);
    writeFileSync(path, version.bytes.subarray(1));
    expect(await found()).toEqual([about]);
    const rotten = Buffer.from(version.bytes);
    rotten[10]! ^= 1;
    writeFileSync(path, rotten);
    expect(await found(false)).toEqual([]);
    expect(await found()).toEqual([about]);
    expect(await mended(true)).toEqual([]);
    writeFileSync(path, version.bytes);
  });

  test("twenty flipped bits: all twenty are named", async () => {
    const flipped = await Promise.all(Array.from({ length: 20 }, () => makeVersion(world, author, project.id)));
    for (const { sha512, bytes } of flipped) {
      const rotten = Buffer.from(bytes);
      rotten[rotten.length - 1]! ^= 0x80;
      writeFileSync(pathOf(sha512), rotten);
    }
    const named = (await found()).filter((text) => text.startsWith("error stored files:"));
    expect(flipped.filter(({ id }) => !named.some((text) => text.includes(id)))).toEqual([]);
    expect(named).toHaveLength(20);
    for (const { sha512, bytes } of flipped) writeFileSync(pathOf(sha512), bytes);
  });

  test("names that several have", async () => {
    const doubles: [string, string, string][] = [
      ["users", "users_user_name_unique", `update users set user_name = upper(user_name) where id = '${author.id}'`],
      ["projects", "projects_slug_unique", `update projects set slug = '${project.slug}'`],
      [
        "versions",
        "versions_project_id_version_number_unique",
        `update versions set version_number = '1' where project_id = '${project.id}'`,
      ],
    ];
    const before = await Promise.all(
      (["users", "projects", "versions"] as const).map((table) => db.selectFrom(table).selectAll().execute()),
    );
    const twin = await make.user();
    await plant(
      ...doubles.map(([, index]) => `drop index ${index}`),
      ...doubles.map(([, , statement]) => statement),
      `update users set user_name = (select lower(user_name) from users where id = '${author.id}') where id = '${twin.id}'`,
    );
    expect((await found(false)).map((text) => text.split(":")[0])).toEqual(Array(3).fill("error names"));
    await plant(`update users set user_name = 'twin' where id = '${twin.id}'`);
    for (const row of before[0] as { id: string; user_name: string }[])
      await db.updateTable("users").set({ user_name: row.user_name }).where("id", "=", row.id).execute();
    for (const row of before[1] as { id: string; slug: string }[])
      await db.updateTable("projects").set({ slug: row.slug }).where("id", "=", row.id).execute();
    for (const row of before[2] as { id: string; version_number: string }[])
      await db.updateTable("versions").set({ version_number: row.version_number }).where("id", "=", row.id).execute();
  });
});

describe("next to a running server", () => {
  test("verification sees no half changes, however often it looks", async () => {
    const busy = await makeProject(world, author);
    let isOver = false;
    const work = async (writer: number) => {
      for (let n = 0; n < 12; n++) {
        const made = await makeVersion(world, author, busy.id, { gameVersions: [["0.4.8", "0.5.0"][n % 2]!] });
        const path = `/api/project/${busy.id}/version/${made.id}`;
        await as.anyone.with({ "x-forwarded-for": `10.7.${writer}.${n}` }).get(`${path}/primary-file`);
        if (n % 3 === 0) await as.user(author).delete(path);
        if (n % 4 === 0) await counterOf(resources).flush();
      }
    };
    const working = Promise.all([work(1), work(2)]).finally(() => {
      isOver = true;
    });
    let looks = 0;
    while (!isOver) {
      const findings = (await verify(subject)).filter(({ level }) => level === "error");
      expect(findings).toEqual([]);
      looks++;
    }
    await working;
    await counterOf(resources).flush();
    expect(looks).toBeGreaterThan(1);
  });
});
