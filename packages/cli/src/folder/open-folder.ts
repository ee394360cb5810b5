// A folder with add-ons, as the commands see it: its files, its lock file, its registry and its setup. A command that
// changes it has it alone, and first completes what a crash has interrupted.
import { mkdir, rmdir } from "node:fs/promises";
import { resolve } from "node:path";
import type { Client } from "modshelf-client";
import type { Context, Options } from "#shelf/command.js";
import { exitCodes, Failure } from "#shelf/failures.js";
import { channelOption, readChannel, setupOptions } from "#shelf/targets.js";
import { type Places, placesIn, recover } from "./changes.js";
import { claim } from "./claim.js";
import { type FoundFile, find, makeFolder, scan } from "./files.js";
import { scanInstance } from "./instance.js";
import { type Lock, readLock, type Setup } from "./lock-file.js";

export interface OpenFolder {
  places: Places;
  files: FoundFile[];
  /** Links are left alone. */
  links: string[];
  lock: Lock | undefined;
  /** The lock file as it is on disk. */
  lockText: string | undefined;
  /** The registry of the folder. */
  readonly host: string;
  readonly registry: Client;
}

export const folderOption = {
  type: "string",
  short: "d",
  value: "DIR",
  help: "The folder. Default: this one.",
} as const;

/** The folder that is named as a word, or as for other commands with --dir. */
export function readFolder({
  words,
  options: { dir },
}: {
  words: readonly string[];
  options: { dir?: string };
}): string {
  if (dir !== undefined && words.length > 0)
    throw new Failure("The folder is named twice.", { advice: `Leave out --dir ${dir}.`, code: "usage" });
  return words[0] ?? dir ?? ".";
}

export const folderSetupOptions = { ...setupOptions, ...channelOption } as const satisfies Options;

export const changeOptions = {
  "dry-run": { type: "boolean", help: "Show what would happen, and change nothing." },
  yes: { type: "boolean", short: "y", help: "Do not ask." },
} as const satisfies Options;

/** The setup that the lock file remembers, with the options of the command line. */
export function readSetup(
  { lock }: OpenFolder,
  { "game-version": gameVersion, loader, channel }: Record<keyof typeof folderSetupOptions, string | undefined>,
): Setup & { channel: string } {
  const { setup = {} } = lock ?? {};
  return {
    gameVersion: gameVersion ?? setup.gameVersion,
    loader: loader ?? setup.loader,
    channel: readChannel(channel) ?? setup.channel ?? "release",
  };
}

export const toQuery = ({ gameVersion, loader, channel }: Setup) => ({
  ...(gameVersion && { gameVersion }),
  ...(loader && { loader }),
  ...(channel && { releaseChannel: channel as "release" }),
});

type Needed = Pick<Context, "terminal" | "host" | "registry" | "hostOption" | "findAccountToken" | "connect">;

/** `isChange`: the command may change the folder. `mayBeNew`: it need not exist, and a change creates it. */
export async function withFolder<T>(
  context: Needed,
  path: string,
  { isChange, mayBeNew = false }: { isChange: boolean; mayBeNew?: boolean },
  work: (folder: OpenFolder) => Promise<T>,
): Promise<T> {
  const places = placesIn(resolve(path));
  if (mayBeNew && isChange) await mkdir(places.folder, { recursive: true });
  const own = find(places.own);
  if (!isChange && !(own && find(places.journal))) return work(await read(context, places, mayBeNew));
  await makeFolder(places.own);
  const release = await claim(places.lock);
  try {
    const recovered = await recover(places);
    if (recovered)
      context.terminal.note(
        `An earlier "shelf ${recovered.change.command}" was interrupted. It is ${recovered.isComplete ? "complete now" : "undone now"}.`,
      );
    return await work(await read(context, places, mayBeNew));
  } finally {
    await release();
    // It stays if there is anything in it.
    await rmdir(places.own).catch(() => undefined);
  }
}

async function read(context: Needed, places: Places, mayBeNew: boolean): Promise<OpenFolder> {
  const found = await readLock(places.folder);
  const pack = found?.lock.pack;
  const scanned = pack ? scanInstance(places.folder, pack) : scan(places.folder);
  const { files, links } = await scanned.catch((error) => {
    const { code } = error as { code?: string };
    if (code === "ENOENT" && mayBeNew) return { files: [], links: [] };
    if (code !== "ENOENT") throw error;
    throw new Failure(`There is no folder ${places.folder}.`, { exitCode: exitCodes.notFound, code: "noFolder" });
  });
  return {
    ...{ places, files, links, lock: found?.lock, lockText: found?.text },
    get host() {
      return context.hostOption ?? found?.lock.host ?? context.host;
    },
    get registry() {
      const host = found?.lock.host;
      if (context.hostOption !== undefined || host === undefined || isSame(() => context.host, host))
        return context.registry;
      return context.connect(host, context.findAccountToken(host));
    },
  };
}

const isSame = (chosen: () => string, host: string): boolean => {
  try {
    return chosen() === host;
  } catch {
    // None was chosen.
    return false;
  }
};
