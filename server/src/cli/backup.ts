// `modshelf backup FOLDER` next to a running server, and `modshelf restore FOLDER` into an empty instance.
import { resolve } from "node:path";
import type { Config } from "#config/config.js";
import { formatBytes } from "#lib/format-bytes.js";
import { keyFileOf } from "#lib/key-file.js";
import { noteBackup } from "#operations/backup/last.js";
import { BackupError } from "#operations/backup/layout.js";
import { makeBackup } from "#operations/backup/make.js";
import { restoreBackup } from "#operations/backup/restore.js";
import { keepNewest } from "#operations/backup/retention.js";
import { findKeyId } from "#operations/secrets/rows.js";
import { verify } from "#operations/verification/verify.js";
import { openBlobStore } from "#platform/blobs/open.js";
import type { BlobStore } from "#platform/blobs/store.js";
import { findServer } from "#platform/db/server-lock.js";
import { findVault } from "#platform/secrets/open-vault.js";
import { type Call, CommandFailure, exitCodes, UsageError } from "./command.js";
import { byCommandLine, type Instance, withInstance } from "./instance.js";
import { explainKey } from "./startup-errors.js";

export async function runBackup(config: Config, { args: [place = "", kept] }: Call): Promise<number> {
  const folder = resolve(place);
  if (kept !== undefined && !/^[1-9]\d{0,4}$/.test(kept))
    throw new UsageError("COUNT is how many backups to keep, 1 or more.");
  await withInstance(config, (instance) =>
    withBlobs(config, async (blobs) => {
      const { moment, manifest, copied } = await makeBackup({ config, blobs, now: instance.clock.now() }, folder);
      const { files, tables } = manifest;
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      await noteBackup(instance, byCommandLine, { folder, moment, rows, files: files.count, bytes: files.bytes });
      console.log(moment);
      console.error(`${rows} rows, ${files.count} files (${formatBytes(files.bytes)}), ${copied} of them new here.`);
      const gone = kept === undefined ? undefined : await keepNewest(folder, Number(kept));
      if (gone?.moments) console.error(`${gone.moments} older backups and ${gone.files} of their files were removed.`);
    }),
  );
  return exitCodes.ok;
}

export async function runRestore(config: Config, { args: [place = ""] }: Call): Promise<number> {
  const running = config.database.engine === "sqlite" ? findServer(config.dataDir) : undefined;
  if (running) throw new CommandFailure(`${running}. Stop it first.`);
  const restored = await withInstance(
    config,
    (instance) => withBlobs(config, (blobs) => restore({ ...instance, blobs }, resolve(place))),
    { schema: "any" },
  );
  return restored ? exitCodes.ok : exitCodes.failed;
}

async function restore(target: Instance & { blobs: BlobStore }, folder: string): Promise<boolean> {
  const { dateCreated, version, files } = await restoreBackup(target, folder);
  console.error(`Restored as it was at ${dateCreated}, by Modshelf ${version}, with ${files.count} files.`);
  console.error("All users have to sign in again. Changes after that moment are lost.");
  const vault = findVault(target.config, target.random);
  const keyId = await findKeyId(target.db);
  if (keyId !== undefined && !vault?.has(keyId))
    console.error(
      vault
        ? `Warning: ${await explainKey({ ...target, vault })}`
        : `Warning: The backup holds secrets that are sealed with the key ${keyId}. Copy secret.key of the old site to ` +
            `${keyFileOf(target.config.dataDir)}, or set MODSHELF_SECRET_KEY, before the server starts.`,
    );
  const findings = await verify({ ...target, deep: false, safetyMs: 0 });
  const errors = findings.filter(({ level }) => level === "error");
  for (const { about, message } of errors) console.error(`${about} ${message}`);
  return errors.length === 0;
}

async function withBlobs<T>(config: Config, work: (blobs: BlobStore) => Promise<T>): Promise<T> {
  const blobs = await openBlobStore(config.storage);
  try {
    return await work(blobs);
  } catch (error) {
    throw error instanceof BackupError ? new CommandFailure(error.message) : error;
  } finally {
    await blobs.close();
  }
}
