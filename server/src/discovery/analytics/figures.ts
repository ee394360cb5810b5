// Figures of downloads and views as answers show them: a map by project and day, or a table.
import { toCsv } from "#lib/csv.js";
import { toDate } from "#lib/days.js";

export const breakdowns = ["version", "gameVersion", "loader", "country"] as const;
export type Breakdown = (typeof breakdowns)[number];

export const viewBreakdowns = ["referrer", "country"] as const;
export type ViewBreakdown = (typeof viewBreakdowns)[number];

export type Counted = "downloads" | "views";

export interface Figure {
  /** A project's id, or "all". */
  scope: string;
  /** The value of the breakdown; empty if there is none. */
  key: string;
  day: number;
  count: number;
}

/** The maximum number of figures in one answer. */
export const maxFigures = 100_000;

/** The scope of figures of all projects together. */
export const allProjects = "all";

type Days = Record<string, number>;
export type FigureMap = Record<string, Record<string, number | Days>>;

/** Scopes without figures are included, empty. The maps have no prototype, so that every key is safe. */
export function toFigureMap(scopes: readonly string[], figures: readonly Figure[], by: string | undefined): FigureMap {
  const map: FigureMap = Object.create(null);
  for (const scope of scopes) map[scope] = Object.create(null);
  for (const { scope, key, day, count } of figures) {
    map[scope] ??= Object.create(null) as Days;
    if (by === undefined) map[scope][toDate(day)] = count;
    else {
      map[scope][key] ??= Object.create(null) as Days;
      (map[scope][key] as Days)[toDate(day)] = count;
    }
  }
  return map;
}

/** One line for each figure. */
export const toFigureTable = (
  figures: readonly Figure[],
  by: string | undefined,
  counted: Counted = "downloads",
): string =>
  toCsv([
    ["projectId", ...(by === undefined ? [] : [by]), "date", counted],
    ...figures.map(({ scope, key, day, count }) => [scope, ...(by === undefined ? [] : [key]), toDate(day), count]),
  ]);
