// What members of a team can be allowed to do, in plain words, and the roles that stand for several of these.
import type { OrgPermission, ProjectPermission } from "#content/members/permissions.js";

export type RoleName = "maintainer" | "publisher" | "editor" | "viewer";

interface RoleRights {
  project: readonly ProjectPermission[];
  org: readonly OrgPermission[];
}

export const roleRights: Record<RoleName, RoleRights> = {
  maintainer: {
    project: [
      "upload_version",
      "delete_version",
      "edit_details",
      "edit_description",
      "manage_invites",
      "remove_member",
      "edit_member",
      "view_analytics",
    ],
    org: ["edit_details", "manage_invites", "remove_member", "edit_member", "add_project", "remove_project"],
  },
  publisher: {
    project: ["upload_version", "edit_details", "edit_description", "view_analytics"],
    org: ["add_project"],
  },
  editor: { project: ["edit_details", "edit_description"], org: [] },
  viewer: { project: [], org: [] },
};

export const roleNames = Object.keys(roleRights) as RoleName[];
