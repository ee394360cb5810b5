// The pages to create projects and versions.
import type { Route } from "#platform/http/endpoint.js";
import { editVersionRoutes } from "./edit-version.route.js";
import { markdownRoutes } from "./markdown-tools.route.js";
import { newProjectRoutes } from "./new-project.route.js";
import { newVersionRoutes } from "./new-version.route.js";
import { versionActRoutes } from "./version-acts.route.js";

export const publishRoutes: Route[] = [
  ...newProjectRoutes,
  ...newVersionRoutes,
  ...editVersionRoutes,
  ...versionActRoutes,
  ...markdownRoutes,
];
