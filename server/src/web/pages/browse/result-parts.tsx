// The parts around the results of a list: active filters, sorting, and advice if nothing was found.

import type { DisclosureTag } from "#content/shapes/disclosures.js";
import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import { categoryName } from "#web/context/category-names.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { hasSetup, nameSetup, viewFor, views } from "#web/context/preferences.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { Icon } from "#web/parts/icon.js";
import { setupFor } from "#web/shared/fits.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";
import { type ActiveFilter, listActive, withoutFilters } from "./active-filters.js";
import { channelName } from "./channel-names.js";
import { filterFormId } from "./filter-form.js";
import { type Filters, pageSizes, sortNames } from "./filters.js";

export type HrefOf = (filters: Filters) => string;

/** "Not Quilt" */
function nameOf(filter: ActiveFilter, taxonomy: Taxonomy, locale: Locale): string {
  const t = textsIn(texts.browse.list, locale);
  if (filter.kind === "text") return t.quoted(filter.value);
  if (filter.kind === "environment") return t.environments[filter.value];
  if (filter.kind === "fit") return t.mySetup(nameSetup(filter.value, taxonomy.loaderLabel));
  if (filter.kind === "channel") return channelName(filter.value, locale);
  if (filter.kind === "license") return filter.isWanted ? t.licenses.oss : t.licenses.notOss;
  const name = {
    l: taxonomy.loaderLabel,
    v: (value: string) => value,
    c: (value: string) => categoryName(value, locale),
    d: (value: string) => textsIn(texts.parts.disclosures, locale).tags[value as DisclosureTag],
  }[filter.kind](filter.value);
  return filter.isWanted ? name : t.not(name);
}

interface ChipsProps {
  filters: Filters;
  taxonomy: Taxonomy;
  hrefOf: HrefOf;
}

export const Chips = ({ filters, taxonomy, hrefOf }: ChipsProps) => {
  const t = useTexts(texts.browse.list);
  const { locale, setup: chosen } = useFrame();
  const active = listActive(filters).filter(({ kind }) => kind !== "text");
  const setup = filters.type === undefined ? chosen : setupFor(chosen, taxonomy, [filters.type]);
  const isOffered = filters.fit === undefined && hasSetup(setup);
  if (active.length === 0 && !isOffered) return null;
  return (
    <ul class="chips" aria-label={t.active}>
      {active.map((filter) => {
        const name = nameOf(filter, taxonomy, locale);
        return (
          <li key={filter.key}>
            <a class="chip" href={hrefOf(filter.without)} aria-label={t.remove(name)}>
              {name} <span aria-hidden="true">×</span>
            </a>
          </li>
        );
      })}
      {isOffered && (
        <li>
          <a class="chip offer" href={hrefOf({ ...filters, fit: setup, page: 1 })}>
            <Icon name="filter" /> {t.forSetup(nameSetup(setup, taxonomy.loaderLabel))}
          </a>
        </li>
      )}
      {active.length > 1 && (
        <li>
          <a href={hrefOf(withoutFilters(filters))}>{t.clear}</a>
        </li>
      )}
    </ul>
  );
};

/** Parts of the filter form that are above the list. */
export const Toolbar = ({ filters, active }: { filters: Filters; active: number }) => {
  const t = useTexts(texts.browse.list);
  const sorts = filters.q === "" ? sortNames.filter((name) => name !== "relevance") : sortNames;
  const sort = filters.q === "" && filters.sort === "relevance" ? "trending" : filters.sort;
  return (
    <div class="toolbar">
      <Button kind="quiet" class="phone-only" type="button" popovertarget={filterFormId}>
        <Icon name="filter" /> {t.openFilters(active)}
      </Button>
      <Select name="sort" label={t.sortLabel} chosen={sort} options={sorts.map((name) => [name, t.sorts[name]])} />
      <Select
        name="n"
        label={t.perPage}
        chosen={String(filters.perPage)}
        options={pageSizes.map((size) => [String(size), String(size)])}
        isWide
      />
      <Button kind="quiet" small class="no-script" form={filterFormId}>
        {t.apply}
      </Button>
    </div>
  );
};

/** Stored for all lists of this type, so it is a separate form and not part of the URL. */
export const ViewSwitch = ({ filters, hrefOf }: { filters: Filters; hrefOf: HrefOf }) => {
  const t = useTexts(texts.browse.list);
  const { views: chosen } = useFrame();
  const now = filters.view ?? viewFor(chosen, filters.type);
  return (
    <Form class="view-switch wide-only" action="/settings/view" aria-label={t.view}>
      <input type="hidden" name="next" value={hrefOf({ ...filters, view: undefined })} />
      {filters.type !== undefined && <input type="hidden" name="type" value={filters.type} />}
      {views.map((view) => (
        <Button
          key={view}
          kind="quiet"
          class="icon-only"
          name="view"
          value={view}
          title={t.views[view]}
          aria-label={t.views[view]}
          aria-pressed={view === now}
        >
          <Icon name={view} />
        </Button>
      ))}
    </Form>
  );
};

interface SelectProps {
  name: string;
  label: string;
  chosen: string;
  options: readonly (readonly [string, string])[];
  isWide?: boolean;
}

const Select = ({ name, label, chosen, options, isWide = false }: SelectProps) => (
  <label class={isWide ? "choose wide-only" : "choose"}>
    <span>{label}</span>
    <select name={name} form={filterFormId}>
      {options.map(([value, text]) => (
        <option key={value} value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

/** The list without one filter, and its number of results. */
export interface Advice {
  filter: ActiveFilter;
  total: number;
}

interface NothingProps extends ChipsProps {
  advice: readonly Advice[];
}

export const Nothing = ({ filters, taxonomy, hrefOf, advice }: NothingProps) => {
  const t = useTexts(texts.browse.list);
  const { locale } = useFrame();
  const format = useFormat();
  const active = listActive(filters);
  if (active.length === 0)
    return (
      <EmptyState title={t.nothingYet} action={{ href: "/new", text: t.publish }}>
        <p>{t.nothingYetText}</p>
      </EmptyState>
    );
  const href = hrefOf({ ...withoutFilters(filters), q: "" });
  if (active.every(({ kind }) => kind === "text"))
    return (
      <EmptyState title={t.nothing} action={{ href, text: t.browseAll }}>
        <p>{t.otherWords}</p>
      </EmptyState>
    );
  return (
    <EmptyState title={t.nothing} action={{ href, text: t.clear }}>
      {advice.length > 0 && (
        <>
          <p>{t.withFewer}</p>
          <ul class="plain-list">
            {advice.map(({ filter, total }) => (
              <li key={filter.key}>
                <a href={hrefOf(filter.without)}>
                  {t.withoutIt(nameOf(filter, taxonomy, locale), t.count(total, format.number(total)))}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </EmptyState>
  );
};
