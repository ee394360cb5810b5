// Terms, rules, privacy, copyright, security: the operator's own text, or the default text.
import { type LegalName, legalNames } from "#operations/legal/texts.js";
import type { SafeHtml } from "#platform/markdown/render.js";
import { useTexts } from "#web/context/texts.js";
import { ButtonLink } from "#web/parts/button.js";
import { Markdown } from "#web/parts/markdown.js";
import { Notice } from "#web/parts/notice.js";
import { Tabs } from "#web/parts/tabs.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";

interface Props {
  name: LegalName;
  html: SafeHtml;
  /** Undefined if the operator has not written one. */
  dateUpdated: number | undefined;
  isAdmin: boolean;
}

export const Legal = ({ name, html, dateUpdated, isAdmin }: Props) => {
  const t = useTexts(texts.site.legal);
  return (
    <div class="stack plain-page">
      <h1>{t.titles[name]}</h1>
      <Tabs label={t.pages} tabs={legalNames.map((each) => ({ href: `/legal/${each}`, text: t.titles[each] }))} />
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
