// The requirements for publishing a project, and recommendations. Pure.

import type { ProjectPermission } from "#content/members/permissions.js";
import type { Project } from "#content/shapes/project.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";

export interface ChecklistSubject {
  project: Project;
  versions: readonly { yanked: boolean }[];
  taxonomy: Taxonomy;
  permissions: ReadonlySet<ProjectPermission>;
  /** As the manifest of the last published file writes it. */
  namedLicense?: string | null | undefined;
}

export type ItemName =
  | "version"
  | "description"
  | "license"
  | "sides"
  | "icon"
  | "tags"
  | "gallery"
  | "links"
  | "disclosures";

export interface ChecklistItem {
  name: ItemName;
  isRequired: boolean;
  isDone: boolean;
  /** The page that changes it, relative to the project. */
  place: string;
  permission: ProjectPermission;
}

/** The required items are those that content/submissions/submit.ts checks. */
export function listItems({ project, versions, taxonomy }: ChecklistSubject): ChecklistItem[] {
  const chosen = taxonomy.environmentFor(project.type, { clientSide: "unknown", serverSide: "unknown" });
  const hasOpenSide =
    (chosen.clientSide === "unknown" && project.clientSide === "unknown") ||
    (chosen.serverSide === "unknown" && project.serverSide === "unknown");
  const item = (
    name: ItemName,
    isDone: boolean,
    place: string,
    permission: ProjectPermission = "edit_details",
    isRequired = false,
  ): ChecklistItem => ({ name, isDone, place, permission, isRequired });
  return [
    item(
      "version",
      versions.some(({ yanked }) => !yanked),
      "/version/new",
      "upload_version",
      true,
    ),
    item("description", project.description.trim() !== "", "/settings/description", "edit_description", true),
    item("license", project.licenseId !== "" || project.licenseName !== "", "/settings/license", "edit_details", true),
    item("sides", !hasOpenSide, "/settings#clientSide"),
    item("icon", project.icon !== null, "/settings#icon"),
    item("tags", project.categories.length > 0, "/settings/tags"),
    item("gallery", project.gallery.length > 0, "/settings/gallery"),
    item("links", Boolean(project.issueTrackerUrl ?? project.projectSourceUrl), "/settings/links"),
    item(
      "disclosures",
      Object.values(project.disclosures).every((each) => each !== null),
      "/settings/disclosures",
    ),
  ];
}
