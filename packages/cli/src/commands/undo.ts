// `shelf undo`: takes the last change of a folder back. Again, it takes back the one before.
import { join } from "node:path";
import { defineCommand } from "#shelf/command.js";
import { exitCodes, Failure } from "#shelf/failures.js";
import { countOf } from "#shelf/figures.js";
import {
  type Change,
  carryOut,
  inTheWay,
  listChanges,
  nextNumber,
  type Places,
  type Step,
  trashFor,
} from "#shelf/folder/changes.js";
import { find, hashFile } from "#shelf/folder/files.js";
import { lockName } from "#shelf/folder/lock-file.js";
import { folderOption, readFolder, withFolder } from "#shelf/folder/open-folder.js";
import { toTable } from "#shelf/terminal.js";

export const undo = defineCommand({
  name: "undo",
  usage: "[DIR]",
  summary: "Take back the last change of a folder.",
  details: [
    "Files return from .shelf/trash, and files that were added go there. Each further undo goes back one more.",
  ],
  options: { dir: folderOption, "dry-run": { type: "boolean", help: "Show what would happen, and change nothing." } },
  words: [0, 1],
  run: (context) =>
    withFolder(context, readFolder(context), { isChange: !context.options["dry-run"] }, async ({ places }) => {
      const [last, ...earlier] = await listChanges(places);
      if (!last)
        throw new Failure("There is no change to take back.", { exitCode: exitCodes.notFound, code: "nothingToUndo" });
      const change = await reverse(places, last);
      if (!context.options["dry-run"]) await carryOut(places, change);
      const files = change.steps.filter(({ name }) => name !== lockName);
      const data = {
        ...{ folder: places.folder, undone: last.command, isApplied: !context.options["dry-run"] },
        returned: files.filter(({ kind }) => kind === "put").map(({ name }) => name),
        removed: files.filter(({ kind }) => kind === "take").map(({ name }) => name),
        changesLeft: earlier.length,
      };
      const verb = context.options["dry-run"] ? "would be taken back" : "was taken back";
      return {
        data,
        lines: [
          `"shelf ${last.command}" ${verb}. ${countOf(earlier.length, "earlier change")} can be taken back.`,
          ...toTable(files.map(({ kind, name }) => [kind === "put" ? " +" : " -", name])),
        ],
      };
    }),
});

async function reverse(places: Places, { number: undoes, command, steps }: Change): Promise<Change> {
  const number = await nextNumber(places);
  const date = new Date().toISOString();
  const reversed: Step[] = [];
  for (const { kind, name, at, sha512 } of steps.toReversed()) {
    const path = join(places.folder, name);
    if (kind === "take") reversed.push({ kind: "put", name, at, sha512 });
    else if (await isStill(path, sha512))
      reversed.push({ kind: "take", name, at: `${trashFor(date, number)}/${name}`, sha512 });
  }
  const taken = new Set(reversed.filter(({ kind }) => kind === "take").map(({ name }) => name));
  for (const { kind, name, at } of reversed) {
    if (kind === "take") continue;
    if (!find(join(places.own, at)))
      throw new Failure(`${name} is no longer in the trash.`, {
        advice: `It was ${join(places.own, at)}. Install it again with: shelf install`,
        exitCode: exitCodes.notFound,
        code: "trashEmptied",
      });
    const path = join(places.folder, name);
    if (!taken.has(name) && find(path)) throw inTheWay(path);
  }
  return { number, date, command: `undo of ${command}`, steps: reversed, undoes };
}

/** Whether the file is there. A file that was changed since then belongs to the user. */
async function isStill(path: string, sha512: string): Promise<boolean> {
  const found = find(path);
  if (!found) return false;
  if (found.isFile() && (await hashFile(path)).sha512 === sha512) return true;
  throw new Failure(`${path} was changed since, so it is not removed.`, {
    advice: "Move it away, and try again.",
    exitCode: exitCodes.conflict,
    code: "fileChanged",
  });
}
