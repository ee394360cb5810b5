// Leads from the hash of a file straight to the bytes of its version, or of the update of it. The index of hashes holds
// where the block of the version is in the record of the project, so that neither its core nor its tables have to be read.
import type { HashIndex } from "#content/hashes/hash-index.js";
import type { Place } from "#content/records/journal.js";
import type { OfferedSets, SetFilter } from "#content/records/offered-sets.js";
import { PreparedProject } from "#content/records/prepared-project.js";
import type { RecordSource } from "#content/records/record-source.js";
import type { Memory } from "#lib/gzip-join.js";
import { NumberedSlots } from "./numbered-slots.js";
import { OfferTable } from "./offer-table.js";
import type { Places } from "./places.js";

/**
 * While a project is known, the index has the blocks of all files in its current record, and no others. It becomes known when
 * it is prepared or first asked for, and in the background after the start. Its tables say which version has a file otherwise.
 * `incomplete`: the index lacks the blocks of files that were added since. `unclear`: it may have blocks of an earlier record, which could not
 * be read; such a project is not known until the next start, or until all records are others (reset).
 */
const state = { unknown: 0, known: 1, incomplete: 2, unclear: 3 } as const;

const scratch = Buffer.allocUnsafeSlow(256 * 1024);

/** Memory for one project at a time. New buffers for each of many projects would stay until the next garbage collection. */
function reused(): Memory {
  let used = 0;
  return (length) => {
    used += length;
    return used > scratch.length ? Buffer.allocUnsafeSlow(length) : scratch.subarray(used - length, used);
  };
}

export class PreparedFiles {
  readonly #index: HashIndex;
  readonly #places: Places;
  readonly #offers: OfferTable;
  readonly #onFailure: (slot: number, error: unknown) => void;
  readonly #slots: NumberedSlots;
  /** Files that were added to incomplete projects, by slot. */
  readonly #added = new Map<number, { high: number; low: number }[]>();
  #states = new Uint8Array(1024);

