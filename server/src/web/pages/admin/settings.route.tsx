// The routes of the page in settings.tsx.
import { describeSettings } from "#config/config.js";
import { localeOf } from "#web/context/preferences.js";
import { pageRoute } from "#web/frame/page.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { adminPage } from "./admin-frame.js";
import { Settings } from "./settings.js";

export const settingsRoute = pageRoute(
  { id: "getAdminSettingsPage", path: "/admin/settings", access: forAdmins, summary: "The settings in effect" },
  async ({ request }, { config }) => {
    const described = new Map(describeSettings(config).map((each) => [each.name, each]));
    return adminPage({ tab: "settings", locale: localeOf(request) }, <Settings described={described} />);
  },
);
