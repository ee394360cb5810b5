// The secret key of this server's fingerprints. It is in the cache folder, beside files that contain fingerprints: if
// the folder is deleted, both are made again.
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FingerprintKey } from "#lib/fingerprint-key.js";
import type { Random } from "#lib/random.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";

const secretBytes = 32;

export const cacheFolderOf = (dataDir: string): string => join(dataDir, "cache");

export const fingerprintSecretOf = perServer(({ config, random, log }: Resources) => {
  try {
    return findOrMakeSecret(cacheFolderOf(config.dataDir), random);
  } catch (error) {
    log.warn({ err: error }, "The cache folder cannot be written; everything that it would hold is in memory only");
    return random.bytes(secretBytes);
  }
});

/** Its result must be used before the next await: the key holds the result of its last call. */
export const fingerprintKeyOf = perServer((resources: Resources) => new FingerprintKey(fingerprintSecretOf(resources)));

export function findOrMakeSecret(folder: string, random: Random): Buffer {
  const path = join(folder, "fingerprint.key");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (;;) {
    const found = readSecret(path);
    if (found) return found;
    const draft = `${path}.${random.bytes(8).toString("hex")}`;
    writeFileSync(draft, random.bytes(secretBytes), { flag: "wx", mode: 0o600 });
    try {
      // A link is atomic and fails if another process has created the file in between; then its file is read.
      linkSync(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      unlinkSync(draft);
    }
  }
}

/** A damaged file is removed; a new secret only makes the cache useless. */
function readSecret(path: string): Buffer | undefined {
  try {
    const secret = readFileSync(path);
    if (secret.length === secretBytes) return secret;
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return undefined;
}
