// All tables and columns as data. The row types of all queries derive from it, and a law test compares it with the
// schema that the migrations create on both engines.
import type { Kysely, Selectable, Transaction } from "kysely";
import { accountTables } from "./account-tables.js";
import type { Column } from "./columns.js";
import { communityTables } from "./community-tables.js";
import { contentTables } from "./content-tables.js";
import { machineTables } from "./machine-tables.js";
import { moderationTables } from "./moderation-tables.js";
import { searchTables } from "./search-tables.js";

export type { CodePurpose, UserRole } from "./account-tables.js";
export type {
  Channel,
  DependencyType,
  Environment,
  ImageOwner,
  ProjectStatus,
  RetiredKind,
  Visibility,
} from "./content-tables.js";

export const tables = {
  ...accountTables,
  ...contentTables,
  ...communityTables,
  ...moderationTables,
  ...machineTables,
  ...searchTables,
};

type TypeOf<C> = C extends Column<infer T> ? T : never;
export type Tables = { [T in keyof typeof tables]: { [C in keyof (typeof tables)[T]]: TypeOf<(typeof tables)[T][C]> } };

/** The row of a table as a query returns it. */
export type Row<T extends keyof Tables> = Selectable<Tables[T]>;

/** A database handle: the open database, or the transaction that a write runs in. */
export type Db = Kysely<Tables> | Transaction<Tables>;
