// Brings an instance to a version of a pack: reads the pack, plans, shows the plan, and carries it out.

import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { Answer, Context, Options } from "#shelf/command.js";
import { exitCodes, Failure } from "#shelf/failures.js";
import { countOf } from "#shelf/figures.js";
import { scanPaths } from "#shelf/folder/instance.js";
import type { Setup } from "#shelf/folder/lock-file.js";
import { offer } from "#shelf/folder/offer.js";
import type { OpenFolder } from "#shelf/folder/open-folder.js";
import { type Row, toLines } from "#shelf/folder/plan.js";
import { Fetcher } from "./fetch-file.js";
import { type FoundPack, findRegistry } from "./find-pack.js";
import type { LockedPack, OptionalChoice } from "./locked-pack.js";
import { openPack } from "./open-pack.js";
import { type Algorithm, digest, type Pack, type PackFile, type Side, sides, toId } from "./pack.js";
import { conflict } from "./paths.js";
import { planPack } from "./plan-pack.js";

/** For all commands that bring files of a pack. */
export const packOptions = {
  side: {
    type: "string",
    value: "SIDE",
    help: "The side that a pack is installed for: client (the default) or server.",
  },
  optional: {
    type: "string",
    multiple: true,
    value: "NAME",
    help: "The optional files of a pack: all, none, or those with these names. Default: as the pack says.",
  },
  "allow-host": {
    type: "string",
    multiple: true,
    value: "HOST",
    help: "A host that a pack may also download from.",
  },
} as const satisfies Options;

export interface PackRequest {
  side?: string | undefined;
  optional: readonly string[];
  "allow-host": readonly string[];
  "dry-run": boolean;
  yes: boolean;
}

type Needed = Pick<Context, "terminal" | "signal" | "connect"> & { options: PackRequest };

interface Application {
  command: string;
  setup: Setup;
  /** Brings files back that the user has removed. */
  isRestored?: boolean;
  nothing: string;
}

export async function applyPack(
  context: Needed,
  folder: OpenFolder,
  { path, origin, channel }: FoundPack,
  { command, setup, isRestored = false, nothing }: Application,
): Promise<Answer> {
  const { options, signal } = context;
  const before = folder.lock?.pack;
  const side = readSide(options.side) ?? before?.side ?? "client";
  const pack = await openPack(path, side);
  try {
    checkInstance(folder, pack, origin?.project);
    const { wanted, optional, notes } = choose(pack, options.optional, before?.optional);
    const { files: found } = await scanPaths(
      folder.places.folder,
      [...wanted, ...(before?.files ?? [])].map((file) => file.path),
    );
    await settle(folder.places.folder, wanted, found);
    const name = origin?.slug ?? before?.slug ?? pack.name;
    const { rows, takes, puts, toLocked } = planPack({
      ...{ folder: folder.places.folder, pack: name, before: before?.files ?? [], wanted, found, isRestored },
    });
    const registry = findRegistry(folder);
    const fetcher = new Fetcher(context, registry, options["allow-host"]);
    await fetcher.check(
      puts.map(({ file }) => file),
      signal,
    );
    const { project, slug, version } = origin ?? { ...before, version: undefined };
    const { format, number, requires, sha512 } = pack;
    const next: Omit<LockedPack, "files"> = {
      ...{ project, slug, version, name: pack.name, number, format, sha512, side, optional, requires },
    };
    return await offer(context, folder, {
      ...{ command, rows, takes, nothing, shown: summarize(rows) },
      facts: { pack: { name, from: before?.number ?? null, to: number, channel: channel ?? null, side, requires } },
      notes: [toHeading(name, before?.number, next), ...notes],
      puts: puts.map(({ file, isDisabled }) => ({
        ...{ name: file.path, size: file.size ?? 0, isDisabled, isLocal: file.read !== undefined },
        bring: (path, transfer) => fetcher.bring(file, path, transfer),
      })),
      lock: (arrived) => ({
        host: registry ? folder.host : undefined,
        setup,
        pack: { ...next, files: toLocked(arrived) },
        projects: folder.lock?.projects ?? [],
      }),
    });
  } finally {
    await pack.close();
  }
}

export function readSide(text: string | undefined): Side | undefined {
  const found = sides.find((side) => side === text);
  if (found || text === undefined) return found;
  throw new Failure(`There is no side "${text}".`, { advice: `Use one of: ${sides.join(", ")}`, code: "usage" });
}

