// The words in descriptions: those of most projects are in a file (described-file.ts), those of descriptions that have changed
// since it was written in memory. The file is written in the background from the projects' rows; until there is one, the
// full text in the database finds words. It is a cache: workers share it, and a restart uses it again.
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Db } from "#platform/db/tables.js";
import { DescribedFile, writeDescribed } from "./described-file.js";
import { grown, SlotSet } from "./slot-set.js";
import { splitTexts } from "./splitting.js";
import { TermGatherer, type TermRun } from "./term-run.js";

/** Descriptions that are read together. */
const textsAtOnce = 50;
/** Digests that are read together. */
const digestsAtOnce = 5000;
/** Documents whose words are packed together, which takes 15 ms. */
const docsPerRun = 2000;
/** With more changed descriptions than this, and than one in so many, the file is written again. */
const fewChanged = 500;
const changedShare = 50;
const mostChanged = ({ texts }: DescribedFile): number => Math.max(fewChanged, texts.length / changedShare);
/** After so many milliseconds it is tried again, if there is no file yet: another worker may have written it. */
const againAfter = 60_000;

/** Where the file is, what it must belong to, and whether this process writes it: one of the workers is enough. */
export interface DescribedPlace {
  path: string;
  stamp: string;
  isWriter: boolean;
  /** A value that no other file has. */
  newPair: () => string;
}

/** The index that the results are for (search-index.ts). */
interface Index {
  /** The number of its slots. */
  slots: number;
  slotOfDoc(doc: number): number;
  /** It is told of changed descriptions. */
  described: DescribedWords | undefined;
}

interface Text {
  doc: number;
  text_digest: string;
}

/** The first 48 bits of the digest: two texts of one project hardly ever share them. Never 0. */
const toNumber = (digest: string): number => Buffer.from(digest, "base64url").readUIntBE(0, 6) + 1;

export class DescribedWords {
  #file: DescribedFile | undefined;
  /** The changed descriptions have numbers, in the order in which they were read: the text and the document of each. */
  #texts: number[] = [];
  #docs: number[] = [];
  /** The number of the last description of each document. */
  #numbers = new Map<number, number>();
  /** 1 for each document with a number. */
  #isChanged = new Uint8Array(64);
  /** For each word the numbers of the changed descriptions that have it. */
  #words = new Map<string, number[]>();
  #occurrences = 0;
  /** The file cannot be read, and must be written again. */
  #isDamaged = false;
  readonly #onDamage: (error: unknown) => void;

  constructor(onDamage: (error: unknown) => void) {
    this.#onDamage = onDamage;
  }

  /** Resolves when the file is in use; undefined if nothing is being done. */
  opening: Promise<void> | undefined;
  #lastTry = Number.NEGATIVE_INFINITY;

  /** Memory that it takes. */
  get bytes(): number {
    const changed = 100 * this.#words.size + 8 * this.#occurrences + 60 * this.#texts.length;
    return changed + this.#isChanged.length + (this.#file?.bytes ?? 0);
  }

  /** Whether it has the words of this text. */
  has({ doc, text_digest }: Text): boolean {
    const number = this.#numbers.get(doc);
    const text = number === undefined ? this.#file?.texts[doc] : this.#texts[number];
    return text === toNumber(text_digest);
  }

