// The pages of a project.
import type { Route } from "#platform/http/endpoint.js";
import { addressRoutes } from "./addresses.js";
import { changelogRoute } from "./changelog.js";
import { dependentsRoute } from "./dependents.js";
import { descriptionRoute } from "./description.js";
import { downloadRoute } from "./download.js";
import { downloadZipRoute } from "./download-zip.js";
import { followRoutes } from "./follow.js";
import { galleryRoute } from "./gallery.js";
import { saveRoutes } from "./save.js";
import { statsRoutes } from "./stats.js";
import { versionRoute } from "./version.js";
import { versionsRoute } from "./versions.js";

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
