// Keeps the newest moments of a backup's folder, and the stored files that they need.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { manifestName, momentForm, readManifest } from "./layout.js";
import { readTable, type SavedBlob } from "./tables.js";

/** Returns how many moments and files were removed. */
export async function keepNewest(folder: string, count: number): Promise<{ moments: number; files: number }> {
  const { finished, unfinished } = await findMoments(folder);
  const old = finished.slice(0, -count);
  for (const moment of old) await rm(moment, { recursive: true });
  // Another backup is running or was interrupted: the files that it needs are not known yet.
  const files = old.length === 0 || unfinished ? 0 : await removeUnneeded(folder, finished.slice(-count));
  return { moments: old.length, files };
}

/** Removes the stored files that no backup needs. Returns how many. */
export async function sweepFiles(folder: string): Promise<number> {
  const { finished, unfinished } = await findMoments(folder);
  return unfinished ? 0 : removeUnneeded(folder, finished);
}

/** Oldest first. */
async function findMoments(folder: string): Promise<{ finished: string[]; unfinished: boolean }> {
  const moments = (await readdir(folder)).filter((name) => momentForm.test(name)).sort();
  const finished: string[] = [];
  for (const name of moments)
    if ((await readdir(join(folder, name))).includes(manifestName)) finished.push(join(folder, name));
  return { finished, unfinished: finished.length < moments.length };
}

async function removeUnneeded(folder: string, moments: readonly string[]): Promise<number> {
  const needed = new Set<string>();
  for (const moment of moments) for await (const { sha512 } of listFiles(moment)) needed.add(sha512);
  let removed = 0;
  for (const below of await readdir(join(folder, "files")))
    for (const name of await readdir(join(folder, "files", below))) {
      if (needed.has(name)) continue;
      await rm(join(folder, "files", below, name));
      removed++;
    }
  return removed;
}

/** The stored files that a backup needs. */
export async function* listFiles(moment: string): AsyncGenerator<SavedBlob> {
  const { tables } = await readManifest(moment);
  for (const table of tables.filter(({ name }) => name === "blobs")) {
    const [at, size] = ["sha512", "size"].map((column) => table.columns.findIndex(({ name }) => name === column));
    for await (const rows of readTable(moment, table))
      for (const row of rows) yield { sha512: (row[at!] as Buffer).toString("hex"), size: Number(row[size!]) };
  }
}
