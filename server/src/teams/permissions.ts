// What members of a team can be allowed to do. Ownership implies everything (earlier-service 6.3, 6.4).

export const projectPermissions = [
  "upload_version",
  "delete_version",
  "edit_details",
  "edit_description",
  "manage_invites",
  "remove_member",
  "edit_member",
  "delete_project",
  "view_analytics",
  "view_revenue",
] as const;

export const orgPermissions = [
  "edit_details",
  "manage_invites",
  "remove_member",
  "edit_member",
  "add_project",
  "remove_project",
  "delete_organization",
  "edit_member_default_permissions",
] as const;

export type ProjectPermission = (typeof projectPermissions)[number];
export type OrgPermission = (typeof orgPermissions)[number];
