// `shelf install`: puts projects into a folder with everything that they need, or the exact files of its lock file.
import { type Context, defineCommand } from "#shelf/command.js";
import { exitCodes, Failure } from "#shelf/failures.js";
import { offer } from "#shelf/folder/offer.js";
import {
  changeOptions,
  folderOption,
  folderSetupOptions,
  type OpenFolder,
  readSetup,
  toQuery,
  withFolder,
} from "#shelf/folder/open-folder.js";
import { type Arrival, nextLock, toArrivals, toEntry, toFailure, toFiles, toRow } from "#shelf/folder/plan.js";
import { installedHashes, type KnownFile, survey, usable } from "#shelf/folder/survey.js";
import { packOptions } from "#shelf/packs/apply-pack.js";
import { installPack, isPackInstall, isPackName, restorePack } from "#shelf/packs/install-pack.js";
import type { LockedPack } from "#shelf/packs/locked-pack.js";
import { readTarget } from "#shelf/targets.js";

const options = { dir: folderOption, ...folderSetupOptions, ...packOptions, ...changeOptions } as const;
type InstallContext = Context<typeof options>;

export const install = defineCommand({
  name: "install",
  usage: "[PROJECT[@VERSION]...] [-d DIR] [-v GAMEVERSION] [-l LOADER], or: PACK [DIR] --side client|server",
  summary: "Install projects with everything that they need, a pack, or the files of shelf.lock.",
  details: [
    "The game version, the loader and the channel are remembered in shelf.lock, so later commands need no options.",
    "Without projects, exactly the files of shelf.lock are installed.",
    "A pack is a project, an .mrpack file, or a folder of packwiz (also as ZIP). DIR is the folder of the game then, with mods in it.",
  ],
  options,
  words: [0, 200],
  async run(context) {
    const { words, options } = context;
    const isPack = await isPackInstall(words, options);
    return withFolder(
      context,
      (isPack ? words[1] : undefined) ?? options.dir ?? ".",
      { isChange: !options["dry-run"], mayBeNew: true },
      (folder) => {
        if (isPack) return installPack(context, folder);
        if (words.length === 0) return folder.lock?.pack ? restorePack(context, folder) : restore(context, folder);
        return installNamed(context, folder);
      },
    );
  },
});

async function installNamed(context: InstallContext, folder: OpenFolder) {
  const { words, signal, terminal } = context;
  if (folder.lock?.pack && words.length === 1 && isNamedPack(folder.lock.pack, words[0]!))
    return installPack(context, folder);
  refuseInInstance(folder);
  const setup = readSetup(folder, context.options);
  if (!setup.gameVersion && !setup.loader)
    terminal.note("No game version and no loader is set, so the newest versions are taken. Choose with -v and -l.");
  const named = words.map(readTarget);
  const known = await survey(folder, signal);
  const isNamed = (project: { id: string; slug: string }) =>
    named.some(({ project: ref }) => ref === project.id || ref.toLowerCase() === project.slug.toLowerCase());
  const present = new Set(known.map(({ version }) => version.projectId));
  const pinned = (folder.lock?.projects ?? [])
    .filter((one) => one.pinned && present.has(one.project) && !isNamed({ id: one.project, slug: one.slug }))
    .map(({ project, version }) => ({ project, version }));
  const plan = await folder.registry.resolve(
    { projects: [...named, ...pinned], installed: installedHashes(known), ...toQuery(setup) },
    { signal },
  );
  if (!plan.resolved) throw toFailure(plan.clash);
  const pack = usable(() => plan.files.find(({ project, file }) => isNamed(project) && isPackName(file.name)));
  if (pack && words.length === 1) return installPack(context, folder);
  if (pack)
    throw new Failure(`${pack.project.slug} is a pack, which is installed alone.`, {
      advice: `Install it with: shelf install ${pack.project.slug} DIR --side client`,
      code: "usage",
    });
  return usable(() => {
    const arrivals = toArrivals(plan.files, known);
    const present = plan.files.map(({ action, project, version, file }) => {
      const there = known.find(({ sha512 }) => sha512 === file.sha512_hash.toLowerCase());
      return {
        ...toEntry(project, version, file, there),
        ...(isNamed(project) ? { wanted: true } : action === "add" && { wanted: false }),
      };
    });
    return offer(context, folder, {
      ...{ command: `install ${words.join(" ")}`, rows: arrivals.map(toRow), ...toFiles(folder, arrivals) },
      lock: () => nextLock(folder, setup, present),
      nothing: "Everything is installed already.",
    });
  });
}

const isNamedPack = ({ project, slug }: LockedPack, word: string): boolean =>
  [project?.toLowerCase(), slug?.toLowerCase()].includes(readTarget(word).project.toLowerCase());

/** Mods of the user are in the same folder as those of the pack, which is a folder of add-ons by itself. */
function refuseInInstance({ lock, places }: OpenFolder): void {
  if (!lock?.pack) return;
  const name = lock.pack.slug ?? lock.pack.name;
  throw new Failure(`${places.folder} is the folder of a game, with the pack ${name}.`, {
    advice: "Install further mods into the folder of its mods, with: -d DIR/mods",
    exitCode: exitCodes.conflict,
    code: "isAnInstance",
  });
}

/** The files of the lock file, each in place of another version of its project. */
async function restore(context: InstallContext, folder: OpenFolder) {
  const { lock, files, registry } = folder;
  if (!lock)
    throw new Failure("There is no shelf.lock in this folder, and no project was named.", {
      advice: "Name projects: shelf install better-grass",
      code: "usage",
    });
  const isThere = ({ sha512 }: { sha512: string }) => files.some((file) => file.sha512 === sha512);
  const missing = lock.projects.filter((one) => !isThere(one));
  const versions =
    missing.length === 0
      ? {}
      : await registry.files.identify(
          [...missing, ...files].map(({ sha512 }) => sha512),
          { signal: context.signal },
        );
  return usable(() => {
    const known = files.flatMap((file): KnownFile[] => {
      const version = versions[file.sha512];
      return version ? [{ ...file, version, isPrimary: true }] : [];
    });
    const arrivals = missing.map(({ project, slug, sha512, file: name }): Arrival => {
      const version = versions[sha512];
      const file = version?.files.find(({ sha512_hash }) => sha512_hash.toLowerCase() === sha512);
      if (!version || !file)
        throw new Failure(`${folder.host} does not have the file ${name} of ${slug} any more.`, {
          advice: `Choose another version with: shelf install ${slug}`,
          exitCode: exitCodes.notFound,
          code: "fileNotFound",
        });
      const replaces = known.filter((one) => one.version.projectId === project);
      return { project: { id: project, slug }, version, file: { ...file, name }, replaces };
    });
    return offer(context, folder, {
      ...{ command: "install", rows: arrivals.map(toRow), ...toFiles(folder, arrivals) },
      lock: () => ({ ...lock, host: folder.host, setup: readSetup(folder, context.options) }),
      nothing: "All files of shelf.lock are here.",
    });
  });
}
