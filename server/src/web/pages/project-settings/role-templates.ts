// Roles that stand for several permissions, in place of ten checkboxes.
import { type ProjectPermission, projectPermissions } from "#content/members/permissions.js";

export const templates = {
  maintainer: projectPermissions.filter((permission) => permission !== "delete_project"),
  publisher: ["upload_version", "delete_version", "view_analytics"],
  editor: ["edit_details", "edit_description", "view_analytics"],
  viewer: ["view_analytics"],
} as const satisfies Record<string, readonly ProjectPermission[]>;

export type TemplateName = keyof typeof templates | "custom";

export const templateNames: readonly TemplateName[] = [
  ...(Object.keys(templates) as (keyof typeof templates)[]),
  "custom",
];

/** The permissions of the chosen role, or the ticked ones if no role is chosen. */
export function permissionsFor(template: string | undefined, ticked: readonly string[]): ProjectPermission[] {
  if (template !== undefined && Object.hasOwn(templates, template))
    return [...templates[template as keyof typeof templates]];
  return projectPermissions.filter((permission) => ticked.includes(permission));
}
