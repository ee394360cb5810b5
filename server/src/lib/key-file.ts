// The file in the data folder with the keys that seal secrets. It is created at the first start with mode 0600.
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { Random } from "./random.js";

/** The length of a key for AES-256. */
export const keyBytes = 32;

export const keyFileOf = (dataDir: string): string => join(dataDir, "secret.key");

/** Reads 32 bytes written as 64 hexadecimal digits or in base64; undefined for anything else. */
export function toKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined;
  const key = Buffer.from(text, "base64");
  return key.length === keyBytes ? key : undefined;
}

/** Undefined if the file does not exist. */
export function findKeys(dataDir: string): Buffer[] | undefined {
  const path = keyFileOf(dataDir);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const keys = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(toKey);
  if (keys.length === 0 || keys.includes(undefined))
    throw new Error(`${path} is not a valid key file. Restore it from a backup.`);
  return keys as Buffer[];
}

export function findOrMakeKeys(dataDir: string, random: Random): Buffer[] {
  const found = findKeys(dataDir);
  if (found) {
    // A file that was copied or restored by hand may be readable by others.
    chmodSync(keyFileOf(dataDir), 0o600);
    return found;
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${keyFileOf(dataDir)}.${random.bytes(8).toString("hex")}`;
  const file = openSync(draft, "wx", 0o600);
  writeSync(file, `${random.bytes(keyBytes).toString("base64")}\n`);
  fsyncSync(file);
  closeSync(file);
  try {
    // A link is atomic and fails if another process has created the file in between.
    linkSync(draft, keyFileOf(dataDir));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    unlinkSync(draft);
  }
  return findKeys(dataDir)!;
}
