// Organizations: public groups that own projects together (interface §4, earlier-service 4.11).
import Type from "typebox";
import { ProjectListItem } from "#content/shapes/project.js";
import { needs, readable } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import {
  Described,
  Done,
  DoneWith,
  Id,
  IdList,
  ImageUrl,
  Line,
  Nullable,
  pictureText,
  Ref,
  Slug,
  Switch,
  Text,
} from "#platform/http/schemas.js";
import { Organization } from "./shapes.js";

export const orgRef = Type.Object({ ref: Ref("Organization id or slug", "grass-makers") });
const tag = "Organizations";

const Name = Line("orgName", { description: "Name of the organization", examples: ["Grass Makers"] });
const aboutIt = { description: "Description of the organization", examples: ["We make grass greener"] };
const NewDescription = Text("newOrgDescription", aboutIt);
const Description = Text("editedOrgDescription", aboutIt);

const icon = {
  icon: {
    maxBytes: ({ config }: { config: { limits: { iconBytes: number } } }) => config.limits.iconBytes,
    description: "The icon: PNG, JPEG, GIF or WebP",
    example: "icon.png",
  },
};

export const getOrganization = endpoint({
  id: "getOrganization",
  method: "GET",
  path: "/api/organization/:ref",
  access: readable("organization_read"),
  rate: "read",
  tag,
  summary: "Get an organization",
  params: orgRef,
  answer: Organization,
  errors: ["organizationNotFound"],
});

export const getOrganizationProjects = endpoint({
  id: "getOrganizationProjects",
  method: "GET",
  ready: true,
  path: "/api/organization/:ref/projects",
  access: readable("organization_read", "project_read"),
  rate: "bulk",
  tag,
  summary: "List an organization's projects",
  params: orgRef,
  query: Type.Object({
    listedOnly: Switch("true: only listed and archived projects"),
  }),
  answer: Type.Array(ProjectListItem),
  errors: ["organizationNotFound"],
});

export const getOrganizations = endpoint({
  id: "getOrganizations",
  method: "GET",
  path: "/api/organizations",
  access: readable("organization_read"),
  rate: "bulk",
  tag,
  summary: "Get several organizations",
  description:
    "In the order of the request. Unknown organizations are left out; one that is named twice, such as by its id and its slug, is returned once.",
  query: Type.Object({ ids: IdList("organization ids or slugs, or both") }),
  answer: Type.Array(Organization),
});

export const getOwnOrganizations = endpoint({
  id: "getOwnOrganizations",
  method: "GET",
  path: "/api/organization",
  access: needs("organization_read"),
  rate: "bulk",
  tag,
  summary: "List your organizations",
  description: "In the order in which you joined them.",
  answer: Type.Array(Organization),
});

export const getUserOrganizations = endpoint({
  id: "getUserOrganizations",
  method: "GET",
  path: "/api/user/:ref/organization",
  access: readable("organization_read"),
  rate: "bulk",
  tag,
  summary: "List the organizations that a user is a member of",
  params: Type.Object({ ref: Ref("User id or username", "ada") }),
  answer: Type.Array(Organization),
  errors: ["userNotFound"],
});

export const createOrganization = endpoint({
  id: "createOrganization",
  method: "POST",
  path: "/api/organization",
  access: needs("organization_create"),
  rate: "write",
  tag,
  summary: "Create an organization",
  description: "The caller owns it.",
  body: Type.Object({ name: Name, slug: Slug, description: Type.Optional(NewDescription) }),
  answer: DoneWith({
    slug: Type.String({ description: "Name in URLs" }),
    id: Described(Id, "Id of the organization"),
  }),
  errors: ["slugTaken", "nameReserved", "nameRetired"],
});

export const editOrganization = endpoint({
  id: "editOrganization",
  method: "PATCH",
  path: "/api/organization/:ref",
  access: needs("organization_write"),
  rate: "write",
  tag,
  summary: "Edit an organization",
  description: "Needs edit_details. Absent fields stay unchanged.",
  params: orgRef,
  body: Type.Object({
    name: Type.Optional(Name),
    slug: Type.Optional(Slug),
    description: Type.Optional(Description),
    icon: Type.Optional(Nullable(Type.String({ maxLength: 512 }), pictureText)),
  }),
  files: icon,
  answer: DoneWith({ slug: Type.String({ description: "Name in URLs" }) }),
  errors: [
    "organizationNotFound",
    "permissionMissing",
    "slugTaken",
    "nameReserved",
    "nameRetired",
    "imageUnusable",
    "quotaReached",
    "fileTooLarge",
  ],
});

export const deleteOrganization = endpoint({
  id: "deleteOrganization",
  method: "DELETE",
  path: "/api/organization/:ref",
  access: needs("organization_delete"),
  rate: "write",
  tag,
  summary: "Delete an organization",
  description: "Needs delete_organization. Its projects stay and go to the organization's owner.",
  params: orgRef,
  answer: Done,
  errors: ["organizationNotFound", "permissionMissing"],
});

export const setOrganizationIcon = endpoint({
  id: "setOrganizationIcon",
  method: "PATCH",
  path: "/api/organization/:ref/icon",
  access: needs("organization_write"),
  rate: "write",
  tag,
  summary: "Set an organization's icon",
  description: "Needs edit_details.",
  params: orgRef,
  files: icon,
  answer: DoneWith({
    data: Type.Object({ newIcon: Described(ImageUrl, "URL of the new icon") }, { description: "Result" }),
  }),
  errors: ["organizationNotFound", "permissionMissing", "imageUnusable", "quotaReached", "fileTooLarge"],
});

export const removeOrganizationIcon = endpoint({
  id: "removeOrganizationIcon",
  method: "DELETE",
  path: "/api/organization/:ref/icon",
  access: needs("organization_write"),
  rate: "write",
  tag,
  summary: "Remove an organization's icon",
  description: "Needs edit_details. It is replaced by a generated picture.",
  params: orgRef,
  answer: Done,
  errors: ["organizationNotFound", "permissionMissing"],
});

export const addOrganizationProject = endpoint({
  id: "addOrganizationProject",
  method: "POST",
  path: "/api/organization/:ref/projects",
  access: needs("organization_write"),
  rate: "write",
  tag,
  summary: "Add a project to an organization",
  description:
    "Needs add_project, and to be the project's owner. The project's own team is emptied: from then on the members of the organization work on it.",
  params: orgRef,
  body: Type.Object({ projectId: Ref("Project id or slug") }),
  answer: Done,
  errors: ["organizationNotFound", "permissionMissing", "projectNotFound", "ownerOnly", "wrongState"],
});

export const removeOrganizationProject = endpoint({
  id: "removeOrganizationProject",
  method: "DELETE",
  path: "/api/organization/:ref/project/:projectRef",
  access: needs("organization_write"),
  rate: "write",
  tag,
  summary: "Remove a project from an organization",
  description: "Needs remove_project. The organization's owner becomes the only member of the project's team.",
  params: Type.Object({ ...orgRef.properties, projectRef: Ref("Project id or slug") }),
  answer: Done,
  errors: ["organizationNotFound", "permissionMissing", "projectNotFound"],
});
