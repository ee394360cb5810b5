// The pages of organizations and their settings.
import type { Route } from "#platform/http/endpoint.js";
import { orgAnalyticsRoutes } from "./analytics.route.js";
import { orgDeletingRoutes } from "./deleting.route.js";
import { orgGeneralRoutes } from "./general.route.js";
import { orgLeavingRoutes } from "./leaving.route.js";
import { orgMemberRoutes } from "./members.route.js";
import { organizationPageRoutes } from "./organization.route.js";
import { orgProjectRoutes } from "./projects.route.js";

export const organizationRoutes: Route[] = [
  ...organizationPageRoutes,
  ...orgGeneralRoutes,
  ...orgDeletingRoutes,
  ...orgMemberRoutes,
  ...orgLeavingRoutes,
  ...orgProjectRoutes,
  ...orgAnalyticsRoutes,
];
