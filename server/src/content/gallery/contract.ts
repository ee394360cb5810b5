// Endpoints of a project's gallery (earlier-service 4.7). The gallery is read with the project.
import Type from "typebox";
import { projectRef } from "#content/projects/contract.js";
import { GalleryItem } from "#content/shapes/project.js";
import { needs } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Done, DoneWith, Line, Nullable, Ref, Text } from "#platform/http/schemas.js";

export const highestIndex = 1024;

const GalleryTitle = Line("galleryTitle", { description: "Title of the picture", examples: ["Lamps at dusk"] });
const GalleryDescription = Nullable(Text("galleryDescription"), "Text below the picture");
const OrderIndex = Type.Integer({
  minimum: 0,
  maximum: highestIndex,
  description: "Pictures with a higher number come first; no two of a project have the same",
});
const Featured = Type.Boolean({ description: "Whether lists of projects show this picture; at most one of a project" });
const galleryItemRef = Type.Object({ ...projectRef.properties, id: Ref("Id of the picture in the gallery") });

const answer = DoneWith({ data: GalleryItem });
const shared = { tag: "Gallery", rate: "write", access: needs("project_write") } as const;
const refusals = ["projectNotFound", "permissionMissing"] as const;

export const createGalleryItem = endpoint({
  ...shared,
  id: "createGalleryItem",
  method: "POST",
  path: "/api/project/:ref/gallery",
  summary: "Add a picture to a project's gallery",
  description: "Without orderIndex, or with 0, the picture comes first. Needs edit_details.",
  params: projectRef,
  body: Type.Object({
    title: GalleryTitle,
    description: Type.Optional(GalleryDescription),
    orderIndex: Type.Optional(OrderIndex),
    featured: Type.Optional(Featured),
  }),
  files: {
    image: {
      required: true,
      maxBytes: ({ config }) => config.limits.galleryImageBytes,
      description: "The picture: PNG, JPEG, GIF or WebP",
      example: "screenshot.png",
    },
  },
  answer,
  errors: [...refusals, "wrongState", "imageUnusable", "quotaReached", "fileTooLarge"],
});

export const updateGalleryItem = endpoint({
  ...shared,
  id: "updateGalleryItem",
  method: "PATCH",
  path: "/api/project/:ref/gallery/:id",
  summary: "Edit a picture of a project's gallery",
  description: "Absent fields stay unchanged. Needs edit_details.",
  params: galleryItemRef,
  body: Type.Object({
    title: Type.Optional(GalleryTitle),
    description: Type.Optional(GalleryDescription),
    orderIndex: Type.Optional(OrderIndex),
    featured: Type.Optional(Featured),
  }),
  answer,
  errors: [...refusals, "galleryItemNotFound", "wrongState"],
});

export const deleteGalleryItem = endpoint({
  ...shared,
  id: "deleteGalleryItem",
  method: "DELETE",
  path: "/api/project/:ref/gallery/:id",
  summary: "Delete a picture of a project's gallery",
  description: "Needs edit_details.",
  params: galleryItemRef,
  answer: Done,
  errors: [...refusals, "galleryItemNotFound"],
});
