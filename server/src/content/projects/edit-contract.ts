// Endpoints that change projects (earlier-service 4.6, decisions §6). On PATCH every field is optional and absent
// fields stay.

import Type, { type TSchema } from "typebox";
import { Disclosures, DisclosuresEdit } from "#content/shapes/disclosures.js";
import { EnvironmentOf, NewVisibility, VisibilityOf } from "#content/shapes/project.js";
import { DonationLink, Link, maxDonationLinks } from "#content/shapes/web-links.js";
import { needs } from "#platform/http/access.js";
import { endpoint, type FilePart } from "#platform/http/endpoint.js";
import {
  Described,
  Done,
  DoneWith,
  Id,
  ImageUrl,
  Line,
  Nullable,
  pictureText,
  Shown,
  Slug,
  Text,
} from "#platform/http/schemas.js";
import { say } from "#words/said.js";
import { projectRef } from "./contract.js";

const ProjectName = Line("projectName", { description: "Name of the project", examples: ["Fancy lamps"] });
const Summary = Text("projectSummary", {
  pattern: "^(?=.*[\\p{L}\\p{N}\\p{P}\\p{S}])[^\\p{Cc}]*$",
  description: "Short description, in a sentence",
  examples: ["Lamps that light themselves at dusk"],
  "x-problem": say.problems.seenLine(1, 320),
});
const Types = Shown(
  Type.Union(
    [
      Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 16 }),
      Type.String({ minLength: 1, maxLength: 1024 }),
    ],
    { "x-list": true },
  ),
  Type.Array(Type.String({ maxLength: 64 }), {
    minItems: 1,
    maxItems: 16,
    description: "Project types; see getProjectTypes. In a form: one part for each, or one part with a JSON list",
    examples: [["mod"]],
  }),
);
const icon: FilePart = {
  maxBytes: ({ config }) => config.limits.iconBytes,
  description: "The icon: PNG, JPEG, GIF or WebP",
  example: "icon.png",
};

const shared = { tag: "Projects", rate: "write", access: needs("project_write"), params: projectRef } as const;
const refusals = ["projectNotFound", "permissionMissing"] as const;

export const createProject = endpoint({
  id: "createProject",
  method: "POST",
  path: "/api/project",
  access: needs("project_create"),
  rate: "write",
  tag: "Projects",
  summary: "Create a project",
  description: "It is created as a draft. In an organization it needs that organization's permission add_project.",
  body: Type.Object({
    name: ProjectName,
    slug: Slug,
    type: Types,
    visibility: Type.Optional(NewVisibility),
    summary: Summary,
    orgId: Type.Optional(
      Nullable(Type.String({ maxLength: 32 }), "Id of the organization that it belongs to; unless given, you own it"),
    ),
  }),
  answer: DoneWith({
    urlSlug: Type.String({ description: "The same as slug" }),
    type: Type.Array(Type.String(), { description: "Project types" }),
    id: Described(Id, "Id of the project"),
    slug: Type.String({ description: "Name in URLs" }),
  }),
  errors: [
    "slugTaken",
    "nameReserved",
    "nameRetired",
    "organizationNotFound",
    "permissionMissing",
    "projectLimitReached",
  ],
});

export const updateProject = endpoint({
  ...shared,
  id: "updateProject",
  method: "PATCH",
  path: "/api/project/:ref",
  summary: "Edit a project's details",
  description:
    "Needs edit_details. Absent fields stay unchanged. The old slug redirects to the project until another project takes it. Environments that follow from the types cannot be chosen.",
  body: Type.Object({
    name: Type.Optional(ProjectName),
    slug: Type.Optional(Slug),
    visibility: Type.Optional(VisibilityOf),
    type: Type.Optional(Types),
    clientSide: Type.Optional(Described(EnvironmentOf, "Whether it is installed on the player's machine")),
    serverSide: Type.Optional(Described(EnvironmentOf, "Whether it is installed on the server")),
    summary: Type.Optional(Summary),
    icon: Type.Optional(Nullable(Type.String({ maxLength: 512 }), pictureText)),
  }),
  files: { icon },
  answer: DoneWith({ slug: Type.String({ description: "Name in URLs" }) }),
  errors: [...refusals, "slugTaken", "nameReserved", "nameRetired", "imageUnusable", "quotaReached", "fileTooLarge"],
});

export const deleteProject = endpoint({
  ...shared,
  id: "deleteProject",
  method: "DELETE",
  path: "/api/project/:ref",
  access: needs("project_delete"),
  summary: "Delete a project",
  description:
    "Deletes its versions, files, gallery, team and thread too. This cannot be undone. Needs delete_project.",
  answer: Done,
  errors: refusals,
});

