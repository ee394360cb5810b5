// Looks up all hashes of a query in the index, and the slots of their projects, step by step: the tables are large, so that
// each place must be fetched from memory. The processor fetches several places at once only in a loop that does nothing else.
import type { PreparedFiles } from "#content/catalog/prepared-files.js";
import type { HashIndex } from "#content/hashes/hash-index.js";
import type { SentHashes } from "./sent-hashes.js";

/** One query at a time, so that nothing is allocated for each. */
export class SoughtHashes {
  /** For each hash: the number of projects that have it (2: two or more), the slot of the first one, and its block. */
  counts = new Uint8Array(256);
  slots = new Int32Array(256);
  blocks = new Uint32Array(256);
  /** An arbitrary number: a result that nothing uses would not be computed. */
  fetched = 0;

  /** Only while the index has read all hashes. `withUpdates`: updates of these projects will be asked for. */
  seekAll(index: HashIndex, files: PreparedFiles, { at, fingerprints }: SentHashes, withUpdates: boolean): void {
    const count = at.length;
    this.#makeRoom(count);
    const { counts, slots, blocks } = this;
    index.prefetch(fingerprints);
    for (let n = 0; n < count; n++) {
      counts[n] = Math.min(2, index.seek(fingerprints[2 * n]!, fingerprints[2 * n + 1]!));
      blocks[n] = index.foundBlock;
      slots[n] = index.foundProject;
    }
    for (let n = 0; n < count; n++) slots[n] = counts[n] === 0 ? 0 : files.slotOf(slots[n]!);
    this.fetched = files.prefetch(slots, count, withUpdates);
  }

  /** Looks up one hash again, after the blocks of a project were added to the index. */
  seekAgain(index: HashIndex, files: PreparedFiles, { fingerprints }: SentHashes, n: number): void {
    this.counts[n] = Math.min(2, index.seek(fingerprints[2 * n]!, fingerprints[2 * n + 1]!));
    if (this.counts[n] === 0) return;
    this.blocks[n] = index.foundBlock;
    this.slots[n] = files.slotOf(index.foundProject);
  }

  #makeRoom(count: number): void {
    if (count <= this.counts.length) return;
    this.counts = new Uint8Array(count);
    this.slots = new Int32Array(count);
    this.blocks = new Uint32Array(count);
  }
}
