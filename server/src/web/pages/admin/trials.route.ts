// The button that tests the storage. It uses POST, because the test has an effect.
import { tryStorage } from "#operations/administration/trials.js";
import type { Route } from "#platform/http/endpoint.js";
import { memberFormRoute } from "#web/frame/page.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { overviewPage } from "./overview.route.js";

export const trialRoutes: Route[] = [
  memberFormRoute(
    { id: "submitStorageTest", path: "/admin/test/storage", access: forAdmins, summary: "Test the file storage" },
    async ({ request }, resources) => overviewPage(request, resources, await tryStorage(resources)),
  ),
];