export const updateProjectIcon = endpoint({
  ...shared,
  id: "updateProjectIcon",
  method: "PATCH",
  path: "/api/project/:ref/icon",
  summary: "Upload a project's icon",
  description: "Needs edit_details. The project's colour is computed from the icon.",
  files: { icon },
  answer: DoneWith({
    icon: Described(ImageUrl, "URL of the new icon"),
    color: Type.String({ description: "The main color of the icon, as #rrggbb" }),
  }),
  errors: [...refusals, "imageUnusable", "quotaReached", "fileTooLarge"],
});

export const removeProjectIcon = endpoint({
  ...shared,
  id: "removeProjectIcon",
  method: "DELETE",
  path: "/api/project/:ref/icon",
  summary: "Remove a project's icon",
  answer: Done,
  errors: [...refusals, "wrongState"],
});

export const updateProjectDescription = endpoint({
  ...shared,
  id: "updateProjectDescription",
  method: "PATCH",
  path: "/api/project/:ref/description",
  summary: "Edit a project's description",
  description: "Markdown. Needs edit_description.",
  body: Type.Object({
    description: Type.Optional(
      Nullable(
        Text("projectDescription", { examples: ["# Lamps"] }),
        "The text of the project's page, in Markdown; null or empty removes it",
      ),
    ),
  }),
  answer: Done,
  errors: refusals,
});

const CategoryNames = (maxItems: number, description: string) =>
  Type.Array(Type.String({ maxLength: 64 }), { maxItems, description });

export const updateProjectTags = endpoint({
  ...shared,
  id: "updateProjectTags",
  method: "PATCH",
  path: "/api/project/:ref/tags",
  summary: "Choose a project's categories",
  description:
    "Each must exist. Categories that do not fit the project's types are left out, and so are featured ones that the project does not have. Needs edit_details.",
  body: Type.Object({
    categories: Type.Optional(CategoryNames(200, "All categories; see getCategories")),
    featuredCategories: Type.Optional(CategoryNames(3, "Up to three of them, shown in lists")),
  }),
  answer: DoneWith({
    categories: Type.Array(Type.String(), { description: "All categories of the project after the change" }),
    featuredCategories: Type.Array(Type.String(), { description: "Categories that lists show" }),
  }),
  errors: refusals,
});

const links = <T extends TSchema>(toSchema: (description: string) => T) => ({
  issueTracker: toSchema("URL of the issue tracker"),
  sourceCode: toSchema("URL of the source code"),
  wikiPage: toSchema("URL of the documentation"),
  discordServer: toSchema("Invitation to a Discord server"),
});

export const updateProjectLinks = endpoint({
  ...shared,
  id: "updateProjectLinks",
  method: "PATCH",
  path: "/api/project/:ref/external-links",
  summary: "Edit a project's links",
  description:
    "http or https URLs; null or an empty text removes one. Donation links are replaced as a whole. Needs edit_details.",
  body: Type.Object({
    ...links((description) => Type.Optional(Nullable(Link, description))),
    donationLinks: Type.Optional(
      Type.Array(DonationLink, {
        maxItems: maxDonationLinks,
        description: "All donation links; they replace the current ones",
      }),
    ),
  }),
  answer: DoneWith({
    ...links((description) => Nullable(Type.String(), description)),
    donationLinks: Type.Array(DonationLink, { description: "All donation links after the change" }),
  }),
  errors: refusals,
});

export const updateProjectLicense = endpoint({
  ...shared,
  id: "updateProjectLicense",
  method: "PATCH",
  path: "/api/project/:ref/license",
  summary: "Choose a project's license",
  description:
    "By its exact id (see /api/tags/licenses), or a custom license by name and url. A url with an id replaces the URL of the license. Needs edit_details.",
  body: Type.Object({
    id: Type.Optional(Nullable(Text("licenseId", { examples: ["MIT"] }), "Id of a license; see getLicenses")),
    name: Type.Optional(
      Nullable(Text("licenseName", { pattern: "^[^\\p{Cc}]*$" }), "Name of a license without an id here"),
    ),
    url: Type.Optional(Nullable(Link, "URL of the license")),
  }),
  answer: DoneWith({
    id: Type.String({ description: "Id of the license; empty for a custom license" }),
    name: Type.String({ description: "Name of the license" }),
    url: Type.String({ description: "URL of the license; may be empty" }),
  }),
  errors: refusals,
});

export const updateProjectDisclosures = endpoint({
  ...shared,
  id: "updateProjectDisclosures",
  method: "PATCH",
  path: "/api/project/:ref/disclosures",
  summary: "State a project's use of AI, telemetry and paid features",
  description: "Absent statements stay unchanged; null withdraws one. Needs edit_details.",
  body: DisclosuresEdit,
  answer: DoneWith({ disclosures: Disclosures }),
  errors: refusals,
});
