// The dashboard: what needs the user's attention, and what belongs to them.
import type { Route } from "#platform/http/endpoint.js";
import { analyticsPageRoutes } from "./analytics.route.js";
import { followedAuthorRoutes } from "./followed-authors.route.js";
import { libraryRoutes } from "./library.route.js";
import { listRoutes } from "./lists.route.js";
import { notificationPageRoutes } from "./notifications.route.js";
import { overviewRoutes } from "./overview.route.js";
import { ownProjectRoutes } from "./projects.route.js";
import { reportPageRoutes } from "./reports.route.js";
import { uploadPageRoutes } from "./uploads.route.js";

export const dashboardRoutes: Route[] = [
  ...overviewRoutes,
  ...notificationPageRoutes,
  ...ownProjectRoutes,
  ...listRoutes,
  ...uploadPageRoutes,
  ...libraryRoutes,
  ...followedAuthorRoutes,
  ...reportPageRoutes,
  ...analyticsPageRoutes,
];
