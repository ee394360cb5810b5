// The paths of a version and its file.
import { projectPath } from "#web/context/project-path.js";
import type { PageVersion } from "./project-view.js";

export const versionPath = (projectSlug: string, versionSlug: string): string =>
  `${projectPath(projectSlug)}/version/${encodeURIComponent(versionSlug)}`;

/** The file itself, or the download page if the version needs others. */
export function downloadPath(projectSlug: string, version: Pick<PageVersion, "slug" | "needsOthers" | "own">): string {
  if (!version.needsOthers) return version.own.value.primaryFile.url;
  return `${projectPath(projectSlug)}/download?version=${encodeURIComponent(version.slug)}`;
}
