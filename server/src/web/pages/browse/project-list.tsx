// A project list: search field, filters, results, pages.

import type { PreparedProject } from "#content/records/prepared-project.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { FacetCounts } from "#discovery/search/facet-memory.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { viewFor } from "#web/context/preferences.js";
import { useTypes } from "#web/context/project-types.js";
import { useTexts } from "#web/context/texts.js";
import { Notice } from "#web/parts/notice.js";
import { Pagination } from "#web/parts/pagination.js";
import { Picture } from "#web/parts/picture.js";
import type { Fit } from "#web/parts/project-card.js";
import { texts } from "#words/texts.js";
import { listActive } from "./active-filters.js";
import { FilterForm } from "./filter-form.js";
import { dateOf, type Filters } from "./filters.js";
import { type KeptCards, ListedCards } from "./kept-cards.js";
import type { Found } from "./people.js";
import { type Advice, Chips, type HrefOf, Nothing, Toolbar, ViewSwitch } from "./result-parts.js";
import { SearchTabs, type SearchTabsProps } from "./search-tabs.js";

interface Props {
  heading: string;
  path: string;
  filters: Filters;
  unknown: readonly string[];
  taxonomy: Taxonomy;
  facets: FacetCounts;
  available: FacetCounts;
  hrefOf: HrefOf;
  projects: readonly PreparedProject[];
  keptCards: KeptCards;
  total: number;
  /** The text with the most similar words instead of unknown ones. */
  meant: string | undefined;
  pages: number;
  fits: ReadonlyMap<string, Fit> | undefined;
  advice: readonly Advice[];
  people: readonly Found[];
  named: SearchTabsProps["named"];
}

export const ProjectList = (props: Props) => {
  const { heading, path, filters, unknown, taxonomy, facets, hrefOf, projects, total, pages, fits, advice } = props;
  const t = useTexts(texts.browse.list);
  const { views } = useFrame();
  const { typePath } = useTypes();
  const view = filters.view ?? viewFor(views, filters.type);
  const format = useFormat();
  const count = t.count(total, format.number(total));
  const active = listActive(filters).filter(({ kind }) => kind !== "text").length;
  return (
    <div class="browse">
      <div class="browse-head">
        <h1 dir="auto">{heading}</h1>
        <Toolbar filters={filters} active={active} />
        {(path === "/search" || filters.q !== "") && (
          <SearchTabs q={filters.q} path={path} types={facets.type} named={props.named} taxonomy={taxonomy} />
        )}
      </div>
      <FilterForm
        action={path}
        filters={filters}
        facets={facets}
        available={props.available}
        taxonomy={taxonomy}
        total={total}
        withType={filters.type !== undefined && typePath(filters.type) !== path}
      />
      <div class="browse-main stack">
        <div id="results" class="stack">
          {unknown.length > 0 && <Notice kind="warning" title={t.passedOver(format.series(unknown))} />}
          {props.meant !== undefined && (
            <p>
              {t.didYouMean} <a href={hrefOf({ ...filters, q: props.meant, page: 1 })}>{props.meant}</a>
            </p>
          )}
          <div class="results-head">
            <p class="muted" data-total>
              {count}
            </p>
            <Chips filters={filters} taxonomy={taxonomy} hrefOf={hrefOf} />
            {total > 0 && <ViewSwitch filters={filters} hrefOf={hrefOf} />}
          </div>
          <People people={props.people} />
          {total === 0 ? (
            <Nothing filters={filters} taxonomy={taxonomy} hrefOf={hrefOf} advice={advice} />
          ) : (
            <>
              <h2 class="visually-hidden">{heading}</h2>
              <ListedCards
                kept={props.keptCards}
                projects={projects}
                view={view}
                date={dateOf(filters.sort)}
                fits={fits}
              />
            </>
          )}
          <Pagination page={filters.page} pages={pages} hrefOf={(page) => hrefOf({ ...filters, page })} />
        </div>
        <p class="visually-hidden" role="status" data-announce />
      </div>
    </div>
  );
};

const People = ({ people }: { people: readonly Found[] }) => {
  const t = useTexts(texts.browse.list);
  if (people.length === 0) return null;
  return (
    <section class="stack">
      <h2 class="small muted">{t.people}</h2>
      <ul class="plain-list people in-row">
        {people.map(({ kind, name, href, picture }) => (
          <li key={href}>
            <Picture src={picture} size={40} round={kind === "user"} />
            <span>
              <a href={href} dir="auto">
                {name}
              </a>
              <span class="muted small">{t[kind]}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};
