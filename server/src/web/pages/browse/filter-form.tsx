// The filters beside a list: each value has a checkbox that includes it, and another one that excludes it. A script shows
// the results of every choice at once (scripts/filters.ts). On phones the form is a sheet above the list.

import { disclosureTags } from "#content/shapes/disclosures.js";
import type { Category, Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { FacetCounts } from "#discovery/search/facet-memory.js";
import { environmentFilters } from "#discovery/search/facets.js";
import type { Children, Element } from "#lib/jsx-runtime.js";
import { fitsPlace, toPlace } from "#lib/placed-piece.js";
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
      <Facet name="v" title={t.facets.v} meaning={t.anyOf} values={gameVersions} isOpen {...counts} />
      <Facet name="l" title={t.facets.l} meaning={t.anyOf} values={loaders} isOpen {...counts} />
      {groups.map(({ kind, values }) => (
        <Facet key={kind} name="c" title={t.facets[kind]} meaning={t.allOf} values={values} {...counts} />
      ))}
      <Radios filters={filters} facets={facets} />
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

/** Chosen values that are unknown here, so that they can be seen and removed. */
const unknownAmong = ({ wanted, unwanted }: Choice, values: readonly Value[]): readonly Value[] =>
  [...wanted, ...unwanted]
    .filter((chosen) => !values.some(([value]) => value === chosen))
    .map((value) => [value, value] as const);

/** Each choice among so many values is kept by itself. Compressing a longer group takes longer than it saves. */
const mostWithChoice = 128;

interface CountedPart {
  /** Everything that the part depends on besides the counts, the language and the taxonomy. */
  key: string;
  isKept: boolean;
  counts: readonly string[];
  render(counts: readonly string[]): Element;
}

/** A part of the form whose counts are the only difference between many lists. */
function withCounts({ key, isKept, counts, render }: CountedPart): Children {
  const { locale, placed, typeSource } = useFrame();
  if (!placed || !isKept || !counts.every(fitsPlace)) return render(counts.map(toPlace));
  return placed.add(`filter ${locale} ${key}`, typeSource, counts, (place) => render(counts.map(() => place)));
}

const openSourceOf = { "": undefined, oss: true, "!oss": false } as const;
const licenseValues = ["", "oss", "!oss"] as const;

/** The filters of which one value can be chosen. */
const Radios = ({ filters, facets }: Pick<Props, "filters" | "facets">) => {
  const t = useTexts(texts.browse.list);
  const { locale } = useFrame();
  const format = useFormat();
  const license = licenseValues.find((value) => openSourceOf[value] === filters.openSource)!;
  const licenses = { "": t.licenses.any, oss: t.licenses.oss, "!oss": t.licenses.notOss };
  const channels = offeredChannels(filters.channel).map((value) => [value, channelName(value, locale)] as const);
  const environments = (["", ...environmentFilters] as const).map((value) => [value, t.environments[value]] as const);
  const sets = [
    { name: "ch", chosen: filters.channel ?? "", values: channels },
    { name: "e", chosen: filters.environment ?? "", values: environments },
    { name: "li", chosen: license, values: licenseValues.map((value) => [value, licenses[value]] as const) },
  ] as const;
  const counts = sets.flatMap(({ name, values }) =>
    values.flatMap(([value]) => (value === "" ? [] : format.count(facets[name][value] ?? 0))),
  );
  return withCounts({
    key: `radios ${sets.map(({ chosen }) => chosen)}`,
    isKept: true,
    counts,
    render(places) {
      let at = 0;
      return (
        <>
          {sets.map(({ name, chosen, values }) => (
            <fieldset key={name} class="facet">
              <legend>{t.facets[name]}</legend>
              {values.map(([value, text]) => (
                <label key={value} class="check">
                  <input type="radio" name={name} value={value} checked={chosen === value} />
                  {text} {value !== "" && <Shown of={`${name}.${value}`} count={places[at++]!} />}
                </label>
              ))}
            </fieldset>
          ))}
        </>
      );
    },
  });
};

interface FacetProps {
  name: ChoiceName;
  title: string;
  /** How several values are combined, in words. */
  meaning: string;
  values: readonly Value[];
  /** Visitors can choose other values too. */
  isOpen?: boolean;
  filters: Filters;
  facets: FacetCounts;
  available: FacetCounts;
}

/** Values that no project of the list has are left out, unless they are chosen; other filters do not hide any. */
const Facet = ({ name, title, meaning, values, isOpen = false, filters, facets, available }: FacetProps) => {
  const format = useFormat();
  const { wanted, unwanted } = filters[name];
  const unknown = isOpen ? unknownAmong(filters[name], values) : [];
  const countIn = (counts: FacetCounts, value: string) =>
    Object.hasOwn(counts[name], value) ? counts[name][value]! : 0;
  const shown = [
    ...unknown,
    ...values.filter(([value]) => wanted.includes(value) || unwanted.includes(value) || countIn(available, value) > 0),
  ];
  if (shown.length === 0) return null;
  const counts = shown.map(([value]) => format.count(countIn(facets, value)));
  const chosen = shown.filter(([value]) => wanted.includes(value) || unwanted.includes(value));
  const set = { name, title, meaning, shown, choice: filters[name] };
  const state = chosen.map(([value]) => (wanted.includes(value) ? value : `!${value}`));
  return withCounts({
    key: `${name} ${title}\n${state}\n${shown.map(([value]) => value).join("\n")}`,
    // Combinations of values, and texts of visitors, would fill the memory.
    isKept: chosen.length === 0 || (unknown.length === 0 && chosen.length === 1 && shown.length <= mostWithChoice),
    counts,
    render: (places) => <FacetSet {...set} counts={places} />,
  });
};

interface SetProps extends Pick<FacetProps, "name" | "title" | "meaning"> {
  shown: readonly Value[];
  choice: Choice;
  /** The number of results with each value, as it is shown. */
  counts: readonly string[];
}

const FacetSet = ({ name, title, meaning, shown, choice: { wanted, unwanted }, counts }: SetProps) => {
  const t = useTexts(texts.browse.list);
  return (
    <fieldset class="facet" data-find={t.findIn(title)}>
      <legend>
        {title} {shown.length > 1 && <span class="facet-meaning">{meaning}</span>}
      </legend>
      <div class="facet-values">
        {shown.map(([value, text], at) => (
          <FacetRow
            key={value}
            {...{ name, value, text, count: counts[at]! }}
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
  count: string;
  isWanted: boolean;
  isUnwanted: boolean;
}

const FacetRow = (row: RowProps) => {
  const { name, value, text, count, isWanted, isUnwanted } = row;
  // A chosen value can be any text of the visitor. Rows of other values differ between lists only in their count.
  if (isWanted || isUnwanted) return <WholeRow {...row} />;
  return fillHtml(`filter ${name} ${value}\n${text}`, [count], ([place]) => <WholeRow {...row} count={place!} />);
};

const WholeRow = ({ name, value, text, count, isWanted, isUnwanted }: RowProps) => {
  const exclude = useTexts(texts.browse.list).exclude(text);
  return (
    <div class="facet-row" data-pair>
      <label class="check">
        <input type="checkbox" name={name} value={value} checked={isWanted} />
        {(name === "l" || name === "c") && <TagIcon kind={name === "l" ? "loader" : "category"} name={value} />}
        <span dir="auto">{text}</span> <Shown of={`${name}.${value}`} count={count} />
      </label>
      <label class="facet-not" title={exclude}>
        <input type="checkbox" name={name} value={`!${value}`} checked={isUnwanted} aria-label={exclude} />
      </label>
    </div>
  );
};

const Shown = ({ of, count }: { of: string; count: string }) => (
  <span class="muted small" data-count={of}>
    {count}
  </span>
);
