// `shelf install` of a pack: from the registry or from this computer, and again from shelf.lock.
import type { Answer, Context } from "#shelf/command.js";
import { exitCodes, Failure } from "#shelf/failures.js";
import type { Setup } from "#shelf/folder/lock-file.js";
import type { folderSetupOptions, OpenFolder } from "#shelf/folder/open-folder.js";
import { readChannel, readTarget } from "#shelf/targets.js";
import { applyPack, type PackRequest } from "./apply-pack.js";
import { findPackVersion, findRegistry, isFolderName, isLocalPack, withDownload } from "./find-pack.js";
import type { LockedPack } from "./locked-pack.js";

type SetupRequest = Record<keyof typeof folderSetupOptions, string | undefined>;
export type PackContext = Pick<Context, "terminal" | "signal" | "connect" | "words"> & {
  options: PackRequest & SetupRequest & { dir?: string | undefined };
};

/** The name of a file that can only be a pack. A ZIP can be anything, so there the user must say it. */
export const isPackName = (name: string): boolean => /\.mrpack$/i.test(name);

/** Whether the words are a pack and perhaps a folder, rather than projects. */
export async function isPackInstall(
  words: readonly string[],
  { side, optional, dir }: PackContext["options"],
): Promise<boolean> {
  const [first, second] = words;
  if (first === undefined) return false;
  const isPack =
    side !== undefined ||
    optional.length > 0 ||
    (await isLocalPack(first)) ||
    (words.length === 2 && dir === undefined && (await isFolderName(second!)));
  if (isPack && (words.length > 2 || (second !== undefined && dir !== undefined)))
    throw new Failure("A pack is installed alone, into one folder.", {
      advice: "Write it like this: shelf install PACK DIR --side client",
      code: "usage",
    });
  return isPack;
}

/** The setup that the user names or has named. A pack brings its own game version and loader. */
export const readPackSetup = ({ lock }: OpenFolder, options: SetupRequest): Setup => ({
  gameVersion: options["game-version"] ?? lock?.setup.gameVersion,
  loader: options.loader ?? lock?.setup.loader,
  channel: readChannel(options.channel) ?? lock?.setup.channel,
});

export async function installPack(context: PackContext, folder: OpenFolder): Promise<Answer> {
  const { words, options, signal } = context;
  const setup = readPackSetup(folder, options);
  const application = { command: `install ${words.join(" ")}`, setup, nothing: "The pack is installed already." };
  const [word = ""] = words;
  if (await isLocalPack(word)) return applyPack(context, folder, { path: word }, application);
  const version = await findPackVersion(folder, readTarget(word), setup, signal);
  return withDownload(context, folder, version, (found) => applyPack(context, folder, found, application));
}

/** Exactly the version of the lock file, with files that were removed since. */
export async function restorePack(context: PackContext, folder: OpenFolder): Promise<Answer> {
  const pack = folder.lock!.pack!;
  const { project, version: id } = (await findOrigin(folder, pack, context.signal)) ?? {};
  if (!project || !id)
    throw new Failure(`The pack ${pack.name} ${pack.number} came from a file, which is needed again.`, {
      advice: "Install it with: shelf install FILE DIR",
      exitCode: exitCodes.notFound,
      code: "packNotFound",
    });
  const version = await folder.registry.versions.get(project, id, { signal: context.signal });
  if (version.primaryFile.sha512_hash.toLowerCase() !== pack.sha512)
    throw new Failure(`${folder.host} has another file for ${pack.name} ${pack.number} than shelf.lock names.`, {
      advice: "Update the pack with: shelf update",
      exitCode: exitCodes.conflict,
      code: "otherFile",
    });
  return withDownload(context, folder, version, (found) =>
    applyPack(context, folder, found, {
      ...{ command: "install", setup: readPackSetup(folder, context.options), isRestored: true },
      nothing: "All files of the pack are here.",
    }),
  );
}

/** The project of the pack. The registry may know a pack that came from a file by its hash. */
export async function findOrigin(
  folder: OpenFolder,
  { project, version, sha512 }: LockedPack,
  signal: AbortSignal,
): Promise<{ project: string; version: string | undefined } | undefined> {
  if (project && version) return { project, version };
  const registry = findRegistry(folder);
  const known = registry && (await registry.files.identify([sha512], { signal }))[sha512];
  if (known) return { project: known.projectId, version: known.id };
  return project ? { project, version: undefined } : undefined;
}
