// `shelf list` and `shelf verify` of an instance that holds a pack.
import type { Answer } from "#shelf/command.js";
import { countOf } from "#shelf/figures.js";
import { isAddOn } from "#shelf/folder/instance.js";
import type { OpenFolder } from "#shelf/folder/open-folder.js";
import { findSlugs, survey } from "#shelf/folder/survey.js";
import { dim, toTable } from "#shelf/terminal.js";
import { findRegistry } from "./find-pack.js";
import type { LockedFile, LockedPack } from "./locked-pack.js";

export interface Verified {
  file: string;
  state: "ok" | "changed" | "unknown" | "yanked" | "missing";
  version: string | null;
  why: string | null;
}

/** All files of the pack. Those of the user are not part of it. */
export function verifyPack({ files }: OpenFolder, pack: LockedPack): Verified[] {
  const found = new Map(files.map((file) => [file.plainName, file]));
  return pack.files.map(({ path, sha512 }): Verified => {
    const file = found.get(path);
    const row = { file: file?.name ?? path, version: null };
    if (!file) return { ...row, state: "missing", why: "shelf install brings it back" };
    return file.sha512 === sha512
      ? { ...row, state: "ok", why: file.isDisabled ? "disabled" : null }
      : { ...row, state: "changed", why: "it is not the file of the pack" };
  });
}

/** The files in the folders with mods. Only those that are not of the pack are asked for. */
export async function listInstance(folder: OpenFolder, pack: LockedPack, signal: AbortSignal): Promise<Answer> {
  const locked = new Map(pack.files.map((one) => [one.path, one]));
  const own = folder.files.filter(({ plainName }) => !locked.has(plainName));
  const registry = own.length > 0 ? findRegistry(folder) : undefined;
  const known = registry ? await survey({ registry, files: own }, signal) : [];
  const ids = known.map(({ version }) => version.projectId);
  const slugOf = known.length > 0 ? await findSlugs(folder, ids, signal) : String;
  const name = pack.slug ?? pack.name;
  const rows = folder.files.map(({ name: file, plainName, sha512, isDisabled }) => {
    const entry = locked.get(plainName);
    const version = known.find((one) => one.name === file)?.version;
    return {
      ...{ file, project: version ? slugOf(version.projectId) : null, version: version?.versionNumber ?? null },
      ...{ isPinned: false, isDisabled, isDependency: false, pack: entry ? name : null },
      ...{ source: entry?.source ?? null, isChanged: entry !== undefined && entry.sha512 !== sha512 },
    };
  });
  const isSetting = (one: LockedFile | undefined) => one !== undefined && !isAddOn(one);
  const shown = rows.filter((_, n) => !isSetting(locked.get(folder.files[n]!.plainName)));
  const others = rows.length - shown.length;
  const { host, setup } = folder.lock!;
  const { files: _, ...facts } = pack;
  return {
    data: { folder: folder.places.folder, host, setup, pack: facts, files: rows },
    lines: [
      `${name} ${pack.number}, for the ${pack.side}`,
      ...toTable(
        shown.map(({ file, project, version, isDisabled, isChanged, pack }) => [
          pack === null ? (project ?? dim("unknown")) : name,
          version ?? "",
          file,
          [isChanged && "changed", isDisabled && "disabled"].filter(Boolean).join(", "),
        ]),
      ),
      ...(others > 0 ? [`and ${countOf(others, "further file")} of the pack, such as settings`] : []),
    ],
  };
}
