// The permissions of team members. The owner has all of them (earlier-service 6.3, 6.4).

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

export const projectPermissionMeanings = {
  upload_version: "Publish, edit and withdraw versions",
  delete_version: "Delete versions",
  edit_details: "Edit name, links, license, tags, icon and gallery",
  edit_description: "Edit the description",
  manage_invites: "Invite users, and withdraw invitations",
  remove_member: "Remove members",
  edit_member: "Change roles and permissions of members",
  delete_project: "Delete the project",
  view_analytics: "See downloads per day",
  view_revenue: "Has no effect; kept for older clients",
} as const satisfies Record<(typeof projectPermissions)[number], string>;

export const orgPermissionMeanings = {
  edit_details: "Edit name, description and icon",
  manage_invites: "Invite users, and withdraw invitations",
  remove_member: "Remove members",
  edit_member: "Change roles and permissions of members",
  add_project: "Create projects in the organization, and add your own",
  remove_project: "Remove projects from the organization",
  delete_organization: "Delete the organization",
  edit_member_default_permissions: "Change what members may do in the organization's projects",
} as const satisfies Record<(typeof orgPermissions)[number], string>;

export type ProjectPermission = (typeof projectPermissions)[number];
export type OrgPermission = (typeof orgPermissions)[number];
