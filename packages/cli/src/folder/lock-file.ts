// shelf.lock: the registry, the setup and the exact files of a folder, as sorted JSON that version control can merge.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { safeFileName } from "modshelf-client";
import { toHost } from "#shelf/accounts.js";
import { exitCodes, Failure } from "#shelf/failures.js";
import { formatLockedPack, type LockedPack, toLockedPack } from "#shelf/packs/locked-pack.js";
import { find } from "./files.js";

export interface Setup {
  gameVersion?: string | undefined;
  loader?: string | undefined;
  channel?: string | undefined;
}

export interface LockedProject {
  /** Id of the project. */
  project: string;
  slug: string;
  /** Id of the version. */
  version: string;
  number: string;
  /** Name of the file, without the ending of disabled files: disabling is a matter of each computer. */
  file: string;
  sha512: string;
  /** Stays in this version. */
  pinned: boolean;
  /** The user asked for it; otherwise another project needs it. */
  wanted: boolean;
}

export interface Lock {
  /** The registry. A pack can be installed without one. */
  host?: string | undefined;
  setup: Setup;
  /** The folder is an instance that holds this pack. */
  pack?: LockedPack | undefined;
  projects: LockedProject[];
}

export const lockName = "shelf.lock";

/** The lock file's text too, to see whether it changes. */
export async function readLock(folder: string): Promise<{ lock: Lock; text: string } | undefined> {
  const path = join(folder, lockName);
  const found = find(path);
  if (!found) return undefined;
  if (!found.isFile())
    throw new Failure(`${path} is not a file.`, { advice: "Put a file in its place.", code: "badLock" });
  const text = await readFile(path, "utf8");
  try {
    return { lock: toLock(JSON.parse(text)), text };
  } catch (error) {
    throw new Failure(`${path} is not a lock file of shelf (${(error as Error).message.replace(/\.$/, "")}).`, {
      advice: "Get it again from where it came, or delete it: shelf makes a new one.",
      code: "badLock",
    });
  }
}

const isText = (value: unknown): value is string => typeof value === "string" && value.length > 0 && value.length < 300;

/** The file may come from someone else: no name in it may leave the folder. */
function toLock(document: unknown): Lock {
  const { host, setup, pack, projects } = document as Record<string, unknown>;
  if (!(isText(host) || (host === undefined && pack)) || !Array.isArray(projects))
    throw new Error("it names no registry or no projects");
  const { gameVersion, loader, channel } = (setup ?? {}) as Record<string, unknown>;
  for (const value of [gameVersion, loader, channel])
    if (value !== undefined && !isText(value)) throw new Error("its setup is not usable");
  const listed = projects.map((one): LockedProject => {
    const { project, slug, version, number, file, sha512, pinned, wanted } = one as Record<string, unknown>;
    if (![project, slug, version, number, file].every(isText) || !/^[0-9a-f]{128}$/.test(String(sha512)))
      throw new Error("a project in it lacks something");
    checkName(file as string);
    const texts = { project, slug, version, number, file, sha512 } as Record<"project", string>;
    return { ...texts, pinned: pinned === true, wanted: wanted !== false } as LockedProject;
  });
  for (const key of ["project", "file"] as const)
    if (new Set(listed.map((one) => one[key].toLowerCase())).size < listed.length)
      throw new Error(`two projects in it have the same ${key === "file" ? "file name" : "id"}`);
  return {
    ...{ host: host && toHost(host), setup: { gameVersion, loader, channel } as Setup },
    ...(pack !== undefined && { pack: toLockedPack(pack) }),
    projects: listed,
  };
}

/** A lock that can be read again, or an explanation of why the registry's facts make none. */
export function checkLock(lock: Lock): Lock {
  try {
    return toLock(lock);
  } catch (error) {
    throw new Failure(`No lock file can be made of the registry's answers: ${(error as Error).message}.`, {
      exitCode: exitCodes.network,
      code: "invalidAnswer",
    });
  }
}

/** A name that a registry or a lock file gives to a file of the folder. */
export function checkName(name: string): string {
  safeFileName(name);
  if (name.toLowerCase() === lockName)
    throw new Failure(`The registry names a file ${name}, which shelf uses itself.`, { code: "fileName" });
  return name;
}

/** Keys and projects have a fixed order, so that the same content is always the same text. */
export function formatLock({ host, setup: { gameVersion, loader, channel }, pack, projects }: Lock): string {
  const sorted = projects
    .map(({ project, slug, version, number, file, sha512, pinned, wanted }) => ({
      ...{ project, slug, version, number, file, sha512, pinned, wanted },
    }))
    .sort((a, b) => (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : a.project < b.project ? -1 : 1));
  const setup = { gameVersion, loader, channel };
  const text = JSON.stringify({ host, setup, pack: pack && formatLockedPack(pack), projects: sorted }, null, 2);
  return `${text}\n`;
}
