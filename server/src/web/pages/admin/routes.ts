// The administration.
import type { Route } from "#platform/http/endpoint.js";
import { inviteCodeRoutes } from "./invite-codes.js";
import { jobRoutes } from "./jobs.js";
import { legalEditingRoutes } from "./legal-editing.js";
import { logoFormRoutes } from "./logo-form.js";
import { noticeRoutes } from "./notices.js";
import { overviewRoutes } from "./overview.js";
import { peopleAndAuditRoutes } from "./people-and-audit.js";
import { settingsRoute } from "./settings.js";
import { storageRoutes } from "./storage.js";
import { taxonomyRoutes } from "./taxonomy.route.js";
import { trialRoutes } from "./trials.js";
import { webSettingsRoutes } from "./web-settings.js";

export const adminRoutes: Route[] = [
  ...overviewRoutes,
  ...trialRoutes,
  settingsRoute,
  ...webSettingsRoutes,
  ...logoFormRoutes,
  ...taxonomyRoutes,
  ...peopleAndAuditRoutes,
  ...inviteCodeRoutes,
  ...jobRoutes,
  ...storageRoutes,
  ...noticeRoutes,
  ...legalEditingRoutes,
];
