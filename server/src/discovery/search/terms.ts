// The words of projects and their occurrences: found exactly, by their beginning, or with typing errors. It only grows:
// a project that changes takes a new slot, and the old one is ignored.
import { type NearRun, onlyLetters, type Run, type StoredTerms, TermGatherer, TermRun } from "./term-run.js";

/** The fields of a word. A project has it in one or several of them. */
export const fields = { name: 1, slug: 2, author: 4, summary: 8 } as const;

const fieldBits = 4;
const fieldMask = (1 << fieldBits) - 1;

/** An occurrence (place) is the slot of a project and the fields in which it has the word. */
export const slotOf = (place: number): number => place >>> fieldBits;
export const fieldsOf = (place: number): number => place & fieldMask;

/** This many projects are added before they are packed with all others for a query, which is slow. */
const fewProjects = 250;
/** Without queries, this many: until then they take several times as much memory. */
const manyProjects = 10_000;

export class Terms {
  #packed: TermRun;
  /** The projects added since, built on demand. */
  #late: TermRun | undefined;
  #gatherer = new TermGatherer();
  #gathered = 0;

  constructor(stored?: StoredTerms) {
    this.#packed = stored ? TermRun.restore(stored) : TermRun.empty();
  }

  /** In the form in which it is stored. It must be packed. */
  store = (): StoredTerms => this.#packed.store();

  add(slot: number, fieldsByWord: ReadonlyMap<string, number>): void {
    for (const [word, fields] of fieldsByWord) this.#gatherer.add(word, (slot << fieldBits) | fields);
    this.#gathered++;
    this.#late = undefined;
    if (this.#gathered > manyProjects) this.pack();
  }

  /** Packs everything together. */
  pack(): void {
    this.#packed = this.#packed.merged(this.#gatherer.pack());
    this.#gatherer = new TermGatherer();
    this.#gathered = 0;
    this.#late = undefined;
  }

  /** Memory that it takes, without the few projects that are not packed yet. */
  get bytes(): number {
    return this.#packed.bytes;
  }

  /** The words that more projects than this have. */
  commonerThan = (projects: number): string[] => this.#packed.commonerThan(projects);

  exactly = (word: string): Run[] => this.#runs().flatMap((run) => run.exactly(word) ?? []);

  /** The occurrences of longer words that begin with this. */
  beginningWith = (start: string): Run[] => this.#runs().flatMap((run) => run.beginningWith(start) ?? []);

  /** The occurrences of words with one or more typing errors. Numbers have none: another digit is another number. */
  *near(word: string, mostSlips: number): Generator<NearRun> {
    if (mostSlips === 0 || !onlyLetters.test(word)) return;
    for (const run of this.#runs()) yield* run.near(word, mostSlips);
  }

  #runs(): TermRun[] {
    if (this.#gathered > fewProjects) this.pack();
    if (this.#gathered > 0) this.#late ??= this.#gatherer.pack();
    return this.#late ? [this.#packed, this.#late] : [this.#packed];
  }
}
