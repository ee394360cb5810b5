// Finds a file of a public version in its prepared project, without the database and without objects of other versions.

import type { SentFile } from "#content/downloads/send-file.js";
import { bareVersionAnswer } from "#content/records/prepared-answers.js";
import type { PreparedProject } from "#content/records/prepared-project.js";
import type { Version } from "#content/shapes/version.js";

/** `versionId` is an id, not a slug. Returns -1 if there is no such version. */
export function findPreparedVersion(project: PreparedProject, versionId: string): number {
  const ordinal = project.findVersion(versionId);
  return ordinal >= 0 && project.versionId(ordinal) === versionId ? ordinal : -1;
}

/** Throws if the project cannot be read. */
export function findPreparedFile(
  project: PreparedProject,
  ordinal: number,
  fileName: string,
): SentFile["file"] | undefined {
  if (ordinal < 0) return undefined;
  const { files }: Version = JSON.parse(bareVersionAnswer(project, ordinal, "byHash").bytes.toString());
  const file = files.find(({ name }) => name === fileName);
  if (!file) return undefined;
  // The caller keeps it, so it has no more than is needed.
  const { name, type, size, isPrimary } = file;
  return { name, type, size, sha512: file.sha512_hash, isPrimary };
}
