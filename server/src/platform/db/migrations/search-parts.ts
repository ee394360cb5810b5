// The tables of the search, a part of the second migration: one that is the same on both engines, and the full text,
// which differs.
import type { ColumnWords } from "#platform/db/dialect.js";
import { columnParts, flag } from "./column-parts.js";

export const searchParts = (words: ColumnWords): string[] => [
  columnParts(words).table(
    "search_documents",
    `doc ${words.serial}`,
    // Not a reference: the row outlives the project, to record that it is gone.
    "project_id text NOT NULL",
    `revision ${words.bigint} NOT NULL`,
    flag("listed"),
    "entry text NOT NULL",
    "text_digest text NOT NULL",
  ),
  "CREATE UNIQUE INDEX search_documents_project_id_unique ON search_documents (project_id)",
  "CREATE INDEX search_documents_revision ON search_documents (revision, doc)",
  ...fullText[words.engine],
  ...beginnings[words.engine],
  // Earlier changes are in the rows that the index is built from at the first start; an empty registry needs none.
  "INSERT INTO feed_cursors (name, seq) SELECT 'search', coalesce(max(seq), 0) FROM changes",
  `INSERT INTO settings (name, value, date_updated) SELECT 'search.index', '{"format":1}', 0
   WHERE NOT EXISTS (SELECT 1 FROM projects)`,
];

/** Finds users by the start of their names. SQLite uses the unique index of usernames for that. */
const beginnings: Record<ColumnWords["engine"], string[]> = {
  sqlite: ["CREATE INDEX users_name ON users (lower(name)) WHERE name IS NOT NULL"],
  postgres: [
    "CREATE INDEX users_user_name ON users (lower(user_name) text_pattern_ops)",
    "CREATE INDEX users_name ON users (lower(name) text_pattern_ops) WHERE name IS NOT NULL",
  ],
};

const fullText: Record<ColumnWords["engine"], string[]> = {
  // Stores only which document has which word, without text and positions. The tokenizer splits at spaces and leaves
  // all letters beyond ASCII unchanged, because the words are prepared before.
  sqlite: [
    `CREATE VIRTUAL TABLE search_text USING fts5(words, content = '', contentless_delete = 1, detail = 'none',
     tokenize = 'ascii')`,
  ],
  postgres: [
    // Words are stored out of line, so that rows stay small: searching reads the rows, but never the words.
    `CREATE TABLE search_text (doc bigint PRIMARY KEY, words tsvector NOT NULL) WITH (toast_tuple_target = 128)`,
    // Without a list of pending entries, which every search would have to scan.
    "CREATE INDEX search_text_words ON search_text USING gin (words) WITH (fastupdate = off)",
  ],
};
