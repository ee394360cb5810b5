// Makes a backup while the site runs: first the rows at one moment, then the files that they refer to. Files are never
// changed and stay for two days after the last reference, so that every row finds its file.
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Config } from "#config/config.js";
import { version } from "#lib/version.js";
import type { BlobStore } from "#platform/blobs/store.js";
import { migrations } from "#platform/db/migrate.js";
import { openSnapshot } from "#platform/db/snapshot.js";
import { timestamp } from "#platform/http/schemas.js";
import { BackupError, hashFile, type Manifest, manifestName, storedFile, tableFile } from "./layout.js";
import { hashing, type SavedBlob, saveTables, settle } from "./tables.js";

export interface Made {
  moment: string;
  manifest: Manifest;
  /** Files that were not in the folder before. */
  copied: number;
}

interface Making {
  config: Config;
  blobs: BlobStore;
  now: number;
  /** Called after each stored file. */
  onFile?: (done: number, total: number) => Promise<void>;
}

export async function makeBackup({ config, blobs, now, onFile }: Making, folder: string): Promise<Made> {
  const moment = join(folder, timestamp(now).slice(0, 19).replaceAll(":", "-").concat("Z"));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await mkdir(moment, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST" ? new BackupError(`${moment} is there already; wait a second.`) : error;
  });
  const snapshot = await openSnapshot(config.database);
  try {
    const { tables, blobs: needed } = await saveTables(snapshot, moment);
    await snapshot.close();
    let copied = 0;
    for (const [at, blob] of needed.entries()) {
      if (await copyFile(blobs, folder, blob)) copied++;
      await onFile?.(at + 1, needed.length);
    }
    const manifest: Manifest = {
      format: 1,
      version,
      dateCreated: timestamp(now),
      migrations: migrations.map(({ name }) => name),
      tables,
      files: { count: needed.length, bytes: needed.reduce((sum, { size }) => sum + size, 0) },
    };
    await checkWritten(folder, moment, manifest, needed);
    // The manifest is written last and atomically: a folder without it is not a backup.
    const draft = join(moment, `${manifestName}.new`);
    await writeFile(draft, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    await settle(draft);
    await rename(draft, join(moment, manifestName));
    return { moment, manifest, copied };
  } catch (error) {
    await snapshot.close().catch(() => {});
    await rm(moment, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Returns whether the file was new. Copies are read back, so that a faulty disk is found now and not during a restore.
 */
async function copyFile(blobs: BlobStore, folder: string, { sha512, size }: SavedBlob): Promise<boolean> {
  const path = storedFile(folder, sha512);
  if ((await sizeOf(path)) === size) return false;
  const opened = await blobs.open(sha512);
  if (!opened)
    throw new BackupError(`The stored file ${sha512} is missing; \`modshelf verify\` names the rows that need it.`);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.new`;
  const hash = createHash("sha512");
  await pipeline(opened.stream, hashing(hash), createWriteStream(draft, { mode: 0o600 }));
  if (hash.digest("hex") !== sha512)
    throw new BackupError(`The stored file ${sha512} is damaged; see \`modshelf verify --deep\`.`);
  await settle(draft);
  if ((await hashFile(draft, "sha512")) !== sha512)
    throw new BackupError(`${draft} does not hold what was written to it; is the disk all right?`);
  await rename(draft, path);
  return true;
}

const sizeOf = async (path: string): Promise<number | undefined> => (await stat(path).catch(() => undefined))?.size;

async function checkWritten(
  folder: string,
  moment: string,
  { tables }: Manifest,
  needed: readonly SavedBlob[],
): Promise<void> {
  for (const { name, sha256 } of tables)
    if ((await hashFile(tableFile(moment, name), "sha256")) !== sha256)
      throw new BackupError(`${tableFile(moment, name)} does not hold what was written to it; is the disk all right?`);
  for (const { sha512, size } of needed)
    if ((await sizeOf(storedFile(folder, sha512))) !== size)
      throw new BackupError(`${storedFile(folder, sha512)} has gone while the backup was made.`);
}
