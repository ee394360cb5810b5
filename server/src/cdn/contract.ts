// The content host: URLs of stored bytes. Nothing here can run in a browser, and the caller matters only for content
// that is not public.
import Type from "typebox";
import { open, readable } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Ref } from "#platform/http/schemas.js";

const file = Type.String({
  minLength: 1,
  maxLength: 128,
  description: "File name, as the address of the picture has it",
  examples: ["default.png"],
});

const shared = {
  method: "GET",
  rate: "content",
  tag: "Content",
  answer: {
    raw: "image/webp",
    types: ["image/png"],
    description:
      "The picture. Uploaded ones are WebP, and default.png is a generated PNG for users and projects without one",
    isTagged: true,
  },
  errors: ["fileNotFound"],
} as const;

export const getUserPicture = endpoint({
  ...shared,
  id: "getUserPicture",
  path: "/cdn/data/user/:id/:file",
  access: open,
  summary: "Get a user's avatar or profile background",
  params: Type.Object({ id: Ref("User id"), file }),
});

export const getOrganizationPicture = endpoint({
  ...shared,
  id: "getOrganizationPicture",
  path: "/cdn/data/organization/:id/:file",
  access: open,
  summary: "Get an organization's icon",
  params: Type.Object({ id: Ref("Organization id"), file }),
});

export const getCollectionIcon = endpoint({
  ...shared,
  id: "getCollectionIcon",
  path: "/cdn/data/collection/:id/:file",
  access: readable("collection_read"),
  summary: "Get a collection's icon",
  params: Type.Object({ id: Ref("Collection id"), file }),
});

export const getProjectIcon = endpoint({
  ...shared,
  id: "getProjectIcon",
  path: "/cdn/data/project/:id/:file",
  access: readable("project_read"),
  summary: "Get a project's icon",
  params: Type.Object({ id: Ref("Project id"), file }),
});

export const getGalleryPicture = endpoint({
  ...shared,
  id: "getGalleryPicture",
  path: "/cdn/data/project/:id/gallery/:file",
  access: readable("project_read"),
  summary: "Get a picture of a project's gallery, or its thumbnail",
  params: Type.Object({ id: Ref("Project id"), file }),
});
