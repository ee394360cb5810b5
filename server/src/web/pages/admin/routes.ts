// The administration.
import type { Route } from "#platform/http/endpoint.js";
import { backupRoutes } from "./backups.route.js";
import { inviteCodeRoutes } from "./invite-codes.route.js";
import { jobRoutes } from "./jobs.route.js";
import { legalEditingRoutes } from "./legal-editing.route.js";
import { logoFormRoutes } from "./logo-form.route.js";
import { mailSettingsRoutes } from "./mail-settings.route.js";
import { noticeRoutes } from "./notices.route.js";
import { overviewRoutes } from "./overview.route.js";
import { peopleAndAuditRoutes } from "./people-and-audit.route.js";
import { providerSettingsRoutes } from "./provider-settings.route.js";
import { scannerRoutes } from "./scanner.route.js";
import { settingsRoutes } from "./settings.route.js";
import { storageRoutes } from "./storage.route.js";
import { taxonomyRoutes } from "./taxonomy.route.js";
import { taxonomyEntryRoutes } from "./taxonomy-entries.route.js";
import { trialRoutes } from "./trials.route.js";
import { webSettingsRoutes } from "./web-settings.route.js";

export const adminRoutes: Route[] = [
  ...overviewRoutes,
  ...trialRoutes,
  ...settingsRoutes,
  ...mailSettingsRoutes,
  ...providerSettingsRoutes,
  ...backupRoutes,
  ...scannerRoutes,
  ...webSettingsRoutes,
  ...logoFormRoutes,
  ...taxonomyRoutes,
  ...taxonomyEntryRoutes,
  ...peopleAndAuditRoutes,
  ...inviteCodeRoutes,
  ...jobRoutes,
  ...storageRoutes,
  ...noticeRoutes,
  ...legalEditingRoutes,
];
