// The pages of a project for its team.
import type { Route } from "#platform/http/endpoint.js";
import { analyticsRoutes } from "./analytics.route.js";
import { ciKeyRoutes } from "./ci-keys.route.js";
import { deleteProjectRoutes } from "./delete-project.route.js";
import { descriptionRoutes } from "./description.route.js";
import { disclosureRoutes } from "./disclosures.route.js";
import { galleryRoutes } from "./gallery.route.js";
import { generalRoutes } from "./general.route.js";
import { licenseRoutes } from "./license.route.js";
import { linkRoutes } from "./links.route.js";
import { memberActRoutes } from "./member-acts.route.js";
import { memberRoutes } from "./members.route.js";
import { moderationRoutes } from "./moderation.route.js";
import { moveRoutes } from "./move.route.js";
import { moveUndoRoutes } from "./move-undo.route.js";
import { publishingRoutes } from "./publishing.route.js";
import { tagRoutes } from "./tags.route.js";
import { trustedPublisherRoutes } from "./trusted-publishers.route.js";

export const projectSettingsRoutes: Route[] = [
  ...generalRoutes,
  ...deleteProjectRoutes,
  ...descriptionRoutes,
  ...tagRoutes,
  ...licenseRoutes,
  ...linkRoutes,
  ...disclosureRoutes,
  ...galleryRoutes,
  ...memberRoutes,
  ...memberActRoutes,
  ...moveRoutes,
  ...moveUndoRoutes,
  ...publishingRoutes,
  ...ciKeyRoutes,
  ...trustedPublisherRoutes,
  ...analyticsRoutes,
  ...moderationRoutes,
];
