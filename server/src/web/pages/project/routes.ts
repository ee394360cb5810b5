// The pages of a project.
import type { Route } from "#platform/http/endpoint.js";
import { addressRoutes } from "./addresses.route.js";
import { changelogRoute } from "./changelog.route.js";
import { dependentsRoute } from "./dependents.route.js";
import { descriptionRoute } from "./description.route.js";
import { downloadRoute } from "./download.route.js";
import { downloadZipRoute } from "./download-zip.js";
import { followRoutes } from "./follow.route.js";
import { galleryRoute } from "./gallery.route.js";
import { saveRoutes } from "./save.route.js";
import { statsRoutes } from "./stats.route.js";
import { versionRoute } from "./version.route.js";
import { versionsRoute } from "./versions.route.js";

export const projectPageRoutes: Route[] = [
  descriptionRoute,
  galleryRoute,
  changelogRoute,
  versionsRoute,
  ...addressRoutes,
  versionRoute,
  dependentsRoute,
  ...statsRoutes,
  downloadRoute,
  downloadZipRoute,
  ...followRoutes,
  ...saveRoutes,
];
