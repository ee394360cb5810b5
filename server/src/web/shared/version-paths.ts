// The paths of a version and its file.
import type { VersionEntry } from "#content/versions/entries.js";
import { projectPath } from "#web/context/project-path.js";

export const versionPath = (projectSlug: string, versionSlug: string): string =>
  `${projectPath(projectSlug)}/version/${encodeURIComponent(versionSlug)}`;

export const needsOthers = ({ dependencies }: VersionEntry): boolean =>
  dependencies.some(({ type }) => type === "required");

/** The file itself, or the download page if the version needs others. */
export function downloadPath(projectSlug: string, version: VersionEntry): string {
  if (!needsOthers(version)) return version.own.value.primaryFile.url;
  return `${projectPath(projectSlug)}/download?version=${encodeURIComponent(version.slug)}`;
}