  /** These are the words of the description from now on. */
  put({ doc, text_digest }: Text, words: ReadonlySet<string>): void {
    const number = this.#texts.push(toNumber(text_digest)) - 1;
    this.#docs.push(doc);
    this.#numbers.set(doc, number);
    if (doc >= this.#isChanged.length) this.#isChanged = grown(this.#isChanged, Math.ceil(doc * 1.25) + 1);
    this.#isChanged[doc] = 1;
    for (const word of words) {
      const numbers = this.#words.get(word);
      if (numbers) numbers.push(number);
      else this.#words.set(word, [number]);
    }
    this.#occurrences += words.size;
  }

  /** The projects with each word. Undefined without a file. */
  find(searchIndex: Index, words: readonly string[]): Map<string, SlotSet> | undefined {
    const file = this.#file;
    try {
      return file && new Map(words.map((word) => [word, this.#findIn(file, searchIndex, word)]));
    } catch (error) {
      this.#onDamage(error);
      this.#isDamaged = true;
      this.close();
      return undefined;
    }
  }

  #findIn(file: DescribedFile, searchIndex: Index, word: string): SlotSet {
    const docs = file.find(word);
    const changed = this.#words.get(word) ?? [];
    const isChanged = this.#isChanged;
    const slots = new Uint32Array(docs.length + changed.length);
    let length = 0;
    const add = (doc: number) => {
      const slot = searchIndex.slotOfDoc(doc);
      if (slot >= 0) slots[length++] = slot;
    };
    for (let at = 0; at < docs.length; at++) if (isChanged[docs[at]!] !== 1) add(docs[at]!);
    for (const number of changed) {
      const doc = this.#docs[number]!;
      // Others are of an earlier text.
      if (this.#numbers.get(doc) === number) add(doc);
    }
    return SlotSet.of(slots.subarray(0, length), searchIndex.slots);
  }

  /**
   * Sees to it that there is a file with most descriptions, without waiting for it. `findPlace` returns undefined if there
   * is none for it.
   */
  keepReady(db: Db, searchIndex: Index, now: number, findPlace: () => Promise<DescribedPlace | undefined>) {
    const isDone = this.#file && this.#texts.length <= mostChanged(this.#file);
    if (isDone || this.opening || now - this.#lastTry < againAfter) return undefined;
    this.#lastTry = now;
    const work = async () => {
      const place = await findPlace();
      if (!place) return;
      // From now on it is told of changes.
      searchIndex.described = this;
      await this.open(db, place);
    };
    this.opening = work().finally(() => {
      this.opening = undefined;
    });
    return this.opening;
  }

  /** Uses the file. If there is none, or too many descriptions have changed since, it is written before. */
  async open(db: Db, place: DescribedPlace): Promise<void> {
    const found = this.#file || this.#isDamaged ? undefined : await openOrNot(place);
    if (found && (await this.#use(db, found))) return;
    if (place.isWriter) await build(db, place);
    const file = await openOrNot(place);
    if (file) await this.#use(db, file);
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  /** Reads what has changed since the file was written, unless that is too much: then it is not used. */
  async #use(db: Db, file: DescribedFile): Promise<boolean> {
    const changed: number[] = [];
    for (let last = 0; ; await nextTurn()) {
      const rows = await selectDigests(db, last);
      for (const { doc, text_digest } of rows)
        if (file.texts[doc] !== toNumber(text_digest) && !this.#numbers.has(doc)) changed.push(doc);
      if (rows.length < digestsAtOnce) break;
      last = rows.at(-1)!.doc;
    }
    if (changed.length > mostChanged(file)) {
      file.close();
      return false;
    }
    for (let start = 0; start < changed.length; start += textsAtOnce) {
      const texts = await selectTexts(db, changed.slice(start, start + textsAtOnce));
      await splitTexts(texts, (text, words) => {
        // A change that was read while this was waiting is newer.
        if (!this.#numbers.has(text.doc)) this.put(text, words);
      });
    }
    this.#file?.close();
    this.#file = file;
    this.#isDamaged = false;
    this.#forgetKnown(file);
    return true;
  }

  /** Drops the words of earlier descriptions, and of those that the file has. */
  #forgetKnown({ texts }: DescribedFile): void {
    const [words, before] = [this.#words, this.#texts];
    const kept = [...this.#numbers].filter(([doc, number]) => texts[doc] !== before[number]);
    const renumbered = new Map(kept.map(([, number], index) => [number, index]));
    this.#texts = kept.map(([, number]) => before[number]!);
    this.#docs = kept.map(([doc]) => doc);
    this.#numbers = new Map(kept.map(([doc], index) => [doc, index]));
    this.#isChanged.fill(0);
    for (const doc of this.#docs) this.#isChanged[doc] = 1;
    this.#words = new Map();
    this.#occurrences = 0;
    for (const [word, numbers] of words) {
      const rest = numbers.flatMap((number) => renumbered.get(number) ?? []);
      if (rest.length > 0) this.#words.set(word, rest);
      this.#occurrences += rest.length;
    }
  }
}

/** A damaged file is as good as none. */
const openOrNot = ({ path, stamp }: DescribedPlace): Promise<DescribedFile | undefined> =>
  DescribedFile.open(path, stamp).catch(() => undefined);

async function build(db: Db, { path, stamp, newPair }: DescribedPlace): Promise<void> {
  let texts = new Float64Array(1024);
  const runs: TermRun[] = [];
  let gatherer = new TermGatherer();
  let gathered = 0;
  for (let last = 0; ; await nextTurn()) {
    const rows = await selectTextsAfter(db, last);
    await splitTexts(rows, ({ doc, text_digest }, words) => {
      if (doc >= texts.length) texts = grown(texts, Math.ceil(doc * 1.25));
      texts[doc] = toNumber(text_digest);
      for (const word of words) gatherer.add(word, doc);
    });
    gathered += rows.length;
    const isLast = rows.length < textsAtOnce;
    if (gathered >= docsPerRun || isLast) {
      await nextTurn();
      runs.push(gatherer.pack());
      [gatherer, gathered] = [new TermGatherer(), 0];
    }
    if (isLast) break;
    last = rows.at(-1)!.doc;
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeDescribed(path, { stamp, pair: newPair(), texts }, runs);
}

/** The rows of listed projects, in the order of their documents. */
const listed = (db: Db) => db.selectFrom("search_documents").where("listed", "=", 1).orderBy("doc");

const selectDigests = (db: Db, after: number): Promise<Text[]> =>
  listed(db).select(["doc", "text_digest"]).where("doc", ">", after).limit(digestsAtOnce).execute();

const described = (db: Db) =>
  listed(db)
    .innerJoin("projects", "projects.id", "search_documents.project_id")
    .select(["doc", "text_digest", "description"]);

const selectTextsAfter = (db: Db, after: number) => described(db).where("doc", ">", after).limit(textsAtOnce).execute();

const selectTexts = (db: Db, docs: readonly number[]) => described(db).where("doc", "in", docs).execute();
