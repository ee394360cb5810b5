// The taxonomy as clients read it: /api/tags/* (earlier-service 4.17).
import Type from "typebox";
import { open } from "../http/access.js";
import { endpoint } from "../http/endpoint.js";
import { Named, Ref } from "../http/schemas.js";
import { categoryKinds, releaseTypes } from "./document.js";

export const GameVersion = Named("GameVersion", {
  label: Type.String(),
  value: Type.String(),
  releaseType: Type.Enum([...releaseTypes]),
  major: Type.Boolean(),
});
const Category = Named("Category", {
  name: Type.String(),
  projectTypes: Type.Array(Type.String()),
  type: Type.Enum([...categoryKinds]),
  isDisplayed: Type.Boolean(),
});
export const Loader = Named("Loader", { name: Type.String(), supportedProjectTypes: Type.Array(Type.String()) });
const License = Named("Licence", {
  name: Type.String(),
  licenseId: Type.String(),
  url: Type.Optional(Type.String()),
  text: Type.Optional(Type.String()),
});

const type = Type.Optional(Type.String({ maxLength: 64, description: "Only those of this project type" }));

const shared = {
  method: "GET",
  access: open,
  rate: "search",
  tag: "Tags",
  // It changes when the operator changes it; five minutes late is early enough for a list of loaders.
  cacheControl: "public, max-age=300",
} as const;

export const getCategories = endpoint({
  ...shared,
  id: "getCategories",
  path: "/api/tags/categories",
  summary: "List categories",
  query: Type.Object({ type, namesOnly: Type.Optional(Type.String({ description: "true: only the names" })) }),
  answer: Type.Union([Type.Array(Category), Type.Array(Type.String())]),
});

export const getGameVersions = endpoint({
  ...shared,
  id: "getGameVersions",
  path: "/api/tags/game-versions",
  summary: "List game versions, newest first",
  answer: Type.Array(GameVersion),
});

export const getLoaders = endpoint({
  ...shared,
  id: "getLoaders",
  path: "/api/tags/loaders",
  summary: "List loaders",
  query: Type.Object({ type }),
  answer: Type.Array(Loader),
});

export const getLicenses = endpoint({
  ...shared,
  id: "getLicenses",
  path: "/api/tags/licenses",
  summary: "List licences",
  answer: Type.Array(License),
});

export const getFeaturedLicenses = endpoint({
  ...shared,
  id: "getFeaturedLicenses",
  path: "/api/tags/licenses/featured",
  summary: "List the licences that authors are offered first",
  answer: Type.Array(License),
});

export const getLicense = endpoint({
  ...shared,
  id: "getLicense",
  path: "/api/tags/licenses/:id",
  summary: "Get a licence",
  params: Type.Object({ id: Ref("SPDX identifier or one of this site's own, in any case", "MIT") }),
  answer: License,
  errors: ["licenseNotFound"],
});

export const getProjectTypes = endpoint({
  ...shared,
  id: "getProjectTypes",
  path: "/api/tags/project-types",
  summary: "List project types",
  answer: Type.Array(Type.String()),
});

export const getApiScopes = endpoint({
  ...shared,
  id: "getApiScopes",
  path: "/api/tags/api-scopes",
  summary: "List all scopes",
  description: "The last nine are restricted: they exist for browser sessions only.",
  answer: Type.Array(Type.String()),
});
