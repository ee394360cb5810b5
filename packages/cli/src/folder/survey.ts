// Asks the registry about the files of a folder by their hashes, and finds projects among them as users name them.
import { InvalidAnswerError, type ProjectVersionData } from "modshelf-client";
import { exitCodes, Failure } from "#shelf/failures.js";
import type { FoundFile } from "./files.js";
import type { Setup } from "./lock-file.js";
import type { OpenFolder } from "./open-folder.js";

/** A file of the folder that the registry knows. */
export interface KnownFile extends FoundFile {
  version: ProjectVersionData;
  /** The file that players install. Additional files, such as sources, are left alone. */
  isPrimary: boolean;
}

/** The most that the server plans with. */
const maxInstalled = 1000;

export async function survey(
  { registry, files }: Pick<OpenFolder, "registry" | "files">,
  signal: AbortSignal,
): Promise<KnownFile[]> {
  if (files.length === 0) return [];
  const versions = await registry.files.identify(
    files.map(({ sha512 }) => sha512),
    { signal },
  );
  return usable(() =>
    files.flatMap((file) => {
      const version = versions[file.sha512];
      if (!version) return [];
      return [{ ...file, version, isPrimary: version.primaryFile.sha512_hash.toLowerCase() === file.sha512 }];
    }),
  );
}

/** The hashes to plan with. */
export function installedHashes(known: readonly KnownFile[]): string[] {
  const hashes = [...new Set(known.filter(({ isPrimary }) => isPrimary).map(({ sha512 }) => sha512))];
  if (hashes.length > maxInstalled)
    throw new Failure(`The folder has ${hashes.length} files of the registry, and a plan can have ${maxInstalled}.`, {
      code: "tooManyFiles",
    });
  return hashes;
}

/** Slugs of projects by their ids: from the lock file where it has them, otherwise from the registry. */
export async function findSlugs(
  { registry, lock }: Pick<OpenFolder, "registry" | "lock">,
  projectIds: Iterable<string>,
  signal: AbortSignal,
): Promise<(projectId: string) => string> {
  const slugs = new Map(lock?.projects.map(({ project, slug }) => [project, slug]));
  const missing = [...new Set(projectIds)].filter((id) => !slugs.has(id));
  for (const { id, slug } of missing.length > 0 ? await registry.projects.many(missing, { signal }) : [])
    slugs.set(id, slug);
  return (projectId) => slugs.get(projectId) ?? projectId;
}

/** The project with this slug, id or file name. */
export function getProject<T extends { id: string; slug: string; names: readonly string[] }>(
  projects: readonly T[],
  ref: string,
): T {
  const wanted = ref.toLowerCase();
  const found = projects.find(
    ({ id, slug, names }) =>
      [id, ...names].includes(ref) || slug.toLowerCase() === wanted || names.some((name) => name === `${ref}.disabled`),
  );
  if (found) return found;
  throw new Failure(`${ref} is not in this folder.`, {
    advice: "See its content with: shelf list",
    exitCode: exitCodes.notFound,
    code: "notInstalled",
  });
}

/** The game version and loader that all files support, if the user has named none. */
export function guessSetup(known: readonly KnownFile[]): Setup {
  const common = (pick: (version: ProjectVersionData) => readonly string[]) => {
    const lists = known.map(({ version }) => pick(version)).filter((list) => list.length > 0);
    return lists[0]?.filter((value) => lists.every((list) => list.includes(value))) ?? [];
  };
  const loaders = common(({ loaders }) => loaders);
  // Game versions are listed newest first.
  return {
    gameVersion: common(({ gameVersions }) => gameVersions)[0],
    loader: loaders.length === 1 ? loaders[0] : undefined,
  };
}

/** A registry can send anything; an answer of another shape must not look like a mistake of this program. */
export function usable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new InvalidAnswerError("The registry's answer does not have the agreed form.", undefined, error);
  }
}
