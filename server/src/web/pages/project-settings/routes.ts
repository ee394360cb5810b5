// The pages of a project for its team.
import type { Route } from "#platform/http/endpoint.js";
import { analyticsRoutes } from "./analytics.js";
import { ciKeyRoutes } from "./ci-keys.js";
import { deleteProjectRoutes } from "./delete-project.js";
import { descriptionRoutes } from "./description.js";
import { galleryRoutes } from "./gallery.route.js";
import { generalRoutes } from "./general.js";
import { licenseRoutes } from "./license.js";
import { linkRoutes } from "./links.js";
import { memberActRoutes } from "./member-acts.js";
import { memberRoutes } from "./members.js";
import { moderationRoutes } from "./moderation.route.js";
import { moveRoutes } from "./move.js";
import { moveUndoRoutes } from "./move-undo.js";
import { publishingRoutes } from "./publishing.route.js";
import { tagRoutes } from "./tags.js";
import { trustedPublisherRoutes } from "./trusted-publishers.js";

export const projectSettingsRoutes: Route[] = [
  ...generalRoutes,
  ...deleteProjectRoutes,
  ...descriptionRoutes,
  ...tagRoutes,
  ...licenseRoutes,
  ...linkRoutes,
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
