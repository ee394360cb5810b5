// A registry that is restored from an older backup: its numbers continue above all earlier ones, and `modshelf changes
// renew` makes mirrors start again.
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterAll, describe, expect, inject, test } from "vitest";
import { catchUp } from "#platform/changes/consumer.js";
import { run, useProcesses } from "#test/process/program.js";
import { createDatabase, engine, type TestApp, testApp } from "#test/server/harness.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { publicChangesConsumer } from "./consumer.js";
import type { PublicChange } from "./contract.js";

useProcesses();

interface Backed {
  settings: Record<string, string>;
  /** As operators do it, while the server does not write. */
  backUp(): Promise<void>;
  restore(): Promise<void>;
}

function onSqlite(): Backed {
  const folder = mkdtempSync(join(tmpdir(), "modshelf-restored-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const [file, backup] = [join(folder, "modshelf.db"), join(folder, "backup.db")];
  return {
    settings: { MODSHELF_DATABASE_URL: `sqlite:${file}` },
    async backUp() {
      const database = new DatabaseSync(file);
      database.exec(`VACUUM INTO '${backup}'`);
      database.close();
    },
    async restore() {
      for (const part of [file, `${file}-wal`, `${file}-shm`]) rmSync(part, { force: true });
      copyFileSync(backup, file);
    },
  };
}

async function onPostgres(): Promise<Backed> {
  const { url, drop } = (await createDatabase())!;
  const name = new URL(url).pathname.slice(1);
  const backup = `${name}_backup`;
  const asAdmin = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: inject("postgresUrl") });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  afterAll(async () => {
    await drop();
    await asAdmin(`DROP DATABASE IF EXISTS ${backup} WITH (FORCE)`);
  });
  return {
    settings: { MODSHELF_DATABASE_URL: url },
    backUp: () => asAdmin(`CREATE DATABASE ${backup} TEMPLATE ${name}`),
    restore: () => asAdmin(`DROP DATABASE ${name} WITH (FORCE)`, `CREATE DATABASE ${name} TEMPLATE ${backup}`),
  };
}

const { settings, backUp, restore } = engine === "postgres" ? await onPostgres() : onSqlite();
const since = async ({ as }: TestApp, number: number) => as.anyone.get(`/api/changes?since=${number}&limit=1000`);
const numbersOf = (changes: PublicChange[]): number[] => changes.map(({ seq }) => seq);

describe("listChanges after a restore", () => {
  test("never uses a number twice, and after `modshelf changes renew` every mirror starts again", async () => {
    const first = await testApp({ settings });
    const author = await first.make.user();
    const kept = await makeProject(first, author);
    await catchUp(first.resources, publicChangesConsumer);
    await first.stop();
    await backUp();

    const second = await testApp({ settings });
    const lost = await makeProject(second, author);
    for (const summary of ["one", "two", "three"]) {
      await setProject(second, kept.id, { summary });
      await catchUp(second.resources, publicChangesConsumer);
    }
    const { body: told } = await since(second, 0);
    expect(told.changes.map(({ id }: PublicChange) => id)).toContain(lost.id);
    await second.stop();
    await restore();

    const third = await testApp({ settings });
    // The client has a number beyond the end.
    expect(await since(third, told.next)).toFail(410, "changesGone");
    await setProject(third, kept.id, { summary: "Once more" });
    await catchUp(third.resources, publicChangesConsumer);
    const { body: now } = await since(third, 0);
    expect(now.changes.map(({ id }: PublicChange) => id)).not.toContain(lost.id);
    const fresh = now.changes.find(({ act, id }: PublicChange) => act === "updated" && id === kept.id);
    expect(fresh.seq).toBeGreaterThan(Math.max(...numbersOf(told.changes)));
    expect(Number.isSafeInteger(fresh.seq)).toBe(true);

    const done = await run(["changes", "renew"], { settings: { MODSHELF_DATA_DIR: third.dataDir, ...settings } });
    expect([done.code, done.stderr]).toEqual([0, expect.stringContaining("start again")]);
    await expect.poll(async () => (await since(third, told.next)).status).toBe(410);
    expect(await since(third, now.next)).toFail(410, "changesGone");
    const { body: anew } = await since(third, 0);
    expect(anew.changes).toEqual(now.changes);
    // From there on the client continues as usual.
    expect((await since(third, anew.next)).body).toEqual({ changes: [], next: anew.next, more: false });
    await setProject(third, kept.id, { summary: "And again" });
    await catchUp(third.resources, publicChangesConsumer);
    expect((await since(third, anew.next)).body.changes).toMatchObject([{ id: kept.id, act: "updated" }]);
    await third.stop();
  });
});
