// The moderation desk.
import type { Route } from "#platform/http/endpoint.js";
import { applicationDeskRoutes } from "./applications.route.js";
import { fileRoutes } from "./files.route.js";
import { logRoute } from "./log.route.js";
import { overviewRoute } from "./overview.route.js";
import { peopleRoute } from "./people.route.js";
import { personRoutes } from "./person.route.js";
import { personNoteRoutes } from "./person-notes.route.js";
import { quarantineRoutes } from "./quarantine.route.js";
import { queueRoute } from "./queue.route.js";
import { reportRoutes } from "./report.route.js";
import { reportsRoute } from "./reports.route.js";
import { reviewRoutes } from "./review.route.js";
import { scanRoutes } from "./scan.route.js";

export const deskRoutes: Route[] = [
  overviewRoute,
  queueRoute,
  ...reviewRoutes,
  reportsRoute,
  ...reportRoutes,
  ...fileRoutes,
  ...scanRoutes,
  ...quarantineRoutes,
  peopleRoute,
  ...personRoutes,
  ...personNoteRoutes,
  ...applicationDeskRoutes,
  logRoute,
];
