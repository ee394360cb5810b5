// The filters beside a list: each value has a checkbox that includes it, and another one that excludes it. A script shows
// the results of every choice at once (scripts/filters.ts). On phones the form is a sheet above the list.

import { disclosureTags } from "#content/shapes/disclosures.js";
import type { Category, Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { FacetCounts } from "#discovery/search/facet-memory.js";
import { environmentFilters } from "#discovery/search/facets.js";
import { categoryName } from "#web/context/category-names.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { fillHtml } from "#web/context/kept-html.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { TagIcon } from "#web/parts/tag-icon.js";
import { texts } from "#words/texts.js";
import { channelName, offeredChannels } from "./channel-names.js";
import type { Choice, ChoiceName, Filters } from "./filters.js";

export const filterFormId = "filters";

interface Props {
  action: string;
  filters: Filters;
  facets: FacetCounts;
  /** The counts of all projects of the type, without other filters. */
  available: FacetCounts;
  taxonomy: Taxonomy;
  total: number;
  /** The list has all types, so the form sends the type; other lists have it in their path. */
  withType: boolean;
}

const categoryKinds = ["category", "feature", "resolution", "performance_impact"] as const satisfies Category["type"][];

export const FilterForm = ({ action, filters, facets, available, taxonomy, total, withType }: Props) => {
  const t = useTexts(texts.browse.list);
  const { tags } = useTexts(texts.parts.disclosures);
  const { locale } = useFrame();
  const format = useFormat();
  const categories = taxonomy.categoriesFor(filters.type);
  const groups = categoryKinds.map((kind) => ({
    kind,
    values: categories
      .filter(({ type }) => type === kind)
      .map(({ name }) => [name, categoryName(name, locale)] as const),
  }));
  const loaders = taxonomy.loadersFor(filters.type).map(({ name }) => [name, taxonomy.loaderLabel(name)] as const);
  const gameVersions = taxonomy.gameVersions.map(({ value, label }) => [value, label] as const);
  const counts = { filters, facets, available };
  return (
    <Form
      method="get"
      id={filterFormId}
      class="filters"
      action={action}
      popover="auto"
      aria-label={t.filters}
      data-filters
    >
      <div class="filters-head">
        <a class="skip wide-only" href="#results">
          {t.skipFilters}
        </a>
        <h2>{t.filters}</h2>
        <Button
          kind="quiet"
          small
          class="phone-only"
          type="button"
          popovertarget={filterFormId}
          popovertargetaction="hide"
        >
          {t.close}
        </Button>
      </div>
      {withType && filters.type !== undefined && <input type="hidden" name="type" value={filters.type} />}
      {filters.fit?.gameVersion && <input type="hidden" name="fit" value={filters.fit.gameVersion} />}
      {filters.fit?.loaders.map((loader) => (
        <input key={loader} type="hidden" name="fit" value={loader} />
      ))}
      <Facet name="v" title={t.facets.v} meaning={t.anyOf} values={withChosen(gameVersions, filters.v)} {...counts} />
      <Facet name="l" title={t.facets.l} meaning={t.anyOf} values={withChosen(loaders, filters.l)} {...counts} />
      {groups.map(({ kind, values }) => (
        <Facet key={kind} name="c" title={t.facets[kind]} meaning={t.allOf} values={values} {...counts} />
      ))}
      <fieldset class="facet">
        <legend>{t.facets.ch}</legend>
        {offeredChannels(filters.channel).map((value) => (
          <label key={value} class="check">
            <input type="radio" name="ch" value={value} checked={(filters.channel ?? "") === value} />
            {channelName(value, locale)} {value !== "" && <Count of={`ch.${value}`} count={facets.ch[value]} />}
          </label>
        ))}
      </fieldset>
      <fieldset class="facet">
        <legend>{t.facets.e}</legend>
        {(["", ...environmentFilters] as const).map((value) => (
          <label key={value} class="check">
            <input type="radio" name="e" value={value} checked={(filters.environment ?? "") === value} />
            {t.environments[value]} {value !== "" && <Count of={`e.${value}`} count={facets.e[value]} />}
          </label>
        ))}
      </fieldset>
      <fieldset class="facet">
        <legend>{t.facets.li}</legend>
        {(
          [
            ["", t.licenses.any, filters.openSource === undefined],
            ["oss", t.licenses.oss, filters.openSource === true],
            ["!oss", t.licenses.notOss, filters.openSource === false],
          ] as const
        ).map(([value, text, isChosen]) => (
          <label key={value} class="check">
            <input type="radio" name="li" value={value} checked={isChosen} />
            {text} {value !== "" && <Count of={`li.${value}`} count={facets.li[value]} />}
          </label>
        ))}
      </fieldset>
      <Facet
        name="d"
        title={t.facets.d}
        meaning={t.allOf}
        values={disclosureTags.map((tag) => [tag, tags[tag]] as const)}
        {...counts}
      />
      <div class="filters-foot">
        <Button data-show>{t.show(total, format.number(total))}</Button>
      </div>
    </Form>
  );
};

type Value = readonly [value: string, text: string];

/** Includes chosen values that are unknown here, so that they can be seen and removed. */
const withChosen = (values: readonly Value[], { wanted, unwanted }: Choice): readonly Value[] => {
  const known = new Set(values.map(([value]) => value));
  return [
    ...[...wanted, ...unwanted].filter((value) => !known.has(value)).map((value) => [value, value] as const),
    ...values,
  ];
};

interface FacetProps {
  name: ChoiceName;
  title: string;
  /** How several values are combined, in words. */
  meaning: string;
  values: readonly Value[];
  filters: Filters;
  facets: FacetCounts;
  available: FacetCounts;
}

/** Values that no project of the list has are left out, unless they are chosen; other filters do not hide any. */
const Facet = ({ name, title, meaning, values, filters, facets, available }: FacetProps) => {
  const t = useTexts(texts.browse.list);
  const { wanted, unwanted } = filters[name];
  const countIn = (counts: FacetCounts, value: string) =>
    Object.hasOwn(counts[name], value) ? counts[name][value]! : 0;
  const shown = values.filter(
    ([value]) => wanted.includes(value) || unwanted.includes(value) || countIn(available, value) > 0,
  );
  if (shown.length === 0) return null;
  return (
    <fieldset class="facet" data-find={t.findIn(title)}>
      <legend>
        {title} {shown.length > 1 && <span class="facet-meaning">{meaning}</span>}
      </legend>
      <div class="facet-values">
        {shown.map(([value, text]) => (
          <FacetRow
            key={value}
            {...{ name, value, text, count: countIn(facets, value) }}
            isWanted={wanted.includes(value)}
            isUnwanted={unwanted.includes(value)}
          />
        ))}
      </div>
    </fieldset>
  );
};

interface RowProps {
  name: ChoiceName;
  value: string;
  text: string;
  count: number;
  isWanted: boolean;
  isUnwanted: boolean;
}

const FacetRow = (row: RowProps) => {
  const { name, value, text, count, isWanted, isUnwanted } = row;
  const shown = useFormat().count(count);
  // A chosen value can be any text of the visitor. Rows of other values differ between lists only in their count.
  if (isWanted || isUnwanted) return <WholeRow {...row} shown={shown} />;
  return fillHtml(`filter ${name} ${value}\n${text}`, [shown], ([place]) => <WholeRow {...row} shown={place!} />);
};

const WholeRow = ({ name, value, text, shown, isWanted, isUnwanted }: RowProps & { shown: string }) => {
  const exclude = useTexts(texts.browse.list).exclude(text);
  return (
    <div class="facet-row" data-pair>
      <label class="check">
        <input type="checkbox" name={name} value={value} checked={isWanted} />
        {(name === "l" || name === "c") && <TagIcon kind={name === "l" ? "loader" : "category"} name={value} />}
        <span dir="auto">{text}</span> <Shown of={`${name}.${value}`} count={shown} />
      </label>
      <label class="facet-not" title={exclude}>
        <input type="checkbox" name={name} value={`!${value}`} checked={isUnwanted} aria-label={exclude} />
      </label>
    </div>
  );
};

const Count = ({ of, count = 0 }: { of: string; count?: number | undefined }) => (
  <Shown of={of} count={useFormat().count(count)} />
);

const Shown = ({ of, count }: { of: string; count: string }) => (
  <span class="muted small" data-count={of}>
    {count}
  </span>
);
