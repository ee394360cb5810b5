// All routes of the Modrinth face (docs/modrinth.md).
import type { Route } from "#platform/http/endpoint.js";
import { modrinthEditRoutes } from "./edit-routes.js";
import { modrinthHashRoutes } from "./hash-routes.js";
import { modrinthProjectRoutes } from "./project-routes.js";
import { modrinthSearchRoutes } from "./search-routes.js";
import { modrinthTagRoutes } from "./tag-routes.js";
import { modrinthUserRoutes } from "./user-routes.js";
import { modrinthVersionRoutes } from "./version-routes.js";

export const modrinthRoutes: Route[] = [
  ...modrinthProjectRoutes,
  ...modrinthVersionRoutes,
  ...modrinthHashRoutes,
  ...modrinthSearchRoutes,
  ...modrinthTagRoutes,
  ...modrinthUserRoutes,
  ...modrinthEditRoutes,
];
