// What the pages for a project's team are made from: the project with all that its team may know, and what the visitor may
// do in it.

import type { ProjectPermission } from "#content/members/permissions.js";
import { findProjectStanding } from "#content/members/standing.js";
import { getVisibleProject, seesPermissions } from "#content/projects/read.js";
import type { Project } from "#content/shapes/project.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { type VersionEntry, versionEntries } from "#content/versions/entries.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { isStaff, type SignedIn } from "#platform/http/viewer.js";

export interface SettingsView {
  project: Project;
  /** Newest first. */
  versions: readonly VersionEntry[];
  taxonomy: Taxonomy;
  isOwner: boolean;
  /** In the team of the project or of its organization; moderators look without being it. */
  isMember: boolean;
  permissions: ReadonlySet<ProjectPermission>;
  isStaff: boolean;
}

/** Strangers are told that these pages are not theirs; of what they cannot see they are told nothing. */
export async function getSettingsView(resources: Resources, viewer: SignedIn, ref: string): Promise<SettingsView> {
  const entry = await getVisibleProject(resources, viewer, ref);
  if (!(await seesPermissions(resources.db, viewer, entry.id))) throw fail.membersOnly();
  const { isOwner, permissions } = await findProjectStanding(resources.db, viewer.user, entry.id);
  const { members, organisation } = entry.project;
  return {
    project: entry.project,
    versions: (await versionEntries(resources).load([entry.id])).get(entry.id) ?? [],
    taxonomy: await getTaxonomy(resources),
    isOwner,
    isMember: [...members, ...(organisation?.members ?? [])].some(
      ({ userId, accepted }) => accepted && userId === viewer.user.id,
    ),
    permissions,
    isStaff: isStaff(viewer),
  };
}
