// Backups on the web: made by a job at once or by a schedule, listed, downloaded as an archive that can be restored, deleted,
// and visible when they fail.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { submit, typed } from "#test/callers/page-forms.js";
import { readByDirectory } from "#test/files/archive-readers.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { look } from "#test/worlds/desk-world.js";
import { makeVersion } from "#test/worlds/versions.js";
import { findMoment } from "./layout.js";
import { lastDue, startDueBackup } from "./run.js";

const folder = mkdtempSync(join(tmpdir(), "modshelf-backups-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const token = "metrics-secret-0123456789abcdef";
const dir = join(folder, "backups");
const world = await testApp({ settings: { MODSHELF_BACKUP_DIR: dir, MODSHELF_METRICS_TOKEN: token } });
const { as, make, resources, clock, app } = world;
const { db, config } = resources;
const admin = await make.user({ role: "admin" });
const office = as.user(admin);
const path = "/admin/settings/backup";
const version = await makeVersion(world, admin, (await makeProject(world, admin)).id);
const moments = () => readdirSync(dir).filter((name) => name.endsWith("Z"));
const figure = async (name: string) => {
  const { text } = await as.anyone.get("/metrics", { headers: { authorization: `Bearer ${token}` } });
  return Number(new RegExp(`^modshelf_backup_${name} (.*)$`, "m").exec(text)?.[1]);
};

// Each backup has the second of its start as its name.
beforeEach(async () => {
  clock.advance(2000);
  await make.confirmed(admin);
});

test("getBackupsPage, submitBackupSettings, submitBackup, submitBackupDownload and submitBackupDeletion are only for administrators", async () => {
  const moderator = as.user(await make.user({ role: "moderator" }));
  expect((await look(moderator, path)).status).toBe(404);
  for (const action of ["", "/run", "/2026-11-15T09-30-00Z/download", "/2026-11-15T09-30-00Z/delete"]) {
    expect((await submit(moderator, path + action)).status).toBe(404);
    expect((await submit(as.anyone, path + action)).status).toBe(401);
  }
});

describe("submitBackup", () => {
  test("makes a backup in the background, and the page shows it with the commands that restore it", async () => {
    expect((await look(office, path)).text).toContain("No backups yet.");
    expect((await look(office, "/admin")).text).toContain("No backup has been made yet.");
    expect(await figure("last_success_timestamp_seconds")).toBe(0);
    expect((await submit(office, `${path}/run`)).headers.get("location")).toBe(`${path}?did=started`);
    await app.jobs.settle();
    const [name] = moments();
    const { text } = await look(office, path);
    expect(text).toContain(`<code>${name}</code>`);
    expect(text).toContain(`modshelf restore ${dir}/${name}</code>`);
    expect(text).toContain("read back and compared");
    expect(await findMoment(dir)).toBe(join(dir, name!));
    expect((await look(office, "/admin")).text).toContain(`The last backup was made less than an hour ago, in ${dir}.`);
    expect(await figure("last_success_timestamp_seconds")).toBeGreaterThan(clock.now() / 1000 - 60);
    expect(await figure("failed")).toBe(0);
  });

  test("a failure is shown on the page, at the administration's home and in the figures, until one succeeds", async () => {
    const stored = join(dir, "files", version.sha512.slice(0, 2), version.sha512);
    rmSync(stored);
    mkdirSync(stored);
    await submit(office, `${path}/run`);
    await app.jobs.settle();
    expect((await look(office, path)).text).toContain("The last backup failed");
    expect((await look(office, "/admin")).text).toContain("The last backup failed: ");
    expect(await figure("failed")).toBe(1);
    expect(moments()).toHaveLength(1);
    rmSync(stored, { recursive: true });
    clock.advance(2000);
    await submit(office, `${path}/run`);
    await app.jobs.settle();
    expect((await look(office, path)).text).not.toContain("The last backup failed");
    expect(await figure("failed")).toBe(0);
    expect(existsSync(stored)).toBe(true);
  });
});

describe("the schedule", () => {
  test.each([
    ["2026-11-18T02:59:00Z", "daily", 3, "2026-11-17T03:00:00Z"],
    ["2026-11-18T03:00:00Z", "daily", 3, "2026-11-18T03:00:00Z"],
    ["2026-11-18T12:00:00Z", "weekly", 22, "2026-11-15T22:00:00Z"],
    ["2026-11-15T21:00:00Z", "weekly", 22, "2026-11-08T22:00:00Z"],
  ] as const)("at %s the last %s backup at %d was due at %s", (now, schedule, hour, due) => {
    expect(new Date(lastDue(Date.parse(now), schedule, hour)).toISOString()).toBe(due.replace("Z", ".000Z"));
  });

  test("is saved with the other settings, makes one backup a day, and keeps so many", async () => {
    const stamp = typed(await look(office, path), "stamp")!;
    const wrong = await submit(office, path, { stamp, MODSHELF_BACKUP_KEEP: "0" });
    expect(wrong.status).toBe(400);
    const fields = { stamp, MODSHELF_BACKUP_SCHEDULE: "daily", MODSHELF_BACKUP_HOUR: "3", MODSHELF_BACKUP_KEEP: "2" };
    expect((await submit(office, path, fields)).headers.get("location")).toBe(`${path}?did=saved`);
    expect(config.backup).toEqual({ dir, schedule: "daily", hour: 3, keep: 2 });
    const before = moments();
    for (let n = 0; n < 2; n++) {
      clock.advance(24 * 60 * 60 * 1000);
      for (let m = 0; m < 2; m++) {
        await startDueBackup(resources);
        await app.jobs.settle();
      }
    }
    expect(moments()).toHaveLength(2);
    expect(moments().filter((name) => before.includes(name))).toEqual([]);
    config.backup = { ...config.backup, schedule: "off" };
    await startDueBackup(resources);
    expect(await db.selectFrom("jobs").select("id").where("kind", "=", "make-backup").execute()).toEqual([]);
  });
});

describe("submitBackupDownload", () => {
  test("sends an archive that is a backup folder once it is unpacked, and the audit log names who has it", async () => {
    const name = moments().at(-1)!;
    const reply = await submit(office, `${path}/${name}/download`);
    expect([reply.status, reply.headers.get("content-disposition")]).toEqual([
      200,
      expect.stringContaining(`modshelf-${name}.zip`),
    ]);
    const files = readByDirectory(reply.bytes);
    const unpacked = join(folder, "unpacked");
    for (const [at, hex] of Object.entries(files)) {
      mkdirSync(dirname(join(unpacked, at)), { recursive: true });
      writeFileSync(join(unpacked, at), Buffer.from(hex, "hex"));
    }
    expect(await findMoment(unpacked)).toBe(join(unpacked, name));
    expect(Object.keys(files)).toContain(`files/${version.sha512.slice(0, 2)}/${version.sha512}`);
    const audit = await db
      .selectFrom("audit_log")
      .select(["actor_id", "object_id"])
      .where("action", "=", "backup.download")
      .execute();
    expect(audit).toEqual([{ actor_id: admin.id, object_id: name }]);
  });

  test("needs a recent sign-in, and submitBackupDeletion too; other names do not exist", async () => {
    for (const action of ["download", "delete"])
      for (const name of ["2020-01-01T00-00-00Z", "..%2f..%2fetc", "files", "%2e%2e"])
        expect((await submit(office, `${path}/${name}/${action}`)).status).toBe(404);
    const [name] = moments();
    clock.advance(11 * 60 * 1000);
    for (const action of ["download", "delete"])
      expect((await submit(office, `${path}/${name}/${action}`)).headers.get("location")).toMatch(/^\/auth\/sign-in/);
    expect((await look(office, path)).text).not.toContain(`/${name}/download`);
    expect(moments()).toContain(name);
  });
});

test("submitBackupDeletion deletes the backup, and the files that no other needs", async () => {
  for (const name of moments())
    expect((await submit(office, `${path}/${name}/delete`)).headers.get("location")).toBe(`${path}?did=deleted`);
  await app.jobs.settle();
  expect(moments()).toEqual([]);
  expect(readdirSync(join(dir, "files")).flatMap((below) => readdirSync(join(dir, "files", below)))).toEqual([]);
});

test("submitBackup does not start a second one while one waits", async () => {
  await app.jobs.stop();
  for (let n = 0; n < 2; n++) await submit(office, `${path}/run`);
  const jobs = await db.selectFrom("jobs").select("id").where("kind", "=", "make-backup").execute();
  expect(jobs).toHaveLength(1);
  expect((await look(office, path)).text).toContain("A backup is running");
});
