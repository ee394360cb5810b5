// The website: its pages and what they load.
import type { EndpointSpec, Route } from "../http/endpoint.js";
import { assetRoutes } from "./assets.js";
import { docsRoutes } from "./docs/routes.js";
import { homeRoutes } from "./pages/home.js";
import { resetRoutes } from "./pages/reset.js";
import { setupRoutes } from "./pages/setup.js";
import { verifyRoutes } from "./pages/verify.js";

/** `described` is what the API reference is about. */
export const webRoutes = (described: readonly EndpointSpec[]): Route[] => [
  ...docsRoutes(described),
  ...assetRoutes,
  ...homeRoutes,
  ...setupRoutes,
  ...resetRoutes,
  ...verifyRoutes,
];
