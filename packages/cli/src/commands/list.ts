// `shelf list`: the content of a folder. Files of the lock file are known without asking the registry.
import { defineCommand } from "#shelf/command.js";
import { folderOption, readFolder, withFolder } from "#shelf/folder/open-folder.js";
import { findSlugs, survey } from "#shelf/folder/survey.js";
import { listInstance } from "#shelf/packs/look-at-instance.js";
import { dim, toTable } from "#shelf/terminal.js";

export const list = defineCommand({
  name: "list",
  usage: "[DIR]",
  summary: "List the files of a folder with their projects and versions.",
  options: { dir: folderOption },
  words: [0, 1],
  run: (context) =>
    withFolder(context, readFolder(context), { isChange: false }, async (folder) => {
      const { signal } = context;
      if (folder.lock?.pack) return listInstance(folder, folder.lock.pack, signal);
      const locked = new Map(folder.lock?.projects.map((one) => [one.sha512, one]));
      const others = folder.files.filter(({ sha512 }) => !locked.has(sha512));
      const known = others.length === 0 ? [] : await survey({ registry: folder.registry, files: others }, signal);
      const slugOf =
        known.length === 0
          ? String
          : await findSlugs(
              folder,
              known.map(({ version }) => version.projectId),
              signal,
            );
      const rows = folder.files.map(({ name, sha512, isDisabled }) => {
        const entry = locked.get(sha512);
        const version = known.find((one) => one.sha512 === sha512)?.version;
        return {
          file: name,
          project: entry?.slug ?? (version ? slugOf(version.projectId) : null),
          version: entry?.number ?? version?.versionNumber ?? null,
          isPinned: entry?.pinned ?? false,
          isDisabled,
          isDependency: entry?.wanted === false,
        };
      });
      const links = folder.links.map((name) => ({
        ...{ file: name, project: null, version: null, isPinned: false, isDisabled: false, isDependency: false },
      }));
      const all = [...rows, ...links];
      return {
        data: { folder: folder.places.folder, setup: folder.lock?.setup ?? null, files: all },
        lines:
          all.length === 0
            ? ["The folder is empty."]
            : toTable(
                all.map(({ file, project, version, isPinned, isDisabled, isDependency }) => [
                  project ?? dim("unknown"),
                  version ?? "",
                  file,
                  [isPinned && "pinned", isDisabled && "disabled", isDependency && "dependency"]
                    .filter(Boolean)
                    .join(", "),
                ]),
              ),
      };
    }),
});
