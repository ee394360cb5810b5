// The moderation desk.
import type { Route } from "#platform/http/endpoint.js";
import { fileRoutes } from "./files.route.js";
import { logRoute } from "./log.js";
import { overviewRoute } from "./overview.js";
import { peopleRoute } from "./people.js";
import { personRoutes } from "./person.route.js";
import { personNoteRoutes } from "./person-notes.route.js";
import { quarantineRoutes } from "./quarantine.js";
import { queueRoute } from "./queue.js";
import { reportRoutes } from "./report.route.js";
import { reportsRoute } from "./reports.js";
import { reviewRoutes } from "./review.route.js";
import { scanRoute } from "./scan.js";

export const deskRoutes: Route[] = [
  overviewRoute,
  queueRoute,
  ...reviewRoutes,
  reportsRoute,
  ...reportRoutes,
  ...fileRoutes,
  scanRoute,
  ...quarantineRoutes,
  peopleRoute,
  ...personRoutes,
  ...personNoteRoutes,
  logRoute,
];
