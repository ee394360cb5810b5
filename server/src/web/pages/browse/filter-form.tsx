// The filters beside a list: for each value "any", "only" or "not" as plain radio buttons; a script replaces them with
// one button each (scripts/filters.ts). On phones the form is a sheet above the list.

import type { Category, Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { FacetCounts } from "#discovery/search/facet-memory.js";
import { sides } from "#discovery/search/facets.js";
import { categoryName } from "#web/context/category-names.js";
import { useFormat, useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { texts } from "#words/texts.js";
import { channelName, offeredChannels } from "./channel-names.js";
import type { Choice, ChoiceName, Filters } from "./filters.js";

export const filterFormId = "filters";

interface Props {
  action: string;
  filters: Filters;
  facets: FacetCounts;
  taxonomy: Taxonomy;
  total: number;
  /** The list has all types, so the form sends the type; other lists have it in their path. */
  withType: boolean;
}

const categoryKinds = ["category", "feature", "resolution", "performance_impact"] as const satisfies Category["type"][];

export const FilterForm = ({ action, filters, facets, taxonomy, total, withType }: Props) => {
  const t = useTexts(texts.browse.list);
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
  return (
    <Form
      method="get"
      id={filterFormId}
      class="filters"
      action={action}
      popover="auto"
      aria-label={t.filters}
      data-filters
      data-only={t.tri.only}
      data-not={t.tri.not}
    >
      <div class="filters-head">
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
      <Facet
        name="v"
        title={t.facets.v}
        values={withChosen(gameVersions, filters.v)}
        chosen={filters.v}
        counts={facets.v}
      />
      <Facet name="l" title={t.facets.l} values={withChosen(loaders, filters.l)} chosen={filters.l} counts={facets.l} />
      {groups.map(({ kind, values }) => (
        <Facet key={kind} name="c" title={t.facets[kind]} values={values} chosen={filters.c} counts={facets.c} />
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
        {sides.map((side) => (
          <label key={side} class="check">
            <input type="checkbox" name="e" value={side} checked={filters.sides.includes(side)} />
            {t.sides[side]} <Count of={`e.${side}`} count={facets.e[side]} />
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
      <div class="filters-foot">
        <p class="small muted needs-script-block">{t.notHint}</p>
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
  values: readonly Value[];
  chosen: Choice;
  counts: Record<string, number>;
}

/** Values that would find nothing are left out, unless they are chosen. */
const Facet = ({ name, title, values, chosen, counts }: FacetProps) => {
  const t = useTexts(texts.browse.list);
  const isSet = (value: string) => chosen.wanted.includes(value) || chosen.unwanted.includes(value);
  const countOf = (value: string) => (Object.hasOwn(counts, value) ? counts[value] : undefined);
  const shown = values.filter(([value]) => isSet(value) || (countOf(value) ?? 0) > 0);
  if (shown.length === 0) return null;
  return (
    <fieldset class="facet" data-find={t.findIn(title)}>
      <legend>{title}</legend>
      <div class="facet-values">
        {shown.map(([value, text]) => (
          <TriState
            key={value}
            name={`${name}.${value}`}
            text={text}
            state={chosen.wanted.includes(value) ? "only" : chosen.unwanted.includes(value) ? "not" : ""}
            count={countOf(value)}
          />
        ))}
      </div>
    </fieldset>
  );
};

interface TriProps {
  name: string;
  text: string;
  state: "" | "only" | "not";
  count: number | undefined;
}

const TriState = ({ name, text, state, count }: TriProps) => {
  const { tri } = useTexts(texts.browse.list);
  const id = `name-${name}`;
  return (
    <div class="tri" role="radiogroup" aria-labelledby={id} data-tri>
      <span id={id} class="tri-name" dir="auto">
        <span data-name>{text}</span> <Count of={name} count={count} />
      </span>
      {(
        [
          ["", tri.any],
          ["only", tri.only],
          ["not", tri.not],
        ] as const
      ).map(([value, word]) => (
        <label key={value}>
          <input type="radio" name={name} value={value} checked={state === value} />
          {word}
        </label>
      ))}
    </div>
  );
};

const Count = ({ of, count = 0 }: { of: string; count?: number | undefined }) => {
  const format = useFormat();
  return (
    <span class="muted small" data-count={of}>
      {format.count(count)}
    </span>
  );
};
