// What a command would change in a folder: the rows that the user sees, and the work that follows from them.
import { basename, dirname } from "node:path";
import { type Clash, type PlannedFile, safeFileName, type VersionFile } from "modshelf-client";
import { saveFile } from "modshelf-client/node";
import { exitCodes, Failure } from "#shelf/failures.js";
import { countOf, toSize } from "#shelf/figures.js";
import { green, toTable, yellow } from "#shelf/terminal.js";
import type { FoundFile } from "./files.js";
import { checkName, type Lock, type LockedProject, type Setup } from "./lock-file.js";
import type { OpenFolder } from "./open-folder.js";
import type { NewFile } from "./perform.js";
import type { KnownFile } from "./survey.js";

/** A version that comes into the folder, for files that leave it. */
export interface Arrival {
  project: { id: string; slug: string };
  version: { id: string; versionNumber: string; releaseChannel: string };
  file: VersionFile;
  replaces: KnownFile[];
  why?: string | undefined;
}

export interface Row {
  change: "update" | "add" | "restore" | "remove" | "skip" | "hold" | "pinned" | "keep";
  project: string;
  /** The file of a pack that it is about. */
  path?: string;
  from: string | null;
  to: string | null;
  channel: string | null;
  size: number | null;
  why: string | null;
}

const marks: Partial<Record<Row["change"], string>> = { add: green("+"), restore: green("+"), remove: yellow("-") };

export const toLines = (rows: readonly Row[]): string[] =>
  toTable(
    rows.map(({ change, project, path, from, to, channel, size, why }) => [
      ` ${marks[change] ?? " "} ${path ?? project}`,
      from ?? "",
      to === null ? "" : `→ ${to}`,
      channel ?? "",
      [size === null ? "" : toSize(size), why ?? ""].filter(Boolean).join("  "),
    ]),
  );

/** The question about all rows, such as "Apply 1 update and 1 new file (2.0 MB)?" */
export function toQuestion(rows: readonly Row[]): string {
  const count = (...changes: Row["change"][]) => rows.filter(({ change }) => changes.includes(change)).length;
  const parts = (
    [
      [count("update"), "update"],
      [count("add", "restore"), "new file"],
      [count("remove"), "removal"],
    ] as const
  )
    .filter(([number]) => number > 0)
    .map(([number, noun]) => countOf(number, noun));
  const bytes = rows.reduce((sum, { size }) => sum + (size ?? 0), 0);
  return `Apply ${parts.join(" and ")}${bytes > 0 ? ` (${toSize(bytes)})` : ""}?`;
}

export const isChange = ({ change }: Row): boolean => ["update", "add", "restore", "remove"].includes(change);

export const toRow = ({ project, version, file, replaces: [old], why = "" }: Arrival): Row => ({
  change: old ? "update" : "add",
  project: project.slug,
  from: old?.version.versionNumber ?? null,
  to: version.versionNumber,
  channel: version.releaseChannel,
  size: file.size,
  why: why || null,
});

/** The files that leave and come. A file that is there already is not downloaded. */
export function toFiles(folder: OpenFolder, arrivals: readonly Arrival[]): { takes: KnownFile[]; puts: NewFile[] } {
  const takes: KnownFile[] = [];
  const puts: NewFile[] = [];
  for (const { file, replaces } of arrivals) {
    takes.push(...replaces);
    if (folder.files.some(({ sha512 }) => sha512 === file.sha512_hash.toLowerCase())) continue;
    puts.push({
      ...{ name: checkName(file.name), size: file.size },
      isDisabled: replaces.length > 0 && replaces.every(({ isDisabled }) => isDisabled),
      async bring(path, options) {
        const save = { name: basename(path), replace: true, resume: true, ...options };
        await saveFile(folder.registry, file, dirname(path), save);
        return file.sha512_hash.toLowerCase();
      },
    });
  }
  return { takes, puts };
}

export const toArrivals = (planned: readonly PlannedFile[], known: readonly KnownFile[]): Arrival[] =>
  planned
    .filter(({ action }) => action !== "keep")
    .map(({ project, version, file, reasons, replaces }) => {
      const hashes = new Set(replaces.map(({ hash }) => hash.toLowerCase()));
      const needing = reasons.filter(({ kind }) => kind === "required");
      const isWanted = reasons.some(({ kind }) => kind !== "required");
      const by = needing.map(({ projectSlug, versionNumber }) => `${projectSlug} ${versionNumber}`).join(", ");
      return {
        ...{ project, version, file },
        replaces: known.filter(({ sha512, isPrimary }) => isPrimary && hashes.has(sha512)),
        why: isWanted || by === "" ? undefined : `required by ${by}`,
      };
    });

/** The entry of a project in the lock file, for a file of the folder or, without one, for a file of the registry. */
export const toEntry = (
  { id, slug }: Arrival["project"],
  version: { id: string; versionNumber: string },
  file: VersionFile,
  there?: FoundFile,
): Omit<LockedProject, "pinned" | "wanted"> => ({
  ...{ project: id, slug, version: version.id, number: version.versionNumber },
  // The user may have given a name that other systems do not have.
  ...{ file: there && isSafe(there.plainName) ? there.plainName : file.name },
  sha512: there?.sha512 ?? file.sha512_hash.toLowerCase(),
});

function isSafe(name: string): boolean {
  try {
    return safeFileName(name) === name;
  } catch {
    return false;
  }
}

/** The next lock: `present` are the projects of the folder, and those that were not named before are wanted. */
export function nextLock(
  { lock, host }: OpenFolder,
  setup: Setup,
  present: readonly (Omit<LockedProject, "pinned" | "wanted"> & { pinned?: boolean; wanted?: boolean })[],
): Lock {
  const before = new Map(lock?.projects.map((one) => [one.project, one]));
  for (const one of present) {
    const { pinned = false, wanted = true } = before.get(one.project) ?? {};
    before.set(one.project, { ...one, pinned: one.pinned ?? pinned, wanted: one.wanted ?? wanted });
  }
  return { host, setup, projects: [...before.values()] };
}

/** Why the registry finds no plan. */
export function toFailure(clash: Clash | null): Failure {
  const reasons = clash?.reasons ?? [];
  const sentences = [...new Set(reasons.map(({ message }) => message))].map((text) => text.replace(/[^.]$/, "$&."));
  const isChannel = reasons.some(({ missing }) => missing === "releaseChannel");
  return new Failure(`There is no combination that fits. ${sentences.join(" ")}`.trim(), {
    advice: isChannel
      ? "Other channels are included with --channel beta, alpha or dev."
      : "Ask for another version (PROJECT@VERSION), game version (-v) or loader (-l).",
    exitCode: exitCodes.conflict,
    code: "clash",
  });
}
