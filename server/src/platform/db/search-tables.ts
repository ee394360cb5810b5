// The index of the search. The full text of descriptions is in a table search_text, which differs between the engines
// and is used only in discovery/search/full-text.ts.
import { flag, integer, json, serial, type TableShapes, text } from "./columns.js";

export const searchTables = {
  // One row for each project that is or was listed.
  search_documents: {
    doc: serial,
    project_id: text(),
    // Increases with every change of the index.
    revision: integer,
    listed: flag,
    entry: json<unknown>(),
    // The digest of the description that is in the full text.
    text_digest: text(),
  },
} satisfies TableShapes;
