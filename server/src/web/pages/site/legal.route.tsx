// The routes of the page in legal.tsx.
import Type from "typebox";
import { findLegalText, isLegalName } from "#operations/legal/texts.js";
import { fail } from "#platform/errors.js";
import { readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { renderMarkdown } from "#platform/markdown/render.js";
import { localeOf } from "#web/context/preferences.js";
import { pageRoute } from "#web/frame/page.js";
import { texts, textsIn } from "#words/texts.js";
import { Legal } from "./legal.js";

export const legalRoutes: Route[] = [
  pageRoute(
    {
      id: "getLegalPage",
      path: "/legal/:page",
      access: readable("user_read"),
      summary: "Terms, rules, privacy, copyright or security",
      params: Type.Object({ page: Type.String({ maxLength: 64, examples: ["rules"] }) }),
      errors: ["notFound"],
    },
    async ({ params: { page }, viewer, request }, { db, config }) => {
      if (!isLegalName(page)) throw fail.notFound();
      const t = textsIn(texts.site.legal, localeOf(request));
      const own = await findLegalText(db, page);
      const html = await renderMarkdown(own?.text ?? t.defaults[page], config.http);
      const isAdmin = viewer.kind !== "anonymous" && viewer.user.role === "admin";
      return {
        title: t.titles[page],
        // Default texts are not indexed.
        ...(own && { description: t.titles[page] }),
        content: <Legal name={page} html={html} dateUpdated={own?.dateUpdated} isAdmin={isAdmin} />,
      };
    },
  ),
];
