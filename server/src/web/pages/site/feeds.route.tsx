// The routes of the page in feeds.tsx.
import { readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { localeOf } from "#web/context/preferences.js";
import { pageRoute } from "#web/frame/page.js";
import { texts, textsIn } from "#words/texts.js";
import { Feeds } from "./feeds.js";
import { findOwnKeyDate } from "./following-feed.route.js";

export const feedPageRoutes: Route[] = [
  pageRoute(
    { id: "getFeedsPage", path: "/feeds", access: readable("user_read"), summary: "All feeds, explained" },
    async ({ request, viewer }, resources) => {
      const t = textsIn(texts.site.feeds, localeOf(request));
      return {
        title: t.title,
        description: t.lead,
        isTranslated: true,
        feeds: [
          { href: "/feeds/releases.atom", type: "application/atom+xml", title: t.releases },
          { href: "/feeds/projects.atom", type: "application/atom+xml", title: t.projects },
        ],
        content: <Feeds made={await findOwnKeyDate(resources, viewer)} />,
      };
    },
  ),
];
