// The data of the pages for a project's team: the project with all that its team may know, and the visitor's
// permissions.

import type { ProjectPermission } from "#content/members/permissions.js";
import { findProjectRights } from "#content/members/rights.js";
import { getVisibleProject, seesPermissions } from "#content/projects/read.js";
import type { Project } from "#content/shapes/project.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { type VersionEntry, versionEntries } from "#content/versions/entries.js";
import { type Decision, listRequestedChanges } from "#moderation/desk/requested-changes.js";
import { fail } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { isStaff, type SignedIn } from "#platform/http/viewer.js";

export interface SettingsView {
  project: Project;
  /** Newest first. */
  versions: readonly VersionEntry[];
  taxonomy: Taxonomy;
  isOwner: boolean;
  /** In the team of the project or of its organization. Moderators can see these pages without being members. */
  isMember: boolean;
  permissions: ReadonlySet<ProjectPermission>;
  isStaff: boolean;
  /** The changes that moderators ask for. */
  asked: Decision | undefined;
  /** As the manifest of the last published file writes it. */
  namedLicense: string | null;
}

/** Users outside of the team are refused; a project that they cannot see is not found. */
export async function getSettingsView(resources: Resources, viewer: SignedIn, ref: string): Promise<SettingsView> {
  const entry = await getVisibleProject(resources, viewer, ref);
  if (!(await seesPermissions(resources.db, viewer, entry.id))) throw fail.membersOnly();
  const { isOwner, permissions } = await findProjectRights(resources.db, viewer.user, entry.id);
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
    namedLicense: entry.namedLicense,
    asked: (await listRequestedChanges(resources.db, [entry.project])).get(entry.id),
  };
}
