// The moderation desk.
import type { Route } from "#platform/http/endpoint.js";
import { fileRoutes } from "./files.js";
import { logRoute } from "./log.js";
import { overviewRoute } from "./overview.js";
import { peopleRoute } from "./people.js";
import { personRoutes } from "./person.js";
import { personNoteRoutes } from "./person-notes.js";
import { quarantineRoutes } from "./quarantine.js";
import { queueRoute } from "./queue.js";
import { reportRoutes } from "./report.js";
import { reportsRoute } from "./reports.js";
import { reviewRoutes } from "./review.js";
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
