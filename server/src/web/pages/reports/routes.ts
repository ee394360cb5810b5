// The pages on which something is reported.
import type { Route } from "#platform/http/endpoint.js";
import { guestReportRoutes } from "./guest-report.route.js";
import { reportPageRoutes } from "./report.route.js";

export const reportRoutes: Route[] = [...reportPageRoutes, ...guestReportRoutes];
