// All settings in one table. Types, parsing, `doctor` and docs/configuration.md are derived from it.
// A group's key and a setting's key are their path in the parsed values.
import { look } from "./look-settings.js";
import { backup, data, database, file, http, log, metrics, storage } from "./service-settings.js";
import type { Setting } from "./setting.js";
import { admin, limits, mail, oauth, scanner, site } from "./site-settings.js";
import { staff } from "./staff-settings.js";

/** This is also the order of the documentation; defaults may refer only to earlier settings. */
export const table = {
  http,
  data,
  database,
  storage,
  backup,
  look,
  site,
  staff,
  admin,
  mail,
  oauth,
  limits,
  scanner,
  log,
  metrics,
  file,
} as const satisfies Record<string, Record<string, Setting>>;

type Table = typeof table;
type ValueOf<S extends Setting> = S extends { default: string }
  ? ReturnType<S["parse"]>
  : ReturnType<S["parse"]> | undefined;

/** The parsed values when there is no problem. */
export type Values = {
  [G in keyof Table]: { [K in keyof Table[G]]: Table[G][K] extends Setting ? ValueOf<Table[G][K]> : never };
};

/** The values while problems are being collected: an invalid value is absent. */
export type Draft = { [G in keyof Values]: Partial<Values[G]> };

export interface ListedSetting extends Setting {
  readonly group: keyof Table;
}

export const listedSettings: readonly ListedSetting[] = Object.entries(table).flatMap(([group, settings]) =>
  Object.values<Setting>(settings).map((each) => ({ ...each, group: group as keyof Table })),
);
