// The projects of the visitor: those he owns or works on, hidden or not.
import type { Resources } from "../../../http/resources.js";
import type { SignedIn } from "../../../http/viewer.js";
import { listProjectIdsOfMember, listVisibleProjects } from "../../../projects/read.js";
import type { ProjectListItem } from "../../../projects/shapes.js";

export async function listOwnProjects(resources: Resources, viewer: SignedIn): Promise<ProjectListItem[]> {
  const ids = await listProjectIdsOfMember(resources.db, viewer);
  const entries = await listVisibleProjects(resources, viewer, ids);
  return entries.map((entry) => entry.listItem.value);
}
