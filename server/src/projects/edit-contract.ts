// Projects, writing (earlier-service 4.6, decisions §6). On PATCH every field is optional and an absent one stays.
import Type, { type TSchema } from "typebox";
import { needs } from "../http/access.js";
import { endpoint, type FilePart } from "../http/endpoint.js";
import { Done, Id, ImageUrl, Line, Nullable, Slug, Text } from "../http/schemas.js";
import { projectRef } from "./contract.js";
import { EnvironmentOf, Status, VisibilityOf, visibilities } from "./shapes.js";
import { DonationLink, Link, maxDonationLinks } from "./web-links.js";

const ProjectName = Line("projectName", { examples: ["Fancy lamps"] });
const Summary = Text("projectSummary", {
  pattern: "^(?=.*[\\p{L}\\p{N}\\p{P}\\p{S}])[^\\p{Cc}]*$",
  examples: ["Lamps that light themselves at dusk"],
  "x-problem": "must be 1 to 320 characters on one line, and not blank",
});
const Types = Type.Union(
  [
    Type.Array(Type.String({ maxLength: 64, examples: ["mod"] }), { minItems: 1, maxItems: 16 }),
    Type.String({ minLength: 1, maxLength: 1024, examples: ['["mod"]'] }),
  ],
  { description: "Project types as a list; in a form, the list's JSON text. See /api/tags/project-types" },
);
const icon: FilePart = { maxBytes: ({ config }) => config.limits.iconBytes, description: "PNG, JPEG, GIF or WebP" };

const DoneWith = <T extends Record<string, TSchema>>(more: T) =>
  Type.Object({ success: Type.Literal(true), message: Type.String(), ...more });

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
  description: "It begins as a draft. In an organization it needs that organization's permission add_project.",
  body: Type.Object({
    name: ProjectName,
    slug: Slug,
    type: Types,
    visibility: Type.Optional(Type.Enum([...visibilities], { default: "listed" })),
    summary: Summary,
    orgId: Type.Optional(Nullable(Type.String({ maxLength: 32, description: "Id of an organization" }))),
  }),
  answer: DoneWith({ urlSlug: Type.String(), type: Type.Array(Type.String()), id: Id, slug: Type.String() }),
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
    "JSON, or multipart/form-data when an icon comes along. Needs edit_details. A slug that is left leads to the project until another takes it. An empty icon removes it; a text for it keeps it. Sides that the types decide cannot be chosen.",
  body: Type.Object({
    name: Type.Optional(ProjectName),
    slug: Type.Optional(Slug),
    visibility: Type.Optional(VisibilityOf),
    type: Type.Optional(Types),
    clientSide: Type.Optional(EnvironmentOf),
    serverSide: Type.Optional(EnvironmentOf),
    summary: Type.Optional(Summary),
    icon: Type.Optional(Nullable(Type.String({ maxLength: 512 }))),
  }),
  files: { icon },
  answer: DoneWith({ slug: Type.String() }),
  errors: [...refusals, "slugTaken", "nameReserved", "nameRetired", "imageUnusable", "fileTooLarge"],
});

export const deleteProject = endpoint({
  ...shared,
  id: "deleteProject",
  method: "DELETE",
  path: "/api/project/:ref",
  access: needs("project_delete"),
  summary: "Delete a project",
  description: "With its versions, files, gallery, team and thread, for good. Needs delete_project.",
  answer: Done,
  errors: refusals,
});

export const submitProject = endpoint({
  ...shared,
  id: "submitProject",
  method: "POST",
  path: "/api/project/:ref/submit-for-review",
  summary: "Submit a project for review",
  description:
    "For its owner. The project needs a version, a description and a licence. After a refusal it can be submitted again 3 hours after the last time. Where this site has no review, the project is approved at once.",
  answer: DoneWith({ status: Status }),
  errors: ["projectNotFound", "ownerOnly", "addressUnconfirmed", "wrongState"],
});

export const withdrawProject = endpoint({
  ...shared,
  id: "withdrawProject",
  method: "POST",
  path: "/api/project/:ref/withdraw",
  summary: "Take a project back from review",
  description: "For its owner. The project is a draft again.",
  answer: DoneWith({ status: Status }),
  errors: ["projectNotFound", "ownerOnly", "wrongState"],
});

export const updateProjectIcon = endpoint({
  ...shared,
  id: "updateProjectIcon",
  method: "PATCH",
  path: "/api/project/:ref/icon",
  summary: "Upload a project's icon",
  description: "multipart/form-data with the part icon. Needs edit_details. The project's colour is computed from it.",
  files: { icon },
  answer: DoneWith({ icon: ImageUrl, color: Type.String({ description: "#rrggbb" }) }),
  errors: [...refusals, "imageUnusable", "fileTooLarge"],
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
  body: Type.Object({ description: Type.Optional(Nullable(Text("projectDescription", { examples: ["# Lamps"] }))) }),
  answer: Done,
  errors: refusals,
});

const CategoryNames = (maxItems: number) => Type.Array(Type.String({ maxLength: 64 }), { maxItems });

export const updateProjectTags = endpoint({
  ...shared,
  id: "updateProjectTags",
  method: "PATCH",
  path: "/api/project/:ref/tags",
  summary: "Choose a project's categories",
  description:
    "Each must exist; those that are not for the project's types are left out, and so are featured ones that the project does not have. Needs edit_details.",
  body: Type.Object({
    categories: Type.Optional(CategoryNames(200)),
    featuredCategories: Type.Optional(CategoryNames(3)),
  }),
  answer: DoneWith({ categories: Type.Array(Type.String()), featuredCategories: Type.Array(Type.String()) }),
  errors: refusals,
});

const links = <T extends TSchema>(schema: T) => ({
  issueTracker: schema,
  sourceCode: schema,
  wikiPage: schema,
  discordServer: schema,
});

export const updateProjectLinks = endpoint({
  ...shared,
  id: "updateProjectLinks",
  method: "PATCH",
  path: "/api/project/:ref/external-links",
  summary: "Edit a project's links",
  description:
    "http or https addresses; null or an empty text removes one. Donation links are given all at once. Needs edit_details.",
  body: Type.Object({
    ...links(Type.Optional(Nullable(Link))),
    donationLinks: Type.Optional(Type.Array(DonationLink, { maxItems: maxDonationLinks })),
  }),
  answer: DoneWith({ ...links(Nullable(Type.String())), donationLinks: Type.Array(DonationLink) }),
  errors: refusals,
});

export const updateProjectLicense = endpoint({
  ...shared,
  id: "updateProjectLicense",
  method: "PATCH",
  path: "/api/project/:ref/license",
  summary: "Choose a project's licence",
  description:
    "By its id (see /api/tags/licenses; exact), or another one by name and url. A url with an id takes the place of the licence's own. Needs edit_details.",
  body: Type.Object({
    id: Type.Optional(Nullable(Text("licenseId", { examples: ["MIT"] }))),
    name: Type.Optional(Nullable(Text("licenseName", { pattern: "^[^\\p{Cc}]*$" }))),
    url: Type.Optional(Nullable(Link)),
  }),
  answer: DoneWith({ id: Type.String(), name: Type.String(), url: Type.String() }),
  errors: refusals,
});
