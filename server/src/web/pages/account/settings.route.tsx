// The routes of the page in settings.tsx.
import Type from "typebox";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { open } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { pageRoute } from "#web/frame/page.js";
import { texts } from "#words/texts.js";
import { Display } from "./settings.js";
import { settingsPage, wordsFor } from "./settings-frame.js";

export const settingsRoutes: Route[] = [
  pageRoute(
    {
      id: "getSettingsPage",
      path: "/settings",
      access: open,
      summary: "Theme, density, language and set-up",
      query: Type.Object({ done: Type.Optional(Type.String()) }),
    },
    async ({ request, query }, resources) => {
      const t = wordsFor(request, texts.account.settings);
      return settingsPage({
        title: t.settings,
        done: query.done === undefined ? undefined : t.saved,
        children: <Display taxonomy={await getTaxonomy(resources)} />,
      });
    },
  ),
];
