// The projects that the newest version of a project requires, for the side column of its page.
import { listVisibleProjects } from "#content/projects/read.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import type { Resources } from "#platform/http/resources.js";
import type { Viewer } from "#platform/http/viewer.js";
import { newestVersion, type PageView } from "#web/shared/project-view.js";
import { peekTiles } from "./project-tiles.js";

export type RequiredProject = Pick<ProjectListItem, "id" | "slug" | "name" | "icon">;

/** The page of the version lists all of them. */
const most = 8;

function requiredIds({ versions }: PageView): string[] {
  const newest = newestVersion(versions);
  if (!newest?.needsOthers) return [];
  const required = newest.dependencies.filter(({ type }) => type === "required");
  return [...new Set(required.map(({ on_project_id }) => on_project_id))].slice(0, most);
}

/** Leaves out projects that the visitor may not see. */
export async function listRequired(resources: Resources, viewer: Viewer, view: PageView): Promise<RequiredProject[]> {
  const ids = requiredIds(view);
  if (ids.length === 0) return [];
  return (await listVisibleProjects(resources, viewer, ids)).map(({ listItem }) => listItem.value);
}

/** The same for guests, without waiting; undefined if one of them is not prepared at present. */
export function peekRequired(resources: Resources, view: PageView): RequiredProject[] | undefined {
  const found = requiredIds(view).map(peekTiles(resources));
  return found.every((tile) => tile !== undefined && tile !== null) ? found : undefined;
}
