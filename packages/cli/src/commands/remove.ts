// `shelf remove`: moves the files of projects to the trash, with dependencies that nothing else needs.
import { defineCommand } from "#shelf/command.js";
import { offer } from "#shelf/folder/offer.js";
import { changeOptions, folderOption, type OpenFolder, withFolder } from "#shelf/folder/open-folder.js";
import type { Row } from "#shelf/folder/plan.js";
import { findSlugs, getProject, type KnownFile, survey, usable } from "#shelf/folder/survey.js";
import { removeFromPack } from "#shelf/packs/remove-pack.js";

export const remove = defineCommand({
  name: "remove",
  usage: "PROJECT... [-d DIR]",
  summary: "Remove projects from a folder, with dependencies that nothing else needs, or its pack.",
  details: ["The files go to .shelf/trash, and shelf undo brings them back."],
  options: { dir: folderOption, ...changeOptions },
  words: [1, 200],
  run: (context) =>
    withFolder(context, context.options.dir ?? ".", { isChange: !context.options["dry-run"] }, async (folder) => {
      const { words, signal } = context;
      if (folder.lock?.pack) return removeFromPack(context, folder, folder.lock.pack);
      const known = await survey(folder, signal);
      const projects = await listProjects(folder, known, signal);
      return usable(() => {
        const named = new Set(words.map((ref) => getProject(projects, ref)));
        const { unneeded, needing } = follow(projects, named);
        const toRow = ({ slug, number, files }: Project, why: string | null): Row => ({
          ...{ change: "remove", project: slug, from: number, to: null, channel: null, size: null },
          why: [why, files.length === 0 ? "its file is missing" : ""].filter(Boolean).join(", ") || null,
        });
        const gone = [...named, ...unneeded];
        const lock = folder.lock && {
          ...folder.lock,
          host: folder.host,
          projects: folder.lock.projects.filter(({ project }) => !gone.some(({ id }) => id === project)),
        };
        return offer(context, folder, {
          command: `remove ${words.join(" ")}`,
          rows: [
            ...[...named].map((one) => toRow(one, needing.has(one) ? `still required by ${needing.get(one)}` : null)),
            ...unneeded.map((one) => toRow(one, "nothing else needs it")),
          ],
          takes: gone.flatMap(({ files }) => files),
          puts: [],
          lock: lock && (() => lock),
          nothing: "Nothing was removed.",
        });
      });
    }),
});

interface Project {
  id: string;
  slug: string;
  number: string;
  names: string[];
  files: KnownFile[];
  requires: string[];
  /** The user asked for it. */
  isWanted: boolean;
}

/** The projects of the folder and of its lock file, whose files may be missing. */
async function listProjects(folder: OpenFolder, known: readonly KnownFile[], signal: AbortSignal): Promise<Project[]> {
  const entries = new Map(folder.lock?.projects.map((one) => [one.project, one]));
  const slugOf = await findSlugs(
    folder,
    known.map(({ version }) => version.projectId),
    signal,
  );
  const ids = new Set([...entries.keys(), ...known.map(({ version }) => version.projectId)]);
  return usable(() =>
    [...ids].map((id) => {
      const files = known.filter(({ version }) => version.projectId === id);
      const entry = entries.get(id);
      const needs = files.flatMap(({ version }) => version.dependencies);
      return {
        ...{ id, slug: slugOf(id), number: files[0]?.version.versionNumber ?? entry?.number ?? "", files },
        names: files.map(({ name }) => name),
        requires: needs.filter(({ dependencyType }) => dependencyType === "required").map(({ projectId }) => projectId),
        isWanted: entry?.wanted ?? true,
      };
    }),
  );
}

/** Dependencies that are needed only by projects that go, and the projects that stay but need one that goes. */
function follow(projects: readonly Project[], named: ReadonlySet<Project>) {
  const byId = new Map(projects.map((one) => [one.id, one]));
  const needed = new Set(projects.filter((one) => one.isWanted && !named.has(one)));
  for (const { requires } of needed)
    for (const id of requires) {
      const one = byId.get(id);
      if (one && !named.has(one)) needed.add(one);
    }
  // Dependencies of projects that stay were not needed before either, unless a project that goes leads to them.
  const led = new Set(named);
  for (const { requires } of led)
    for (const id of requires) {
      const one = byId.get(id);
      if (one && !one.isWanted && !needed.has(one)) led.add(one);
    }
  const needing = new Map(
    [...named].flatMap((one): [Project, string][] => {
      const by = [...needed].filter(({ requires }) => requires.includes(one.id)).map(({ slug }) => slug);
      return by.length > 0 ? [[one, by.join(", ")]] : [];
    }),
  );
  return { unneeded: [...led].filter((one) => !named.has(one)), needing };
}
