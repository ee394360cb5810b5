// The index entry of a project without its figures: everything it is found and filtered by. Stored as JSON in
// search_documents, built by documents.ts, loaded into memory by searchIndex.ts.
import type { DisclosureTag } from "#content/shapes/disclosures.js";
import type { Channel, Environment } from "#platform/db/tables.js";

export interface SearchEntry {
  name: string;
  slug: string;
  /** As in list items: the owner's username, or the organization's slug. */
  author: string;
  summary: string;
  types: string[];
  categories: string[];
  clientSide: Environment;
  serverSide: Environment;
  hasSource: boolean;
  /** The id of its license; absent without one. */
  license?: string;
  /** The values of content/shapes/disclosures.ts; absent if its author has stated nothing. */
  disclosed?: DisclosureTag[];
  /** The compatibility of its versions: for each channel and set of loaders, their game versions. */
  fits: { channel: Channel; loaders: string[]; gameVersions: string[] }[];
}

export interface Figures {
  downloads: number;
  followers: number;
  dateUpdated: number;
  datePublished: number;
  /** Downloads of the last two weeks, weighted by age. */
  recent: number;
}
