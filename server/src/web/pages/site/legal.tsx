// Terms, rules, privacy, copyright, security: as the operator wrote them, or as they come with the software.

import Type from "typebox";
import { findLegalText, isLegalName, type LegalName, legalNames } from "#operations/legal/texts.js";
import { fail } from "#platform/errors.js";
import { readable } from "#platform/http/access.js";
import type { Route } from "#platform/http/endpoint.js";
import { localeOf } from "#web/context/preferences.js";
import { useTexts } from "#web/context/texts.js";
import { pageRoute } from "#web/frame/page.js";
import { renderMarkdown, type SafeHtml } from "#web/markdown/render.js";
import { ButtonLink } from "#web/parts/button.js";
import { Markdown } from "#web/parts/markdown.js";
import { Notice } from "#web/parts/notice.js";
import { Tabs } from "#web/parts/tabs.js";
import { Time } from "#web/parts/time.js";
import { texts, textsIn } from "#words/texts.js";

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
        // What nobody has reviewed, no search engine needs to know.
        ...(own && { description: t.titles[page] }),
        content: <Legal name={page} html={html} dateUpdated={own?.dateUpdated} isAdmin={isAdmin} />,
      };
    },
  ),
];

interface Props {
  name: LegalName;
  html: SafeHtml;
  /** Undefined where the operator has written none. */
  dateUpdated: number | undefined;
  isAdmin: boolean;
}

const Legal = ({ name, html, dateUpdated, isAdmin }: Props) => {
  const t = useTexts(texts.site.legal);
  return (
    <div class="stack plain-page">
      <Tabs label={t.pages} tabs={legalNames.map((each) => ({ href: `/legal/${each}`, text: t.titles[each] }))} />
      <h1>{t.titles[name]}</h1>
      {dateUpdated === undefined ? (
        <Notice kind="warning" title={t.notReviewed}>
          <p>{t.notReviewedText}</p>
        </Notice>
      ) : (
        <p class="muted small">
          {t.updated} <Time at={dateUpdated} exact />
        </p>
      )}
      <Markdown html={html} />
      {isAdmin && (
        <p>
          <ButtonLink kind="quiet" href={`/admin/legal?page=${name}`}>
            {t.edit}
          </ButtonLink>
        </p>
      )}
    </div>
  );
};
