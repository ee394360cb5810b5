// Finds the pack that the user means: a file or folder on this computer, or a version of the registry, which is downloaded
// to a place for temporary files.
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Client, ProjectVersionData } from "modshelf-client";
import { saveFile } from "modshelf-client/node";
import type { Context } from "#shelf/command.js";
import { Failure } from "#shelf/failures.js";
import type { Setup } from "#shelf/folder/lock-file.js";
import type { OpenFolder } from "#shelf/folder/open-folder.js";
import { findSlugs, usable } from "#shelf/folder/survey.js";
import { Progress } from "#shelf/progress.js";
import { findVersion, readChannel, type Target } from "#shelf/targets.js";

export interface FoundPack {
  /** On this computer. */
  path: string;
  /** Its place in the registry. */
  origin?: { project: string; slug: string; version: string };
  channel?: string;
}

type Needed = Pick<Context, "terminal" | "signal">;

/** Whether a word means a pack on this computer, and not a project of the registry. */
export async function isLocalPack(word: string): Promise<boolean> {
  if (/^\.{0,2}[/\\]|^[a-z]:[/\\]/i.test(word)) return true;
  const found = await stat(word).catch(() => undefined);
  if (found?.isDirectory()) return (await stat(join(word, "pack.toml")).catch(() => undefined))?.isFile() ?? false;
  return found?.isFile() === true && (/\.(?:mrpack|zip)$/i.test(word) || basename(word) === "pack.toml");
}

/** Whether a word means a folder rather than a project. */
export async function isFolderName(word: string): Promise<boolean> {
  return /[/\\]|^\.+$/.test(word) || ((await stat(word).catch(() => undefined))?.isDirectory() ?? false);
}

/** The registry of the folder; undefined if none was chosen, which packs on this computer do not need. */
export function findRegistry(folder: Pick<OpenFolder, "registry">): Client | undefined {
  try {
    return folder.registry;
  } catch (error) {
    if (error instanceof Failure && error.code === "noHost") return undefined;
    throw error;
  }
}

/** The version that is named, or the newest one that fits. */
export const findPackVersion = (
  { registry }: OpenFolder,
  target: Target,
  { gameVersion, loader, channel }: Setup,
  signal: AbortSignal,
): Promise<ProjectVersionData> =>
  findVersion(registry, target, { gameVersion, loader, channel: readChannel(channel) }, signal);

/** Downloads the pack of a version, and removes it after the work. */
export async function withDownload<T>(
  { terminal, signal }: Needed,
  folder: OpenFolder,
  version: ProjectVersionData,
  work: (found: FoundPack) => Promise<T>,
): Promise<T> {
  const place = await mkdtemp(join(tmpdir(), "shelf-pack-"));
  try {
    const slugOf = await findSlugs(folder, [version.projectId], signal);
    const file = usable(() => version.primaryFile);
    const progress = new Progress(terminal, [file.size]);
    await saveFile(folder.registry, file, place, { onProgress: progress.follow(), signal });
    const origin = { project: version.projectId, slug: slugOf(version.projectId), version: version.id };
    return await work({ path: join(place, file.name), origin, channel: version.releaseChannel });
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
