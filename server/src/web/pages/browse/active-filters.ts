// The active filters, each with the list without it. Pure.
import type { ChoiceName, Filters } from "./filters.js";
import { choiceNames } from "./filters.js";

export type ActiveFilter = { key: string; without: Filters } & (
  | { kind: "text"; value: string }
  | { kind: ChoiceName; value: string; isWanted: boolean }
  | { kind: "environment"; value: NonNullable<Filters["environment"]> }
  | { kind: "fit"; value: NonNullable<Filters["fit"]> }
  | { kind: "license"; isWanted: boolean }
  | { kind: "channel"; value: string }
);

const drop = (values: readonly string[], value: string): string[] => values.filter((each) => each !== value);

export function listActive(given: Filters): ActiveFilter[] {
  // The list without one filter starts at its first page.
  const filters = { ...given, page: 1 };
  const active: ActiveFilter[] = [];
  if (filters.q !== "") active.push({ kind: "text", key: "q", value: filters.q, without: { ...filters, q: "" } });
  if (filters.fit)
    active.push({ kind: "fit", key: "fit", value: filters.fit, without: { ...filters, fit: undefined } });
  for (const kind of choiceNames)
    for (const side of ["wanted", "unwanted"] as const)
      for (const value of filters[kind][side])
        active.push({
          kind,
          key: `${kind}.${value}`,
          value,
          isWanted: side === "wanted",
          without: { ...filters, [kind]: { ...filters[kind], [side]: drop(filters[kind][side], value) } },
        });
  if (filters.channel !== undefined)
    active.push({
      kind: "channel",
      key: "ch",
      value: filters.channel,
      without: { ...filters, channel: undefined },
    });
  if (filters.environment !== undefined)
    active.push({
      kind: "environment",
      key: "e",
      value: filters.environment,
      without: { ...filters, environment: undefined },
    });
  if (filters.openSource !== undefined)
    active.push({
      kind: "license",
      key: "li",
      isWanted: filters.openSource,
      without: { ...filters, openSource: undefined },
    });
  return active;
}

/** The text stays: it is the search, not a filter. */
export const withoutFilters = (filters: Filters): Filters => ({
  ...filters,
  ...{ l: none, v: none, c: none, d: none },
  environment: undefined,
  fit: undefined,
  openSource: undefined,
  channel: undefined,
  page: 1,
});

const none = { wanted: [], unwanted: [] } as const;
