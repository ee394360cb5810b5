// `shelf update` and `shelf outdated` of an instance that holds a pack: the newest version of the pack that fits.
import { NotFoundError, type ProjectVersionData } from "modshelf-client";
import type { Answer } from "#shelf/command.js";
import { exitCodes, Failure } from "#shelf/failures.js";
import type { OpenFolder } from "#shelf/folder/open-folder.js";
import { type Row, toLines } from "#shelf/folder/plan.js";
import { applyPack } from "./apply-pack.js";
import { findPackVersion, withDownload } from "./find-pack.js";
import { findOrigin, type PackContext, readPackSetup } from "./install-pack.js";
import type { LockedPack } from "./locked-pack.js";

const upToDate = "Everything is up to date.";

export async function updatePack(context: PackContext & { options: Selection }, folder: OpenFolder, pack: LockedPack) {
  const { only, pin, unpin } = context.options;
  if (only.length + pin.length + unpin.length > 0)
    throw new Failure("A pack is updated as a whole.", {
      advice: "To keep a file as it is, change or disable it: the update leaves it so.",
      code: "usage",
    });
  const next = await findNext(context, folder, pack);
  if (!next) {
    const facts = { folder: folder.places.folder, pack: toFacts(pack), changes: [], isApplied: false };
    return { data: facts, lines: [upToDate] };
  }
  const setup = readPackSetup(folder, context.options);
  return withDownload(context, folder, next, (found) =>
    applyPack(context, folder, found, { command: "update", setup, nothing: `The pack is ${next.versionNumber} now.` }),
  );
}

interface Selection {
  only: readonly string[];
  pin: readonly string[];
  unpin: readonly string[];
}

export async function showPackUpdate(
  context: Pick<PackContext, "signal"> & { options: Parameters<typeof readPackSetup>[1] },
  folder: OpenFolder,
  pack: LockedPack,
): Promise<Answer> {
  const next = await findNext(context, folder, pack);
  const rows: Row[] = next
    ? [
        {
          ...{ change: "update", project: pack.slug ?? pack.name, from: pack.number, to: next.versionNumber },
          ...{ channel: next.releaseChannel, size: next.primaryFile.size, why: null },
        },
      ]
    : [];
  return {
    data: { folder: folder.places.folder, pack: toFacts(pack), changes: rows },
    lines: next ? toLines(rows) : [upToDate],
    exitCode: next ? exitCodes.differences : exitCodes.ok,
  };
}

const toFacts = ({ name, slug, number, side }: LockedPack) => ({ name: slug ?? name, from: number, to: number, side });

/** Undefined if the pack is the newest one that fits. */
async function findNext(
  { options, signal }: Pick<PackContext, "signal"> & { options: Parameters<typeof readPackSetup>[1] },
  folder: OpenFolder,
  pack: LockedPack,
): Promise<ProjectVersionData | undefined> {
  const origin = await findOrigin(folder, pack, signal);
  if (!origin)
    throw new Failure(`The pack ${pack.name} came from a file, and no registry knows it.`, {
      advice: "Install the file of its new version: shelf install FILE DIR",
      exitCode: exitCodes.notFound,
      code: "packNotFound",
    });
  const { project, version } = origin;
  const newest = await findPackVersion(folder, { project }, readPackSetup(folder, options), signal);
  if (newest.id === version || newest.primaryFile.sha512_hash.toLowerCase() === pack.sha512) return undefined;
  const present =
    version &&
    (await folder.registry.versions.get(project, version, { signal }).catch((error) => {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }));
  // The user may have chosen a newer version of another channel.
  return present && Date.parse(present.datePublished) >= Date.parse(newest.datePublished) ? undefined : newest;
}
