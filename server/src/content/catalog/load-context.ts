// What loading entries of the catalogue needs besides their ids.

import type { Taxonomy } from "#content/taxonomy/taxonomy.js";
import type { Db } from "#platform/db/tables.js";

export interface LoadContext {
  db: Db;
  cdnUrl: string;
  taxonomy: Taxonomy;
}
