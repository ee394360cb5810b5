// The full text of descriptions, in the database: FTS5 on SQLite, a tsvector with a GIN index on PostgreSQL. Both only
// find the documents with a word: words.ts says what a word is, and ranking happens afterwards (ranking.ts), so that both
// give the same results.
import { CompiledQuery, sql } from "kysely";
import { type Engine, engineOf, givenRows } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { toTextWords, toWordText } from "./words.js";

/** Texts are written together until they have so many letters. */
const manyLetters = 1_000_000;

interface Found {
  word: string;
  /** Numbers separated by spaces: a row for each would cost ten times as much. */
  docs: string | null;
}

/** Markdown texts by their documents. */
type Texts = ReadonlyMap<number, string>;

interface FullText {
  /** Replaces the words of each document by those of its text. */
  put(db: Db, texts: Texts): Promise<void>;
  remove(db: Db, doc: number): Promise<void>;
  find(db: Db, words: readonly string[]): Promise<Found[]>;
  /** Many texts will be put: may collect their words, so that they are written together. */
  collect(db: Db): Promise<void>;
  /** Writes what was collected. */
  settle(db: Db): Promise<void>;
}

/** As texts: building them for each query would take longer than finding a rare word. */
const finding: Record<Engine, string> = {
  sqlite: `select value as word,
      (select group_concat(rowid, ' ') from search_text where search_text match '"' || value || '"') as docs
    from json_each(?)`,
  postgres: `select word,
      (select string_agg(doc::text, ' ') from search_text where words @@ quote_literal(word)::tsquery) as docs
    from unnest($1::text[]) as word`,
};

// Words contain only characters without a meaning in the query languages of both engines (words.ts); quotes prevent
// words such as "and" from being read as operators.
const engines: Record<Engine, FullText> = {
  sqlite: {
    async put(db, texts) {
      for (const [doc, markdown] of texts) {
        await this.remove(db, doc);
        await sql`insert into search_text (rowid, words) values (${doc}, ${toWordText(markdown)})`.execute(db);
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
    async put(db, texts) {
      let [rows, length]: [{ doc: number; words: string }[], number] = [[], 0];
      const flush = async () => {
        await sql`insert into search_text (doc, words)
          select doc, array_to_tsvector(string_to_array(words, ' ')) from ${givenRows(db, { doc: "integer", words: "text" }, rows)}
          on conflict (doc) do update set words = excluded.words`.execute(db);
        [rows, length] = [[], 0];
      };
      for (const [doc, markdown] of texts) {
        // No word contains a space.
        const words = [...toTextWords(markdown)].join(" ");
        rows.push({ doc, words });
        length += words.length;
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
    // A fifth of the CPU time. Until it is settled, each search also scans the list of pending entries (at most 4 MB).
    async collect(db) {
      await sql`alter index search_text_words set (fastupdate = on)`.execute(db);
    },
    async settle(db) {
      await sql`alter index search_text_words set (fastupdate = off)`.execute(db);
      await sql`select gin_clean_pending_list('search_text_words')`.execute(db);
    },
  },
};

export const putTexts = (db: Db, texts: Texts): Promise<void> => engines[engineOf(db)].put(db, texts);

export const removeText = (db: Db, doc: number): Promise<void> => engines[engineOf(db)].remove(db, doc);

/** Before many texts are put; `settleTexts` must follow. */
export const collectTexts = (db: Db): Promise<void> => engines[engineOf(db)].collect(db);
export const settleTexts = (db: Db): Promise<void> => engines[engineOf(db)].settle(db);

/** The documents that have each word, in one statement. */
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
