// The routes of the page in settings.tsx, and the start of the settings.
import { describeSettings } from "#config/config.js";
import type { Route } from "#platform/http/endpoint.js";
import { localeOf } from "#web/context/preferences.js";
import { pageRoute } from "#web/frame/page.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { adminPage } from "./admin-frame.js";
import { Settings } from "./settings.js";

export const settingsRoutes: Route[] = [
  pageRoute(
    { id: "getAdminSettingsPage", path: "/admin/settings", access: forAdmins, summary: "The first page of settings" },
    async ({ reply }) => reply.redirect("/admin/settings/general", 302),
  ),

  pageRoute(
    { id: "getAllSettingsPage", path: "/admin/settings/all", access: forAdmins, summary: "All settings in effect" },
    async ({ request }, { config }) => {
      const described = new Map(describeSettings(config).map((each) => [each.name, each]));
      return adminPage({ tab: "settings", locale: localeOf(request) }, <Settings described={described} />);
    },
  ),
];
