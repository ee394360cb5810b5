// The dashboard: what waits for a user, and what is his.
import type { Route } from "#platform/http/endpoint.js";
import { analyticsPageRoutes } from "./analytics.js";
import { libraryRoutes } from "./library.js";
import { listRoutes } from "./lists.js";
import { notificationPageRoutes } from "./notifications.js";
import { overviewRoutes } from "./overview.js";
import { ownProjectRoutes } from "./projects.route.js";
import { reportPageRoutes } from "./reports.js";
import { uploadPageRoutes } from "./uploads.js";

export const dashboardRoutes: Route[] = [
  ...overviewRoutes,
  ...notificationPageRoutes,
  ...ownProjectRoutes,
  ...listRoutes,
  ...uploadPageRoutes,
  ...libraryRoutes,
  ...reportPageRoutes,
  ...analyticsPageRoutes,
];
