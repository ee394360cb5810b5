// Collections: lists of projects that users put together (earlier-service 4.12).
import Type from "typebox";
import { ProjectListItem } from "#content/shapes/project.js";
import { needs, readable } from "#platform/http/access.js";
import { endpoint, type FilePart } from "#platform/http/endpoint.js";
import { Described, Done, DoneWith, Id, Line, Nullable, pictureText, Ref, Text } from "#platform/http/schemas.js";
import { Collection, CollectionOwner, CollectionVisibility, maxCollectedProjects } from "./shapes.js";

const tag = "Collections";
const collectionRef = Type.Object({
  id: Ref("Id of the collection, or follows for the projects that you follow: a private collection of your own"),
});

const Name = Line("collectionName", { description: "Name of the collection", examples: ["Lamps for winter"] });
const Description = Nullable(
  Text("collectionDescription", { examples: ["Everything that glows"] }),
  "A description; null or empty removes it",
);
const ProjectRefs = Type.Array(Type.String({ minLength: 1, maxLength: 64, examples: ["kX3vQ9aB"] }), {
  maxItems: maxCollectedProjects,
  description: "Ids or slugs; unknown ones are passed over",
});
const icon: FilePart = {
  maxBytes: ({ config }) => config.limits.iconBytes,
  description: "The icon: PNG, JPEG, GIF or WebP",
  example: "icon.png",
};

export const getOwnCollections = endpoint({
  id: "getOwnCollections",
  method: "GET",
  path: "/api/collections",
  access: needs("collection_read"),
  rate: "read",
  tag,
  summary: "List your collections",
  description: "Newest first.",
  answer: Type.Array(Collection),
});

export const getUserCollections = endpoint({
  id: "getUserCollections",
  method: "GET",
  path: "/api/user/:ref/collections",
  access: readable("user_read", "collection_read"),
  rate: "read",
  tag,
  summary: "List a user's collections",
  description: "Newest first. The public ones; users see all of their own.",
  params: Type.Object({ ref: Ref("User id or username", "ada") }),
  answer: Type.Array(Collection),
  errors: ["userNotFound"],
});

export const createCollection = endpoint({
  id: "createCollection",
  method: "POST",
  path: "/api/collections",
  access: needs("collection_create"),
  rate: "write",
  tag,
  summary: "Create a collection",
  body: Type.Object({
    name: Name,
    description: Type.Optional(Description),
    visibility: Type.Optional(CollectionVisibility),
    projects: Type.Optional(ProjectRefs),
  }),
  answer: DoneWith({ collectionId: Described(Id, "Id of the collection") }),
  errors: ["limitReached"],
});

const reading = {
  method: "GET",
  access: readable("collection_read"),
  rate: "read",
  tag,
  params: collectionRef,
  errors: ["collectionNotFound"],
} as const;

export const getCollection = endpoint({
  ...reading,
  id: "getCollection",
  path: "/api/collections/:id",
  summary: "Get a collection",
  answer: Collection,
});

export const getCollectionProjects = endpoint({
  ...reading,
  id: "getCollectionProjects",
  ready: true,
  path: "/api/collections/:id/projects",
  access: readable("collection_read", "project_read"),
  rate: "bulk",
  summary: "List the projects of a collection",
  description: "Most downloaded first.",
  answer: Type.Array(ProjectListItem),
});

export const getCollectionOwner = endpoint({
  ...reading,
  id: "getCollectionOwner",
  path: "/api/collections/:id/owner",
  summary: "Get whose a collection is",
  answer: CollectionOwner,
});

const writing = {
  access: needs("collection_write"),
  rate: "write",
  tag,
  params: collectionRef,
} as const;
const refusals = ["collectionNotFound", "ownerOnly"] as const;

export const editCollection = endpoint({
  ...writing,
  id: "editCollection",
  method: "PATCH",
  path: "/api/collections/:id",
  summary: "Edit a collection",
  description: "For its owner and moderators. Absent fields stay unchanged.",
  body: Type.Object({
    name: Type.Optional(Name),
    description: Type.Optional(Description),
    visibility: Type.Optional(CollectionVisibility),
    icon: Type.Optional(Nullable(Type.String({ maxLength: 512 }), pictureText)),
  }),
  files: { icon },
  answer: Done,
  errors: [...refusals, "wrongState", "imageUnusable", "quotaReached", "fileTooLarge"],
});

export const deleteCollection = endpoint({
  ...writing,
  id: "deleteCollection",
  method: "DELETE",
  path: "/api/collections/:id",
  access: needs("collection_delete"),
  summary: "Delete a collection",
  description: "Its projects stay.",
  answer: Done,
  errors: [...refusals, "wrongState"],
});

const bulk = {
  ...writing,
  path: "/api/collections/:id/projects",
  body: Type.Object({ projects: ProjectRefs }),
} as const;

export const addCollectionProjects = endpoint({
  ...bulk,
  id: "addCollectionProjects",
  method: "PATCH",
  summary: "Add projects to a collection",
  description: "Adding to the collection follows means following the projects, which also needs the scope user_write.",
  answer: Done,
  errors: [...refusals, "limitReached"],
});

export const removeCollectionProjects = endpoint({
  ...bulk,
  id: "removeCollectionProjects",
  method: "DELETE",
  summary: "Take projects out of a collection",
  description: "Out of the collection follows: stops following them, which needs the scope user_write too.",
  answer: Done,
  errors: [...refusals],
});
