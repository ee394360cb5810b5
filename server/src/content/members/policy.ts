// Who may give which permissions to a member. Nobody hands out what he does not have (reliability A-5).
import { fail } from "#platform/errors.js";
import type { OrgPermission, ProjectPermission } from "./permissions.js";
import { allow, type OrgStanding, type ProjectStanding } from "./standing.js";

export interface Permissions {
  project: readonly ProjectPermission[];
  org: readonly OrgPermission[];
}

/** What is in the second list and not in the first, once each. */
export const added = <P extends string>(before: readonly P[], after: readonly P[]): P[] =>
  [...new Set(after)].filter((permission) => !before.includes(permission));

/**
 * Taking away and renaming is open to all who may edit members; adding is the owner's. In an organization's team those
 * with edit_member_default_permissions may pass on the project permissions that they have by default themselves.
 */
export function allowAdding(standing: ProjectStanding | OrgStanding, { project, org }: Permissions): void {
  if (standing.isOwner || project.length + org.length === 0) return;
  if (org.length > 0 || !("defaults" in standing)) throw fail.ownerOnly();
  allow(standing, "edit_member_default_permissions");
  for (const permission of project) if (!standing.defaults.has(permission)) throw fail.permissionMissing(permission);
}
