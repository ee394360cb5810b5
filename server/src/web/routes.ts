// The website: its pages and the files that they load.
import type { EndpointSpec, Route } from "#platform/http/endpoint.js";
import { accentRoutes } from "./assets/accent.js";
import { assetRoutes } from "./assets/assets.js";
import { logoRoutes } from "./assets/logo.js";
import { docsRoutes } from "./docs/routes.js";
import { accountRoutes } from "./pages/account/routes.js";
import { adminRoutes } from "./pages/admin/routes.js";
import { browseRoutes } from "./pages/browse/routes.js";
import { collectionRoutes } from "./pages/collections/routes.js";
import { dashboardRoutes } from "./pages/dashboard/routes.js";
import { guideRoutes } from "./pages/guides/guides.route.js";
import { deskRoutes } from "./pages/moderation/routes.js";
import { organizationRoutes } from "./pages/organizations/routes.js";
import { projectPageRoutes } from "./pages/project/routes.js";
import { projectSettingsRoutes } from "./pages/project-settings/routes.js";
import { publishRoutes } from "./pages/publish/routes.js";
import { reportRoutes } from "./pages/reports/routes.js";
import { setupRoutes } from "./pages/setup/setup.route.js";
import { siteRoutes } from "./pages/site/routes.js";
import { teamAnswerRoutes } from "./pages/teams/answers.route.js";
import { userRoutes } from "./pages/users/routes.js";

/** `described`: the endpoints in the API reference. */
export const webRoutes = (described: readonly EndpointSpec[]): Route[] => [
  ...docsRoutes(described),
  ...guideRoutes(described),
  ...assetRoutes,
  ...accentRoutes,
  ...logoRoutes,
  ...browseRoutes,
  ...projectPageRoutes,
  ...accountRoutes,
  ...dashboardRoutes,
  ...teamAnswerRoutes,
  ...userRoutes,
  ...organizationRoutes,
  ...collectionRoutes,
  ...reportRoutes,
  ...siteRoutes,
  ...deskRoutes,
  ...adminRoutes,
  ...publishRoutes,
  ...projectSettingsRoutes,
  ...setupRoutes,
];
