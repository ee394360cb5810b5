// The projects of the visitor: those he owns or works on, hidden or not.

import { listProjectIdsOfMember, listVisibleProjects } from "#content/projects/read.js";
import type { ProjectListItem } from "#content/shapes/project.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";

export async function listOwnProjects(resources: Resources, viewer: SignedIn): Promise<ProjectListItem[]> {
  const ids = await listProjectIdsOfMember(resources.db, viewer);
  const entries = await listVisibleProjects(resources, viewer, ids);
  return entries.map((entry) => entry.listItem.value);
}
