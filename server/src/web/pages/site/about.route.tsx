// The routes of the page in about.tsx.
import { readStatistics } from "#discovery/statistics/read.js";
import { open, readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { movedTo } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { pageRoute } from "#web/frame/page.js";
import { texts, textsIn } from "#words/texts.js";
import { About } from "./about.js";

export const aboutRoutes: Route[] = [
  pageRoute(
    { id: "getAboutPage", path: "/about", access: readable("user_read"), summary: "About this site" },
    async ({ request }, { db }) => {
      const t = textsIn(texts.site.about, localeOf(request));
      return {
        title: t.about,
        description: t.aboutLead,
        isTranslated: true,
        content: <About statistics={await readStatistics(db)} />,
      };
    },
  ),
  // Paths that people try; the reference itself is below /api.
  pageRoute(
    { id: "moveApiReference", path: "/docs/api", access: open, summary: "Redirects to the API reference" },
    async ({ reply }) => movedTo(reply, "/api/docs"),
  ),
  pageRoute(
    { id: "moveOpenApi", path: "/docs/openapi.json", access: open, summary: "Redirects to the OpenAPI document" },
    async ({ reply }) => movedTo(reply, "/api/docs/openapi.json"),
  ),
];
