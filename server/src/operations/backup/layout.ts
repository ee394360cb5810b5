// The layout of a backup's folder: each moment has a folder with a manifest and a file for each table; the stored files
// are next to them, once for all moments. FOLDER/2026-11-15T09-30-00Z/manifest.json, users.ndjson.gz …
// FOLDER/files/ab/abcdef…
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import Type, { type Static } from "typebox";
import { validatorFor } from "#platform/http/validation.js";

export const manifestName = "manifest.json";
export const momentForm = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/;

const Column = Type.Object({
  name: Type.String({ pattern: "^[a-z_0-9]{1,63}$" }),
  kind: Type.Enum(["text", "integer", "bytes"]),
});

export const Manifest = Type.Object({
  format: Type.Literal(1),
  version: Type.String({ description: "The Modshelf version that made it" }),
  dateCreated: Type.String(),
  migrations: Type.Array(Type.String(), { minItems: 1 }),
  tables: Type.Array(
    Type.Object({
      name: Type.String({ pattern: "^[a-z_0-9]{1,63}$" }),
      columns: Type.Array(Column, { minItems: 1 }),
      rows: Type.Integer(),
      sha256: Type.String(),
    }),
  ),
  files: Type.Object({ count: Type.Integer(), bytes: Type.Integer() }),
});
export type Manifest = Static<typeof Manifest>;
export type TableEntry = Manifest["tables"][number];

/** A problem that the operator can solve; the message names it. */
export class BackupError extends Error {
  override name = "BackupError";
}

/** This moment, or the last finished moment of this folder. */
export async function findMoment(folder: string): Promise<string> {
  const entries = await readdir(folder).catch(() => {
    throw new BackupError(`There is no folder ${folder}.`);
  });
  if (entries.includes(manifestName)) return folder;
  for (const name of entries
    .filter((entry) => momentForm.test(entry))
    .sort()
    .reverse())
    if ((await readdir(join(folder, name))).includes(manifestName)) return join(folder, name);
  throw new BackupError(`There is no finished backup in ${folder}.`);
}

export async function readManifest(moment: string): Promise<Manifest> {
  let manifest: unknown;
  try {
    manifest = JSON.parse(await readFile(join(moment, manifestName), "utf8"));
  } catch {
    throw new BackupError(`${join(moment, manifestName)} cannot be read.`);
  }
  if (!validatorFor("body", Manifest)(manifest))
    throw new BackupError(`${join(moment, manifestName)} is not a manifest that this Modshelf understands.`);
  return manifest as Manifest;
}

export const tableFile = (moment: string, table: string): string => join(moment, `${table}.ndjson.gz`);
export const storedFile = (folder: string, sha512: string): string => join(folder, "files", sha512.slice(0, 2), sha512);

export async function hashFile(path: string, algorithm: "sha256" | "sha512"): Promise<string> {
  const hash = createHash(algorithm);
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
