// `shelf update` and `shelf outdated`: newer versions of the files in a folder, whether or not it has a lock file.
import { type Context, defineCommand } from "#shelf/command.js";
import { exitCodes } from "#shelf/failures.js";
import { countOf } from "#shelf/figures.js";
import type { Setup } from "#shelf/folder/lock-file.js";
import { offer } from "#shelf/folder/offer.js";
import {
  changeOptions,
  folderOption,
  folderSetupOptions,
  type OpenFolder,
  readFolder,
  readSetup,
  toQuery,
  withFolder,
} from "#shelf/folder/open-folder.js";
import { isChange, nextLock, toEntry, toFiles, toLines } from "#shelf/folder/plan.js";
import { guessSetup, type KnownFile, survey } from "#shelf/folder/survey.js";
import { planUpdate, type UpdateChoice, type UpdatePlan } from "#shelf/folder/update-plan.js";
import { packOptions } from "#shelf/packs/apply-pack.js";
import { showPackUpdate, updatePack } from "#shelf/packs/update-pack.js";

const updateOptions = {
  dir: folderOption,
  ...folderSetupOptions,
  only: { type: "string", multiple: true, value: "PROJECT", help: "Update only this project, and what it needs." },
  pin: { type: "string", multiple: true, value: "PROJECT", help: "Keep this project in its version from now on." },
  unpin: { type: "string", multiple: true, value: "PROJECT", help: "Update this project again." },
  ...packOptions,
  ...changeOptions,
} as const;

export const update = defineCommand({
  name: "update",
  usage: "[DIR] [--only PROJECT] [--pin PROJECT] [--channel CHANNEL]",
  summary: "Update the files of a folder, or its pack.",
  details: [
    "The pack of a folder is updated as a whole; files that you have changed, disabled or removed stay so.",
    "Unknown files are left alone. Replaced files go to .shelf/trash, and shelf undo brings them back.",
  ],
  options: updateOptions,
  words: [0, 1],
  run: (context) =>
    withFolder(context, readFolder(context), { isChange: !context.options["dry-run"] }, async (folder) => {
      const { only, pin, unpin } = context.options;
      if (folder.lock?.pack) return updatePack(context, folder, folder.lock.pack);
      const { plan, setup, notes } = await look(context, folder, { only, pin, unpin });
      const needsLock = folder.lock !== undefined || pin.length > 0;
      return offer(context, folder, {
        ...{ command: "update", notes, rows: plan.rows, ...toFiles(folder, plan.arrivals) },
        lock: needsLock ? () => nextLock(folder, setup, toPresent(plan)) : undefined,
        nothing: "Everything is up to date.",
      });
    }),
});

export const outdated = defineCommand({
  name: "outdated",
  usage: "[DIR] [--channel CHANNEL]",
  summary: "Show the updates for a folder, and change nothing. The exit code is 2 if there are any.",
  options: { dir: folderOption, ...folderSetupOptions },
  words: [0, 1],
  run: (context) =>
    withFolder(context, readFolder(context), { isChange: false }, async (folder) => {
      if (folder.lock?.pack) return showPackUpdate(context, folder, folder.lock.pack);
      const { plan, notes } = await look(context, folder, { only: [], pin: [], unpin: [] });
      const { rows } = plan;
      const isOutdated = rows.some(isChange);
      return {
        data: { folder: folder.places.folder, changes: rows },
        lines: [...notes, ...toLines(rows), ...(isOutdated ? [] : ["Everything is up to date."])],
        exitCode: isOutdated ? exitCodes.differences : exitCodes.ok,
      };
    }),
});

async function look(
  { options, signal }: Pick<Context<typeof folderSetupOptions>, "options" | "signal">,
  folder: OpenFolder,
  choice: UpdateChoice,
): Promise<{ plan: UpdatePlan; setup: Setup; notes: string[] }> {
  const known = await survey(folder, signal);
  const asked = readSetup(folder, options);
  const guessed = asked.gameVersion || asked.loader ? {} : guessSetup(known);
  const setup = { ...asked, ...guessed };
  const { gameVersion, loader } = toQuery(guessed);
  const assumed = [gameVersion, loader].filter(Boolean).join(" and ");
  return {
    plan: await planUpdate(folder, known, setup, choice, signal),
    setup,
    notes: [
      toCount(folder, known),
      ...(assumed ? [`${assumed} is assumed, which all of them support. Choose another with -v and -l.`] : []),
    ],
  };
}

function toCount({ files, links }: OpenFolder, known: readonly KnownFile[]): string {
  const all = files.length + links.length;
  const unknown = all - known.length;
  return `${countOf(all, "file")}: ${known.length} known${unknown > 0 ? `, ${unknown} unknown (left alone)` : ""}`;
}

function toPresent({ installed, arrivals }: UpdatePlan) {
  const stay = installed.map(({ id, slug, current, file, isPinned: pinned }) => ({
    ...toEntry({ id, slug }, current, file.version.primaryFile, file),
    pinned,
  }));
  const come = arrivals.map(({ project, version, file, replaces }) => ({
    ...toEntry(project, version, file),
    ...(replaces.length === 0 && { wanted: false }),
  }));
  // A project that arrives has two entries; the later one counts.
  const pins = new Map(stay.map(({ project, pinned }) => [project, pinned]));
  return [...stay, ...come.map((one) => ({ ...one, pinned: pins.get(one.project) ?? false }))];
}
