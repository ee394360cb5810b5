// Which permissions a user may grant to a member: only permissions that they have themselves (reliability A-5).
import { fail } from "#platform/errors.js";
import type { OrgPermission, ProjectPermission } from "./permissions.js";
import { allow, type OrgRights, type ProjectRights } from "./rights.js";

export interface Permissions {
  project: readonly ProjectPermission[];
  org: readonly OrgPermission[];
}

/** Permissions in the second list that are not in the first, without duplicates. */
export const added = <P extends string>(before: readonly P[], after: readonly P[]): P[] =>
  [...new Set(after)].filter((permission) => !before.includes(permission));

/**
 * Every user who may edit members may revoke permissions and rename roles; only the owner may add permissions. In an
 * organization's team, a member with edit_member_default_permissions may also grant the default project permissions
 * that they have themselves.
 */
export function allowAdding(rights: ProjectRights | OrgRights, { project, org }: Permissions): void {
  if (rights.isOwner || project.length + org.length === 0) return;
  if (org.length > 0 || !("defaults" in rights)) throw fail.ownerOnly();
  allow(rights, "edit_member_default_permissions");
  for (const permission of project) if (!rights.defaults.has(permission)) throw fail.permissionMissing(permission);
}
