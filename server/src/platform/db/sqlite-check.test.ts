import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { engine } from "#test/server/harness.js";
import { checkSqliteFile, checkSqliteFileAside } from "./sqlite-check.js";

function makeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "modshelf-sqlite-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "test.db");
  const database = new DatabaseSync(path);
  database.exec("create table notes (id integer primary key, text text not null) strict");
  const insert = database.prepare("insert into notes (text) values (?)");
  for (let count = 0; count < 200; count++) insert.run("x".repeat(1000));
  database.close();
  return path;
}

function damage(path: string): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(4096, 0xff), 0, 4096, 5 * 4096);
  closeSync(file);
}

describe.runIf(engine === "sqlite").each([
  ["in a thread", checkSqliteFile],
  ["in a process", checkSqliteFileAside],
])("the check of a file %s", (_name, check) => {
  test("finds nothing in a file that is intact, and the faults of a damaged one", async () => {
    const path = makeFile();
    expect(await check(path)).toEqual([]);
    damage(path);
    expect(await check(path)).not.toEqual([]);
  });
});
