// The backups in the backup folder: a list for the page, one as an archive to download, and deleting one.
import { createReadStream } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Source } from "#content/bundles/stream-archive.js";
import { manifestName, momentForm, readManifest, storedFile } from "./layout.js";
import { listFiles } from "./retention.js";

export interface Moment {
  name: string;
  date: number;
  /** Absent if the backup is not complete or its manifest cannot be read. */
  content?: { rows: number; files: number; bytes: number };
}

/** "2026-11-15T09-30-00Z" */
const dateOf = (name: string): number => Date.parse(name.replace(/(\d\d)-(\d\d)-(\d\d)Z$/, "$1:$2:$3Z"));

/** Newest first. */
export async function listMoments(folder: string, most = 100): Promise<Moment[]> {
  const names = await readdir(folder).catch(() => []);
  const newest = names
    .filter((name) => momentForm.test(name))
    .sort()
    .reverse()
    .slice(0, most);
  return Promise.all(newest.map((name) => readMoment(folder, name)));
}

async function readMoment(folder: string, name: string): Promise<Moment> {
  const moment: Moment = { name, date: dateOf(name) };
  try {
    const { tables, files } = await readManifest(join(folder, name));
    const own = await ownFiles(join(folder, name));
    const bytes = own.reduce((sum, { size }) => sum + size, files.bytes);
    return { ...moment, content: { rows: tables.reduce((sum, { rows }) => sum + rows, 0), files: files.count, bytes } };
  } catch {
    return moment;
  }
}

async function ownFiles(place: string): Promise<{ name: string; size: number }[]> {
  const names = (await readdir(place)).filter((name) => name === manifestName || name.endsWith(".ndjson.gz"));
  return Promise.all(names.sort().map(async (name) => ({ name, size: (await stat(join(place, name))).size })));
}

/** Whether there is a complete backup of that name; nothing else may become part of a path. */
export async function hasMoment(folder: string, name: string): Promise<boolean> {
  return momentForm.test(name) && (await readMoment(folder, name)).content !== undefined;
}

/** The files of an archive that, once unpacked, is a backup folder with this one backup. */
export async function listSources(folder: string, name: string): Promise<Source[]> {
  const time = dateOf(name);
  const place = join(folder, name);
  const sources: Source[] = (await ownFiles(place)).map((file) => ({
    name: `${name}/${file.name}`,
    size: file.size,
    time,
    crc32: undefined,
    open: async () => createReadStream(join(place, file.name)),
  }));
  for await (const { sha512, size } of listFiles(place))
    sources.push({
      name: `files/${sha512.slice(0, 2)}/${sha512}`,
      size,
      time,
      crc32: undefined,
      open: async () => createReadStream(storedFile(folder, sha512)),
    });
  return sources;
}

/** The manifest goes first: what is left if this is interrupted is not a backup. */
export async function removeMoment(folder: string, name: string): Promise<void> {
  await rm(join(folder, name, manifestName), { force: true });
  await rm(join(folder, name), { recursive: true, force: true });
}
