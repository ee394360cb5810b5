// The pages of people, organizations and collections, and of reports about them.
import type { Route } from "#platform/http/endpoint.js";
import { collectionPageRoutes } from "./collection.js";
import { collectionCopyingRoutes } from "./collection-copying.js";
import { collectionDownloadRoutes } from "./collection-download.js";
import { collectionEditingRoutes } from "./collection-editing.js";
import { guestReportRoutes } from "./guest-report.js";
import { orgDeletingRoutes } from "./org-deleting.js";
import { orgGeneralRoutes } from "./org-general.js";
import { orgLeavingRoutes } from "./org-leaving.js";
import { orgMemberRoutes } from "./org-members.js";
import { orgProjectRoutes } from "./org-projects.js";
import { organizationPageRoutes } from "./organization.js";
import { reportPageRoutes } from "./report.js";
import { userPageRoutes } from "./user.js";

export const communityRoutes: Route[] = [
  ...userPageRoutes,
  ...organizationPageRoutes,
  ...orgGeneralRoutes,
  ...orgDeletingRoutes,
  ...orgMemberRoutes,
  ...orgLeavingRoutes,
  ...orgProjectRoutes,
  ...collectionPageRoutes,
  ...collectionCopyingRoutes,
  ...collectionDownloadRoutes,
  ...collectionEditingRoutes,
  ...reportPageRoutes,
  ...guestReportRoutes,
];
