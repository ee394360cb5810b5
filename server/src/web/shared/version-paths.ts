// Where a version and its file are.
import type { VersionEntry } from "#content/versions/entries.js";
import { projectPath } from "#web/context/project-path.js";

export const versionPath = (projectSlug: string, versionSlug: string): string =>
  `${projectPath(projectSlug)}/version/${encodeURIComponent(versionSlug)}`;

export const needsOthers = ({ dependencies }: VersionEntry): boolean =>
  dependencies.some(({ type }) => type === "required");

/** Straight to the file, unless it needs others: then to the page that offers them all. */
export function downloadPath(projectSlug: string, version: VersionEntry): string {
  if (!needsOthers(version)) return version.own.value.primaryFile.url;
  return `${projectPath(projectSlug)}/download?version=${encodeURIComponent(version.slug)}`;
}
