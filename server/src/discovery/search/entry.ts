// What the index knows of a project besides its figures: what it is found and filtered by. Kept as JSON in
// search_documents, made by documents.ts, put into memory by shelf.ts.
import type { Channel, Environment } from "#platform/db/tables.js";

export interface SearchEntry {
  name: string;
  slug: string;
  /** As list items show it: the owner's user name, or the organization's slug. */
  author: string;
  summary: string;
  types: string[];
  categories: string[];
  clientSide: Environment;
  serverSide: Environment;
  hasSource: boolean;
  /** What its versions fit: for each channel and set of loaders that a version has, the game versions of those. */
  fits: { channel: Channel; loaders: string[]; gameVersions: string[] }[];
}

export interface Figures {
  downloads: number;
  followers: number;
  dateUpdated: number;
  datePublished: number;
  /** Downloads of the last two weeks, the older the less they count. */
  recent: number;
}