  constructor(index: HashIndex, places: Places, sets: OfferedSets, onFailure: (slot: number, error: unknown) => void) {
    this.#onFailure = onFailure;
    this.#index = index;
    this.#places = places;
    this.#offers = new OfferTable(sets);
    this.#slots = new NumberedSlots((number) => places.slotOf(index.idOf(number)));
    index.onFileAdded = (number, high, low) => {
      const slot = this.slotOf(number);
      if (!this.#hasBlocks(slot)) return;
      this.#setState(slot, state.incomplete);
      const added = this.#added.get(slot) ?? [];
      added.push({ high, low });
      this.#added.set(slot, added);
    };
  }

  /** All records are others now: nothing is known. */
  reset(): void {
    this.#offers.clear();
    this.#states.fill(state.unknown);
    this.#added.clear();
    this.#index.clearBlocks();
  }

  get bytes(): number {
    return this.#offers.bytes + this.#states.byteLength + this.#slots.bytes;
  }

  /** The slot of a project by its number in the index. */
  slotOf(number: number): number {
    return this.#slots.get(number);
  }

  /**
   * Makes the calls of `find` for the first slots of a list quicker, and those of `findUpdate` if they follow. Returns an
   * arbitrary number.
   */
  prefetch(slots: Int32Array, count: number, withUpdates: boolean): number {
    return this.#places.prefetch(slots, count) ^ (withUpdates ? this.#offers.prefetch(slots, count) : 0);
  }

  /** The record of a known project that is current. */
  find(slot: number): RecordSource | undefined {
    return this.#states[slot] === state.known ? this.#places.openCurrent(slot) : undefined;
  }

  /**
   * The block of the newest version of a project that fits; 0 if there is none. Undefined if the project is not current, or
   * cannot be read.
   */
  findUpdate(slot: number, filter: SetFilter): number | undefined {
    const isThere = this.#offers.has(slot) || this.withProject(slot, (project) => this.#offers.add(slot, project));
    return isThere ? this.#offers.find(slot, filter) : undefined;
  }

  isKnown(slot: number): boolean {
    return this.#states[slot] === state.known;
  }

  /** Makes a project known, if its record is current and can be read. Updates need its offers, which are read with its files. */
  learn(slot: number): void {
    if (!this.#index.isReady || this.isKnown(slot) || this.#stateOf(slot) === state.unclear) return;
    const number = this.#index.numberOf(this.#places.idOf(slot))!;
    this.withProject(slot, (project) => {
      this.#setState(slot, state.unclear);
      project.eachFile((high, low, block) => this.#index.setBlock(high, low, number, block));
      this.#setState(slot, state.known);
      this.#added.delete(slot);
      if (!this.#offers.has(slot)) this.#offers.add(slot, project);
    });
  }

  /** Must be called before a project gets no record any more: `place` is that of the record that it had. */
  forget(slot: number, place: Place | undefined): void {
    const earlier = this.#leave(slot, place);
    if (earlier) this.#removeBlocks(slot, earlier);
  }

  /**
   * Gives a project another record by `put`; `place` is that of the record that it had. Most versions of a large project have
   * the same block in both, and finding their files in the index would take most of the time.
   */
  replace(slot: number, place: Place | undefined, put: () => void): void {
    const added = this.#added.get(slot) ?? [];
    const earlier = this.#leave(slot, place);
    put();
    if (!earlier) {
      this.learn(slot);
      return;
    }
    const number = this.#index.numberOf(this.#places.idOf(slot))!;
    const isThere = this.withProject(slot, (project) => {
      project.eachFileSince(earlier, (high, low, block) => this.#index.setBlock(high, low, number, block));
      // The index may have forgotten the blocks of files that were removed and added again.
      for (const { high, low } of added) {
        const ordinal = project.findByFile(high >>> 0, low >>> 0);
        if (ordinal >= 0) this.#index.setBlock(high, low, number, project.blockOf(ordinal));
      }
      this.#setState(slot, state.known);
      this.#offers.add(slot, project);
    });
    if (!isThere) this.#removeBlocks(slot, earlier);
  }

  /** The record that the project had, if the index has its blocks. The project is not known until these are removed or replaced. */
  #leave(slot: number, place: Place | undefined): PreparedProject | undefined {
    this.#offers.delete(slot);
    this.#added.delete(slot);
    if (!this.#hasBlocks(slot)) return undefined;
    this.#setState(slot, state.unclear);
    if (!place) return undefined;
    try {
      const earlier = this.readAt(slot, place, Buffer.allocUnsafe);
      earlier.loadTables();
      return earlier;
    } catch {
      // The file is damaged or was removed.
      return undefined;
    }
  }

  #removeBlocks(slot: number, earlier: PreparedProject): void {
    const number = this.#index.numberOf(this.#places.idOf(slot))!;
    earlier.eachFile((high, low) => this.#index.setBlock(high, low, number, 0));
    this.#setState(slot, state.unknown);
  }

  /** Reads a project from its file. Throws if that is not possible. */
  readAt(slot: number, place: Place, memory: Memory = Buffer.allocUnsafeSlow): PreparedProject {
    const source = this.#places.open(slot, place);
    const header = memory(place.headerLength).subarray(0, place.headerLength);
    source.read(header, 0, 0, header.length);
    return new PreparedProject(header, source, memory);
  }

  /**
   * Calls `use` with the current record of a project, in memory that is used again. Returns false if there is none, or if it
   * cannot be read.
   */
  withProject(slot: number, use: (project: PreparedProject) => void): boolean {
    const place = this.#places.current(slot);
    if (!place) return false;
    try {
      use(this.readAt(slot, place, reused()));
      return true;
    } catch (error) {
      this.#onFailure(slot, error);
      return false;
    }
  }

  /** Whether the index has the blocks of files of this project. */
  #hasBlocks(slot: number): boolean {
    return this.#stateOf(slot) === state.known || this.#stateOf(slot) === state.incomplete;
  }

  #stateOf(slot: number): number {
    return this.#states[slot] ?? state.unknown;
  }

  #setState(slot: number, value: number): void {
    if (slot >= this.#states.length) {
      const longer = new Uint8Array(Math.ceil(slot * 1.25));
      longer.set(this.#states);
      this.#states = longer;
    }
    this.#states[slot] = value;
  }
}
