// `shelf remove` in an instance: the pack with everything that it brought and is unchanged, or single files of it.
import { basename } from "node:path";
import type { Context } from "#shelf/command.js";
import { exitCodes, Failure } from "#shelf/failures.js";
import { offer } from "#shelf/folder/offer.js";
import type { OpenFolder } from "#shelf/folder/open-folder.js";
import type { Row } from "#shelf/folder/plan.js";
import type { LockedPack } from "./locked-pack.js";
import { toId } from "./pack.js";
import { planPack } from "./plan-pack.js";

type RemoveContext = Pick<Context, "terminal" | "signal" | "words"> & { options: { "dry-run": boolean; yes: boolean } };

export function removeFromPack(context: RemoveContext, folder: OpenFolder, pack: LockedPack) {
  const { words } = context;
  const name = pack.slug ?? pack.name;
  const command = `remove ${words.join(" ")}`;
  const isPack = (word: string) =>
    [name, pack.name, pack.project].some((one) => one?.toLowerCase() === word.toLowerCase());
  if (words.some(isPack)) {
    const { rows, takes } = planPack({
      ...{ folder: folder.places.folder, pack: name, before: pack.files, wanted: [], found: folder.files },
      isRestored: false,
    });
    return offer(context, folder, {
      ...{ command, rows, takes, puts: [], lock: () => undefined, nothing: `${name} is removed.` },
    });
  }
  const paths = words.map((word) => getPath(pack, word));
  const takes = folder.files.filter(({ plainName }) => paths.includes(plainName));
  const rows = takes.map(
    ({ name: path }): Row => ({
      ...{ change: "remove", project: name, path, from: null, to: null, channel: null, size: null },
      why: "updates of the pack leave it out",
    }),
  );
  // The lock file still names them, which is how the next update knows that they are not wanted.
  return offer(context, folder, {
    ...{ command, rows, takes, puts: [], lock: undefined, nothing: "Nothing was removed." },
  });
}

/** A file of the pack, named by its path, its name, or its name without the version. */
function getPath({ name, files }: LockedPack, word: string): string {
  const wanted = word.toLowerCase();
  const found = files.find(({ path }) =>
    [path, basename(path), basename(toId(path, []))].some((one) => one.toLowerCase() === wanted),
  );
  if (found) return found.path;
  throw new Failure(`${word} is neither the pack ${name} nor a file of it.`, {
    advice: "See its content with: shelf list",
    exitCode: exitCodes.notFound,
    code: "notInstalled",
  });
}
