// Finds the projects that may have a file with a given hash: through the index in memory, or in the database while the
// index is not ready or a change of the file was not read yet. Whether a project still has the file is for its versions
// to say.
import { type HashAlgorithm, selectProjectsByFile } from "#content/hashes/file-projects.js";
import { hashIndexOf } from "#content/hashes/hash-index.js";
import type { VersionEntry } from "#content/versions/entries.js";
import type { Resources } from "#platform/http/resources.js";

const forms: Record<HashAlgorithm, RegExp> = { sha1: /^[0-9a-f]{40}$/i, sha512: /^[0-9a-f]{128}$/i };

/** Ids of projects, if the database is not needed. The hash has the right length and may be in any case. */
export function peekProjectsByFile(resources: Resources, hash: string): readonly string[] | undefined {
  const index = hashIndexOf(resources);
  const numbers = index.projectsWith(hash);
  return numbers?.map((number) => index.idOf(number));
}

/** Ids of projects by hash as given; malformed and unknown hashes are left out. One statement at most. */
export async function findProjectsByFile(
  resources: Resources,
  algorithm: HashAlgorithm,
  hashes: Iterable<string>,
): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  const unsure: string[] = [];
  for (const hash of new Set(hashes)) {
    if (!forms[algorithm].test(hash)) continue;
    const known = peekProjectsByFile(resources, hash);
    if (!known) unsure.push(hash);
    else if (known.length > 0) found.set(hash, known);
  }
  if (unsure.length === 0) return found;
  const wanted = new Set(unsure.map((hash) => hash.toLowerCase()));
  const selected = await selectProjectsByFile(resources.db, algorithm, [...wanted]);
  for (const hash of unsure) {
    const ids = selected.get(hash.toLowerCase());
    if (ids) found.set(hash, [...ids]);
  }
  return found;
}

const filesOf = new WeakMap<readonly VersionEntry[], Map<string, VersionEntry[]>>();

/** The versions of a project that have this file (lower-case hex of either algorithm), newest first. */
export function versionsWithFile(versions: readonly VersionEntry[], hash: string): readonly VersionEntry[] {
  let files = filesOf.get(versions);
  if (!files) {
    files = new Map();
    for (const version of versions)
      for (const { sha1, sha512 } of version.files)
        for (const key of [sha1, sha512]) {
          const known = files.get(key);
          if (!known) files.set(key, [version]);
          else if (known.at(-1) !== version) known.push(version);
        }
    filesOf.set(versions, files);
  }
  return files.get(hash) ?? [];
}

/** The order of look-ups: a file in several versions belongs to the newest visible one. */
export const isNewer = (version: VersionEntry, than: VersionEntry): boolean =>
  version.datePublished > than.datePublished || (version.datePublished === than.datePublished && version.id < than.id);
