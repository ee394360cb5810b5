// What the search has made of the projects. Beside it each engine keeps the full text of descriptions in a table
// search_text of its own form, of which only discovery/search/full-text.ts speaks.
import { flag, integer, json, serial, type TableShapes, text } from "./columns.js";

export const searchTables = {
  // A row for each project that is or was listed.
  search_documents: {
    doc: serial,
    project_id: text(),
    // Rises with every change of the index.
    revision: integer,
    listed: flag,
    entry: json<unknown>(),
    // Of the description that the full text was made of.
    text_digest: text(),
  },
} satisfies TableShapes;
