// Answers to questions that strangers have asked before: everybody who plays the same modpack asks the same. They are
// kept from the second time on, until anything in the catalogue changes: none can be out of date. Memory is bounded.

import type { Keep } from "#platform/changes/keep.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { HotRead } from "#platform/http/hot-path.js";
import type { Resources } from "#platform/http/resources.js";
import { catalogOf } from "./catalog.js";

const mostBytes = 64 * 1024 * 1024;
const waysBytes = 32 * 1024 * 1024;
/** A question is an address, or a list of hashes that came with its head in one piece. */
const longestQuestion = 128 * 1024;
/** What is answered from the catalogue has a short address; a long one is somebody's invention. */
const longestWay = 256;
const mostSeen = 10_000;
/** Its compressed forms are far smaller than itself. */
const weigh = ({ answer }: HotRead): number => 2 * answer.bytes.length;

export class KeptAnswers {
  readonly #answers: Keep<HotRead>;
  readonly #ways: Keep<HotRead>;
  /** Ends of questions that were asked once: most are never asked again, and their answers would push out the others. */
  readonly #seen = new Set<string>();
  /** What answers weigh on the whole, the latest most. */
  #usualWeight = 100 * 1024;

  constructor(resources: Resources) {
    const { memory } = resources;
    const edition = () => catalogOf(resources).edition;
    this.#answers = memory.keep({ name: "lookUps", bytes: mostBytes, longestKey: longestQuestion, edition });
    this.#ways = memory.keep({ name: "reads", bytes: waysBytes, longestKey: longestWay, edition });
  }

  /** The same text must always ask the same. */
  find(question: string): HotRead | undefined {
    return this.#ways.get(question) ?? this.#answers.get(question);
  }

  /**
   * Takes note of a question. Whether it came before, among so few others that its answer will still be there when it
   * comes again: else it is not worth keeping.
   */
  isAskedAgain(question: string): boolean {
    const ends = question.slice(0, 200) + question.slice(-100) + question.length;
    if (this.#seen.has(ends)) return true;
    if (this.#seen.size >= Math.min(mostSeen, mostBytes / this.#usualWeight)) this.#seen.clear();
    this.#seen.add(ends);
    return false;
  }

  /** Remembers an answer that was made from the catalogue as it is at this moment. */
  keep(question: string, read: HotRead): HotRead {
    this.#answers.set(question, read, this.#weigh(question, read));
    return read;
  }

  /** As keep, for an answer whose bytes the catalogue holds anyway, at least for now: the way to it is remembered. */
  keepWay(question: string, read: HotRead): HotRead {
    this.#ways.set(question, read, read.answer.bytes.length);
    return read;
  }

  /** As keep, for an answer that has yet to be made: by the time it is there, something may have changed. */
  keepUnlessChanged(question: string, make: () => Promise<HotRead>): Promise<HotRead> {
    return this.#answers.load(question, make, (read) => this.#weigh(question, read));
  }

  #weigh(question: string, read: HotRead): number {
    this.#usualWeight += (question.length + weigh(read) - this.#usualWeight) / 16;
    return weigh(read);
  }
}

export const keptAnswersOf = perServer((resources: Resources) => new KeptAnswers(resources));
