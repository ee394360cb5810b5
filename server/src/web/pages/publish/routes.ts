// The pages to create projects and versions.
import type { Route } from "#platform/http/endpoint.js";
import { editVersionRoutes } from "./edit-version.js";
import { markdownRoutes } from "./markdown-tools.js";
import { newProjectRoutes } from "./new-project.js";
import { newVersionRoutes } from "./new-version.js";
import { versionActRoutes } from "./version-acts.js";

export const publishRoutes: Route[] = [
  ...newProjectRoutes,
  ...newVersionRoutes,
  ...editVersionRoutes,
  ...versionActRoutes,
  ...markdownRoutes,
];