/** An instance holds one pack, and a folder of mods none. */
function checkInstance({ lock, places }: OpenFolder, { name }: Pack, project: string | undefined): void {
  if (!lock) return;
  if (!lock.pack)
    throw conflict(
      `${places.folder} is a folder of add-ons, with a lock file of its own.`,
      "Install the pack into another folder, such as the one around it.",
      "notAnInstance",
    );
  const isSame = project && lock.pack.project ? lock.pack.project === project : lock.pack.name === name;
  if (!isSame)
    throw conflict(
      `This folder holds another pack, ${lock.pack.slug ?? lock.pack.name}.`,
      "Use another folder, or remove that pack first with: shelf remove",
      "otherPack",
    );
}

/** The files without the optional ones that the user does not want. The choice is remembered by what stays the same. */
function choose(pack: Pack, named: readonly string[], before: OptionalChoice | undefined) {
  const offered = pack.files.filter(({ choice }) => choice);
  const chosen = named.length === 0 ? before : readChoice(offered, named);
  const isWanted = ({ id, choice }: PackFile) =>
    !choice ||
    (chosen === undefined ? choice.isDefault : chosen === "all" || (chosen !== "none" && chosen.includes(id)));
  const left = offered.filter((file) => !isWanted(file)).map(({ choice }) => choice!.name);
  const notes = left.length > 0 ? [`Optional, and left out: ${left.join(", ")}. Choose with --optional.`] : [];
  return { wanted: pack.files.filter(isWanted), optional: chosen, notes };
}

function readChoice(offered: readonly PackFile[], named: readonly string[]): OptionalChoice {
  if (named.length === 1 && (named[0] === "all" || named[0] === "none")) return named[0];
  return named.map((text) => {
    const wanted = text.toLowerCase();
    const found = offered.find(({ path, choice }) =>
      [path, choice!.name, path.split("/").at(-1)!, toId(path, []).split("/").at(-1)!].some(
        (name) => name.toLowerCase() === wanted,
      ),
    );
    if (found) return found.id;
    const names = offered.map(({ choice }) => choice!.name);
    throw new Failure(`The pack has no optional file "${text}".`, {
      advice: names.length > 0 ? `It has these: ${names.join(", ")}` : "It has none.",
      exitCode: exitCodes.notFound,
      code: "noSuchOption",
    });
  });
}

/** Where the pack has another kind of hash, files that are there are compared by that. */
async function settle(
  folder: string,
  wanted: readonly PackFile[],
  found: readonly { name: string; plainName: string; sha512: string }[],
): Promise<void> {
  const byPath = new Map(wanted.filter(({ hashes }) => !hashes.sha512).map(({ path, hashes }) => [path, hashes]));
  for (const { name, plainName, sha512 } of found) {
    const hashes = byPath.get(plainName);
    if (!hashes) continue;
    const [[algorithm, hash]] = Object.entries(hashes) as [[Algorithm, string]];
    const { hashes: actual } = await digest(createReadStream(join(folder, name)), [algorithm]);
    if (actual[algorithm] === hash) hashes.sha512 = sha512;
  }
}

function toHeading(
  name: string,
  from: string | undefined,
  { number, side, requires }: Omit<LockedPack, "files">,
): string {
  const needs = Object.entries(requires).map((pair) => pair.join(" "));
  const versions = from === undefined || from === number ? number : `${from} → ${number}`;
  return `${name} ${versions}, for the ${side}${needs.length > 0 ? ` (${needs.join(", ")})` : ""}`;
}

/** So many files of one folder are listed one by one. Those that the user keeps always are. */
const maxListed: Partial<Record<Row["change"], number>> = { add: 10, update: 50, remove: 50 };

/** The same change of many files in a folder is one line. */
function summarize(rows: readonly Row[]): string[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const { path = "", change } = row;
    const key = `${change} ${path.includes("/") ? path.slice(0, path.indexOf("/") + 1) : path}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key)!.push(row);
  }
  const isMany = ({ length, 0: first }: Row[]) => length > (maxListed[first!.change] ?? Infinity);
  const all = [...groups].map(([key, group]) => {
    if (!isMany(group)) return group;
    const [first] = group as [Row];
    const size = group.some((row) => row.size !== null) ? group.reduce((sum, row) => sum + (row.size ?? 0), 0) : null;
    return [{ ...first, path: key.slice(key.indexOf(" ") + 1), size, why: countOf(group.length, "file") }];
  });
  return toLines(all.flat());
}
