// Uploading and removing the logo of the site.

import { write } from "#platform/changes/write.js";
import { invalid } from "#platform/errors.js";
import type { Route } from "#platform/http/endpoint.js";
import { storeBackground } from "#platform/pictures/write.js";
import { applySettings } from "#platform/settings/live.js";
import { removeLogo, saveLogo } from "#platform/settings/logo.js";
import { attempt } from "#web/context/form.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { memberFormRoute } from "#web/frame/page.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { texts, textsIn } from "#words/texts.js";
import { brandingWith } from "./web-settings.route.js";

const path = "/admin/settings/branding";

export const logoFormRoutes: Route[] = [
  memberFormRoute(
    {
      id: "submitLogo",
      path: `${path}/logo`,
      access: forAdmins,
      summary: "Upload a logo for the site",
      files: { logo: { maxBytes: ({ config }) => config.limits.galleryImageBytes, description: "A picture" } },
    },
    async ({ actor, request, files, reply }, resources) => {
      const locale = localeOf(request);
      const problems = await attempt(
        async () => {
          const { bytes } = files.logo ?? {};
          if (!bytes?.length) throw invalid({ path: "logo", message: textsIn(texts.admin.logo, locale).missing });
          const picture = await storeBackground(resources, bytes);
          await write(resources, actor, (tx) => saveLogo(tx, resources.blobs, picture));
          await applySettings(resources);
        },
        { imageUnusable: "logo" },
      );
      return problems ? brandingWith(resources, locale, problems) : seeOther(reply, `${path}?did=saved`);
    },
  ),

  memberFormRoute(
    {
      id: "submitLogoRemoval",
      path: `${path}/logo/remove`,
      access: forAdmins,
      summary: "Remove the site's logo",
      errors: ["wrongState"],
    },
    async ({ actor, reply }, resources) => {
      await write(resources, actor, (tx) => removeLogo(tx));
      await applySettings(resources);
      return seeOther(reply, `${path}?did=saved`);
    },
  ),
];
