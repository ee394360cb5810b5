// Cases of reports: all reports about one target together, urgent ones first, then the oldest.
import type { ReportCase } from "#moderation/reports/shapes.js";
import { type ItemType, itemTypes } from "#moderation/reports/words.js";
import { useTexts } from "#web/context/texts.js";
import { ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Icon, type IconName } from "#web/parts/icon.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";
import { DeskFilters } from "./desk-filters.js";
import { ClaimMark } from "./desk-frame.js";

interface Query {
  status?: string;
  about?: string;
}

export const Reports = ({ cases, query }: { cases: readonly ReportCase[]; query: Query }) => {
  const t = useTexts(texts.moderation.report);
  const { itemTypes: names } = useTexts(texts.moderation.desk);
  return (
    <>
      <DeskFilters
        action="/moderation/reports"
        choices={[
          {
            ...{ name: "status", label: t.state, value: query.status, isOneOf: true },
            options: [
              ["open", t.open],
              ["closed", t.closed],
            ],
          },
          {
            ...{ name: "about", label: t.about, value: query.about },
            options: itemTypes.map((type) => [type, names[type]]),
          },
        ]}
      />
      {cases.length === 0 ? (
        <EmptyState
          title={query.status === "closed" ? t.noneClosed : t.empty}
          action={{ href: "/moderation/queue", text: t.toQueue }}
        >
          <p>{t.emptyText}</p>
        </EmptyState>
      ) : (
        <ul class="plain-list desk-rows">
          {cases.map((each) => (
            <CaseRow key={each.id} found={each} />
          ))}
        </ul>
      )}
    </>
  );
};

const marks: Record<ItemType, IconName> = { project: "gallery", version: "download", user: "user" };

const useCaseTitle = () => {
  const t = useTexts(texts.moderation.report);
  const { itemTypes: names, gone } = useTexts(texts.moderation.desk);
  return ({ itemType, item }: { itemType: ItemType; item: ReportCase["item"] }): string => {
    const name = item === null ? gone : itemType === "version" ? `${item.projectName} ${item.title}` : item.title;
    return t.title(names[itemType], name);
  };
};

const CaseRow = ({ found }: { found: ReportCase }) => {
  const t = useTexts(texts.moderation.report);
  const { reportTypes } = useTexts(texts.moderation.desk);
  const titleOf = useCaseTitle();
  return (
    <li class="card desk-row">
      <Icon name={marks[found.itemType]} />
      <div>
        <h2 dir="auto">
          <a href={`/moderation/report/${found.id}`}>{titleOf(found)}</a>
        </h2>
        <p class="tags">
          {found.isUrgent && <span class="pill alpha">{t.urgent}</span>}
          <span>{t.count(found.reportCount)}</span>
          {found.reportTypes.map((type) => (
            <span key={type}>{reportTypes[type]}</span>
          ))}
        </p>
      </div>
      <p class="small">
        <Time at={found.dateUpdated} />
        <br />
        <ClaimMark claim={found.claim} />
      </p>
      <ButtonLink kind="quiet" small href={`/moderation/report/${found.id}`} aria-label={t.reviewOf(titleOf(found))}>
        {t.review}
      </ButtonLink>
    </li>
  );
};
