// The taxonomy as clients read it: /api/tags/* (earlier-service 4.17).
import Type from "typebox";
import { open } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Choice, Named, Ref, Switch } from "#platform/http/schemas.js";
import type { categoryKinds, releaseTypes } from "./terms.js";

export const GameVersion = Named(
  "GameVersion",
  {
    label: Type.String({ description: "Display name" }),
    value: Type.String({ description: "The value that filters and versions use" }),
    releaseType: Choice(
      {
        release: "A finished version",
        beta: "A beta",
        alpha: "An alpha",
        "pre-release": "A version shortly before a release",
        snapshot: "A development version",
      } satisfies Record<(typeof releaseTypes)[number], string>,
      { description: "How finished the game version is" },
    ),
    major: Type.Boolean({ description: "Whether it is a larger release" }),
  },
  { description: "A version of the game" },
);
const Category = Named(
  "Category",
  {
    name: Type.String({ description: "Name of the category" }),
    projectTypes: Type.Array(Type.String(), { description: "Project types that can have it" }),
    type: Choice(
      {
        category: "Topic of a project",
        feature: "Feature of a project",
        resolution: "Resolution of its textures",
        performance_impact: "Performance impact",
      } satisfies Record<(typeof categoryKinds)[number], string>,
      { description: "Kind of category" },
    ),
    isDisplayed: Type.Boolean({ description: "Whether lists of projects show it" }),
  },
  { description: "A category that projects can have" },
);
export const Loader = Named(
  "Loader",
  {
    name: Type.String({ description: "Name of the loader" }),
    supportedProjectTypes: Type.Array(Type.String(), { description: "Project types that it loads" }),
  },
  { description: "A program that loads add-ons into the game" },
);
const License = Named(
  "Licence",
  {
    name: Type.String({ description: "Full name" }),
    licenseId: Type.String({ description: "SPDX identifier, or an id of this site" }),
    url: Type.Optional(Type.String({ description: "URL of its text" })),
    text: Type.Optional(Type.String({ description: "Its text, if it has no URL" })),
  },
  { description: "A license that projects can have" },
);

const type = Type.Optional(Type.String({ maxLength: 64, description: "Only for this project type" }));

const shared = {
  method: "GET",
  access: open,
  rate: "search",
  tag: "Tags",
  // Only the operator changes the taxonomy, so clients may be five minutes behind.
  cacheControl: "public, max-age=300",
} as const;

export const getCategories = endpoint({
  ...shared,
  id: "getCategories",
  path: "/api/tags/categories",
  summary: "List categories",
  query: Type.Object({ type, namesOnly: Switch("true: only the names of the categories") }),
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
  summary: "List licenses",
  answer: Type.Array(License),
});

export const getFeaturedLicenses = endpoint({
  ...shared,
  id: "getFeaturedLicenses",
  path: "/api/tags/licenses/featured",
  summary: "List the featured licenses",
  answer: Type.Array(License),
});

export const getLicense = endpoint({
  ...shared,
  id: "getLicense",
  path: "/api/tags/licenses/:id",
  summary: "Get a license",
  params: Type.Object({ id: Ref("SPDX identifier or an id of this site, in any case", "MIT") }),
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
