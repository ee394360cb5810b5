// The full text of descriptions, in the database: FTS5 on SQLite, a tsvector with a GIN index on PostgreSQL. Both only
// find the documents with a word: words.ts says what a word is, and ranking happens afterwards (ranking.ts), so that both
// give the same results.
import { CompiledQuery, type Kysely, sql } from "kysely";
import { type Engine, engineOf, givenRows } from "#platform/db/dialect.js";
import type { Db, Tables } from "#platform/db/tables.js";
import { toWordList, toWordText } from "./words.js";

/** The words of texts are written together until they have so many letters. */
const manyLetters = 1_000_000;

interface Found {
  word: string;
  /** Numbers separated by spaces: a row for each would cost ten times as much. */
  docs: string | null;
}

interface FullText {
  /** The words of a Markdown text, as `put` takes them. */
  split(markdown: string): string;
  /** Replaces the words of each document. */
  put(db: Db, words: ReadonlyMap<number, string>): Promise<void>;
  remove(db: Db, doc: number): Promise<void>;
  find(db: Db, words: readonly string[]): Promise<Found[]>;
  /** Many words will be put: may collect them, so that they are indexed together. */
  collect(db: Db): Promise<void>;
  /** Indexes what was collected. */
  settle(db: Db): Promise<void>;
}

/** Without the index, PostgreSQL would read all rows for each word. */
const isIndexed = `exists (select from pg_index where indexrelid = to_regclass('search_text_words') and indisvalid)`;

/** As texts: building them for each query would take longer than finding a rare word. */
const finding: Record<Engine, string> = {
  sqlite: `select value as word,
      (select group_concat(rowid, ' ') from search_text where search_text match '"' || value || '"') as docs
    from json_each(?)`,
  postgres: `select word,
      (select string_agg(doc::text, ' ') from search_text where words @@ quote_literal(word)::tsquery) as docs
    from unnest($1::text[]) as word where (select ${isIndexed})`,
};

// Words contain only characters without a meaning in the query languages of both engines (words.ts); quotes prevent
// words such as "and" from being read as operators.
const engines: Record<Engine, FullText> = {
  sqlite: {
    split: toWordText,
    async put(db, words) {
      for (const [doc, own] of words) {
        await this.remove(db, doc);
        await sql`insert into search_text (rowid, words) values (${doc}, ${own})`.execute(db);
      }
    },
    async remove(db, doc) {
      await sql`delete from search_text where rowid = ${doc}`.execute(db);
    },
    async find(db, words) {
      const { rows } = await db.executeQuery<Found>(CompiledQuery.raw(finding.sqlite, [JSON.stringify(words)]));
      return rows;
    },
    async collect() {},
    async settle() {},
  },
  postgres: {
    split: toWordList,
    async put(db, words) {
      let [rows, length]: [{ doc: number; words: string }[], number] = [[], 0];
      const flush = async () => {
        await sql`insert into search_text (doc, words)
          select doc, array_to_tsvector(string_to_array(words, ' ')) from ${givenRows(db, { doc: "integer", words: "text" }, rows)}
          on conflict (doc) do update set words = excluded.words`.execute(db);
        [rows, length] = [[], 0];
      };
      for (const [doc, own] of words) {
        rows.push({ doc, words: own });
        length += own.length;
        if (length > manyLetters) await flush();
      }
      if (rows.length > 0) await flush();
    },
    async remove(db, doc) {
      await sql`delete from search_text where doc = ${doc}`.execute(db);
    },
    async find(db, words) {
      const { rows } = await db.executeQuery<Found>(CompiledQuery.raw(finding.postgres, [[...words]]));
      return rows;
    },
    /**
     * The first texts of all are indexed at the end, by several processes at once. Otherwise they are collected in the list of
     * pending entries (at most 4 MB), which each search scans until it is settled.
     */
    async collect(db) {
      const { rows } = await sql`select from search_text limit 1`.execute(db);
      if (rows.length > 0) await sql`alter index if exists search_text_words set (fastupdate = on)`.execute(db);
      else await sql`drop index if exists search_text_words`.execute(db);
    },
    async settle(db) {
      await indexWords(db as Kysely<Tables>);
      await sql`alter index search_text_words set (fastupdate = off)`.execute(db);
      await sql`select gin_clean_pending_list('search_text_words')`.execute(db);
    },
  },
};

/** Sees to it that there is an index. Others may write while it is built; it takes longer than a statement may. */
const indexWords = (db: Kysely<Tables>): Promise<void> =>
  db.connection().execute(async (connection) => {
    const { rows } = await connection.executeQuery<{ yes: boolean }>(CompiledQuery.raw(`select ${isIndexed} as yes`));
    if (rows[0]!.yes) return;
    await sql`set statement_timeout = 0`.execute(connection);
    await sql`set lock_timeout = 0`.execute(connection);
    try {
      // An attempt that was interrupted leaves an index that is not valid.
      await sql`drop index if exists search_text_words`.execute(connection);
      await sql`create index concurrently search_text_words on search_text using gin (words) with (fastupdate = off)`.execute(
        connection,
      );
    } finally {
      await sql`reset statement_timeout`.execute(connection);
      await sql`reset lock_timeout`.execute(connection);
    }
  });

export const splitText = (db: Db, markdown: string): string => engines[engineOf(db)].split(markdown);

/** By their documents. The words of each were made by `splitText`. */
export const putTexts = (db: Db, words: ReadonlyMap<number, string>): Promise<void> =>
  engines[engineOf(db)].put(db, words);

export const removeText = (db: Db, doc: number): Promise<void> => engines[engineOf(db)].remove(db, doc);

/** Before many texts are put; `settleTexts` must follow. */
export const collectTexts = (db: Db): Promise<void> => engines[engineOf(db)].collect(db);
export const settleTexts = (db: Db): Promise<void> => engines[engineOf(db)].settle(db);

/** The documents that have each word, in one statement. None of the words while they are indexed for the first time. */
export async function findTexts(db: Db, words: readonly string[]): Promise<Map<string, number[]>> {
  const found = await engines[engineOf(db)].find(db, words);
  return new Map(found.map(({ word, docs }) => [word, toNumbers(docs ?? "")]));
}

function toNumbers(text: string): number[] {
  const numbers: number[] = [];
  let number = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit >= 0) number = number * 10 + digit;
    else {
      numbers.push(number);
      number = 0;
    }
  }
  if (text !== "") numbers.push(number);
  return numbers;
}
