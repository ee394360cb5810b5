// The website: its pages and what they load.
import type { EndpointSpec, Route } from "#platform/http/endpoint.js";
import { accentRoutes } from "./accent.js";
import { assetRoutes } from "./assets.js";
import { docsRoutes } from "./docs/routes.js";
import { logoRoutes } from "./logo.js";
import { accountRoutes } from "./pages/account/routes.js";
import { adminRoutes } from "./pages/admin/routes.js";
import { browseRoutes } from "./pages/browse/routes.js";
import { communityRoutes } from "./pages/community/routes.js";
import { dashboardRoutes } from "./pages/dashboard/routes.js";
import { deskRoutes } from "./pages/moderation/routes.js";
import { projectPageRoutes } from "./pages/project/routes.js";
import { projectSettingsRoutes } from "./pages/project-settings/routes.js";
import { publishRoutes } from "./pages/publish/routes.js";
import { resetRoutes } from "./pages/reset.js";
import { setupRoutes } from "./pages/setup.js";
import { siteRoutes } from "./pages/site/routes.js";
import { teamAnswerRoutes } from "./pages/teams/answers.js";
import { unsubscribeRoutes } from "./pages/unsubscribe.js";
import { verifyRoutes } from "./pages/verify.js";
import { preferenceRoutes } from "./preference-routes.js";

/** `described` is what the API reference is about. */
export const webRoutes = (described: readonly EndpointSpec[]): Route[] => [
  ...docsRoutes(described),
  ...assetRoutes,
  ...accentRoutes,
  ...logoRoutes,
  ...browseRoutes,
  ...projectPageRoutes,
  ...accountRoutes,
  ...dashboardRoutes,
  ...teamAnswerRoutes,
  ...communityRoutes,
  ...siteRoutes,
  ...deskRoutes,
  ...adminRoutes,
  ...publishRoutes,
  ...projectSettingsRoutes,
  ...preferenceRoutes,
  ...setupRoutes,
  ...resetRoutes,
  ...verifyRoutes,
  ...unsubscribeRoutes,
];
