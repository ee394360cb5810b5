// Restores a backup into an empty instance. Everything is checked first, then the files are stored, and then the rows
// are loaded in one transaction: a failure leaves either everything or nothing.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "#config/config.js";
import { publicChangesConsumer } from "#integrations/public-changes/consumer.js";
import { breakOff } from "#integrations/public-changes/write.js";
import type { BlobStore } from "#platform/blobs/store.js";
import { type Writing, write } from "#platform/changes/write.js";
import { openLoader } from "#platform/db/loading.js";
import { currentName, migrate, migrations, namesDone } from "#platform/db/migrate.js";
import type { Db } from "#platform/db/tables.js";
import { BackupError, findMoment, hashFile, type Manifest, readManifest, storedFile, tableFile } from "./layout.js";
import { readTable } from "./tables.js";

export interface Target extends Writing {
  config: Config;
  blobs: BlobStore;
}

export async function restoreBackup(target: Target, folder: string): Promise<Manifest> {
  const moment = await findMoment(folder);
  const manifest = await readManifest(moment);
  await checkWhole(moment, manifest);
  await prepare(target, manifest);
  await storeFiles(target.blobs, moment, manifest);
  await loadTables(target.config, moment, manifest);
  await migrate(target.db, target.clock.now());
  await write(target, { credential: "command line" }, async (tx) => {
    // The backup does not contain these rows, and the workers of the jobs no longer exist.
    await tx.db.deleteFrom("settings").where("name", "=", "search.index").execute();
    await tx.db.updateTable("jobs").set({ lease_until: null }).execute();
    // The data that mirrors have read since then is no longer valid.
    await breakOff(tx, publicChangesConsumer);
    tx.audit("backup.restore", { kind: "instance", id: "instance" }, { dateCreated: manifest.dateCreated });
  });
  return manifest;
}

/** Runs before any change. */
async function checkWhole(moment: string, { tables }: Manifest): Promise<void> {
  for (const { name, sha256 } of tables) {
    const found = await hashFile(tableFile(moment, name), "sha256").catch(() => undefined);
    if (found !== sha256)
      throw new BackupError(`${tableFile(moment, name)} is ${found ? "damaged" : "missing"}; take another backup.`);
  }
}

async function prepare({ db, clock }: Target, manifest: Manifest): Promise<void> {
  const known = migrations.map(({ name }) => name);
  const inBackup = manifest.migrations.map(currentName);
  const isBeginning = inBackup.every((name, at) => known[at] === name);
  if (!isBeginning)
    throw new BackupError(`Modshelf ${manifest.version} made this backup, which is newer; restore it with that one.`);
  await migrate(db, clock.now(), inBackup.at(-1));
  if ((await namesDone(db)).size !== inBackup.length)
    throw new BackupError("The database is of a newer form than the backup; give it a new one.");
  if (!(await isEmpty(db)))
    throw new BackupError("There is something in this instance already; a backup goes into an empty one only.");
}

/** No user has signed up, and there is no decision. */
async function isEmpty(db: Db): Promise<boolean> {
  const user = await db.selectFrom("users").select("id").where("id", "!=", "deleted_user").limit(1).executeTakeFirst();
  const blob = await db.selectFrom("blobs").select("size").limit(1).executeTakeFirst();
  return user === undefined && blob === undefined;
}

async function storeFiles(blobs: BlobStore, moment: string, manifest: Manifest): Promise<void> {
  const entry = manifest.tables.find(({ name }) => name === "blobs");
  if (!entry) throw new BackupError("The manifest does not speak of stored files.");
  const at = entry.columns.findIndex(({ name }) => name === "sha512");
  for await (const rows of readTable(moment, entry))
    for (const row of rows) await storeFile(blobs, dirname(moment), (row[at] as Buffer).toString("hex"));
}

async function storeFile(blobs: BlobStore, folder: string, sha512: string): Promise<void> {
  const path = storedFile(folder, sha512);
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new BackupError(`${path} is missing; take another backup.`);
  const staged = await blobs.stage(createReadStream(path), { maxBytes: found.size });
  try {
    if (staged.sha512 !== sha512) throw new BackupError(`${path} is damaged; take another backup.`);
    await blobs.keep(staged);
  } finally {
    await staged.discard();
  }
}

async function loadTables(config: Config, moment: string, { tables }: Manifest): Promise<void> {
  const loader = await openLoader(config.database);
  try {
    await loader.empty(tables.map(({ name }) => name));
    for (const table of tables) {
      let count = 0;
      for await (const rows of readTable(moment, table)) {
        await loader.load(table.name, table.columns, rows);
        count += rows.length;
      }
      if (count !== table.rows) throw new BackupError(`${tableFile(moment, table.name)} lacks rows.`);
    }
    await loader.finish();
  } finally {
    await loader.close();
  }
}
