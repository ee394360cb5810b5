// The pages of collections.
import type { Route } from "#platform/http/endpoint.js";
import { collectionPageRoutes } from "./collection.route.js";
import { collectionCopyingRoutes } from "./copying.route.js";
import { collectionDownloadRoutes } from "./download.route.js";
import { collectionEditingRoutes } from "./editing.route.js";
import { collectionFeaturingRoutes } from "./featuring.route.js";

export const collectionRoutes: Route[] = [
  ...collectionPageRoutes,
  ...collectionCopyingRoutes,
  ...collectionDownloadRoutes,
  ...collectionEditingRoutes,
  ...collectionFeaturingRoutes,
];
