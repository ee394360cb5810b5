// What loading entries of the catalogue needs besides their ids.
import type { Db } from "../db/tables.js";
import type { Taxonomy } from "../taxonomy/taxonomy.js";

export interface LoadContext {
  db: Db;
  cdnUrl: string;
  taxonomy: Taxonomy;
}
