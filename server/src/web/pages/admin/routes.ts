// The administration.
import type { Route } from "../../../http/endpoint.js";
import { jobRoutes } from "./jobs.js";
import { noticeRoutes } from "./notices.js";
import { overviewRoutes } from "./overview.js";
import { peopleAndAuditRoutes } from "./people-and-audit.js";
import { settingsRoute } from "./settings.js";
import { storageRoute } from "./storage.js";
import { taxonomyRoutes } from "./taxonomy.js";

export const adminRoutes: Route[] = [
  ...overviewRoutes,
  settingsRoute,
  ...taxonomyRoutes,
  ...peopleAndAuditRoutes,
  ...jobRoutes,
  storageRoute,
  ...noticeRoutes,
];
