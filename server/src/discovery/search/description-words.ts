// Finds the projects with a word in their description, in the file of words or in the database, and reads the words of
// descriptions.
import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { inList } from "#platform/db/dialect.js";
import type { Db } from "#platform/db/tables.js";
import { findTexts } from "./full-text.js";
import type { SearchIndex } from "./search-index.js";
import { SlotSet } from "./slot-set.js";
import { splitTexts } from "./splitting.js";

/**
 * Words that more than one in so many projects has, and at least so many, are loaded ahead, because finding them is
 * slow.
 */
const commonShare = 1600;
const manyProjects = 60;
/** Descriptions that are read together. With more changed ones than this, the cached words are discarded. */
export const fewTexts = 50;

/** Words that are common in names and summaries are common in descriptions too. As many as there is room for. */
export async function loadCommonTexts(db: Db, searchIndex: SearchIndex): Promise<void> {
  const { terms, texts, slots } = searchIndex;
  for (const word of terms.commonerThan(Math.max(manyProjects, slots / commonShare))) {
    if (!(await texts.keepCommon(word, (missing) => findDescribed(db, searchIndex, missing)))) break;
    await nextTurn();
  }
}

/** For each word the projects that have it in their description. */
export async function findDescribed(
  db: Db,
  searchIndex: SearchIndex,
  words: readonly string[],
): Promise<Map<string, SlotSet>> {
  const known = searchIndex.described?.find(searchIndex, words);
  if (known) return known;
  const found = await findTexts(db, words);
  const sets = new Map<string, SlotSet>();
  for (const [word, docs] of found) {
    const slots = new Uint32Array(docs.length);
    let length = 0;
    for (let at = 0; at < docs.length; at++) {
      const slot = searchIndex.slotOfDoc(docs[at]!);
      if (slot >= 0) slots[length++] = slot;
    }
    sets.set(word, SlotSet.of(slots.subarray(0, length), searchIndex.slots));
  }
  return sets;
}

export interface Description {
  id: string;
  description: string;
}

/** The words in the descriptions of the projects. `read` are descriptions that were read before. */
export async function readWords(
  db: Db,
  rows: readonly { project_id: string }[],
  read: readonly Description[] = [],
): Promise<Map<string, Set<string>>> {
  const words = new Map<string, Set<string>>();
  const wanted = new Set(rows.map((row) => row.project_id));
  const split = (texts: readonly Description[]) => splitTexts(texts, ({ id }, own) => words.set(id, own));
  await split(read.filter(({ id }) => wanted.has(id)));
  const missing = [...wanted].filter((id) => !words.has(id));
  for (let start = 0; start < missing.length; start += fewTexts)
    await split(
      await db
        .selectFrom("projects")
        .select(["id", "description"])
        .where(inList(db, sql.ref("id"), missing.slice(start, start + fewTexts)))
        .execute(),
    );
  return words;
}
