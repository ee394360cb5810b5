// The newest versions of many prepared projects by what they offer, in one typed array: updates of a hundred files ask a
// hundred projects, and reading their cores would take most of the time. Eight bytes for each combination of a set of
// loaders and game versions with a channel.
import type { OfferedSets, SetFilter } from "#content/records/offered-sets.js";
import type { PreparedProject } from "#content/records/prepared-project.js";

const channelBits = 3;
const smallest = 1024;
const growth = 1.25;

export class OfferTable {
  readonly #sets: OfferedSets;
  /** For each project: the number of offers, then two numbers for each: set and channel, and the block of the version. */
  #offers = new Uint32Array(smallest);
  #end = 1;
  #garbage = 0;
  /** By slot: where the offers of a project begin; 0 if they are not here. */
  #starts = new Uint32Array(smallest);
  /** The numbers of sets belong to this generation. */
  #generation: object;

  constructor(sets: OfferedSets) {
    this.#sets = sets;
    this.#generation = sets.generation;
  }

  get bytes(): number {
    return this.#offers.byteLength + this.#starts.byteLength;
  }

  has(slot: number): boolean {
    if (this.#generation !== this.#sets.generation) this.clear();
    return (this.#starts[slot] ?? 0) !== 0;
  }

  /**
   * Makes the calls of `find` for the first slots of a list quicker (FingerprintTable.prefetch); returns an arbitrary
   * number.
   */
  prefetch(slots: Int32Array, count: number): number {
    const [starts, offers] = [this.#starts, this.#offers];
    let read = 0;
    for (let n = 0; n < count; n++) read ^= starts[slots[n]!] ?? 0;
    for (let n = 0; n < count; n++) read ^= offers[starts[slots[n]!] ?? 0]!;
    return read;
  }

  /** The block of the newest version that fits and is not withdrawn; 0 if there is none. Only for a project that it has. */
  find(slot: number, filter: SetFilter): number {
    if (!filter.takesAllSets) filter.begin(this.#sets);
    const offers = this.#offers;
    const start = this.#starts[slot]! + 1;
    const end = start + 2 * offers[start - 1]!;
    for (let at = start; at < end; at += 2) {
      const [set, channel] = [offers[at]! >>> channelBits, offers[at]! & ((1 << channelBits) - 1)];
      if ((1 << channel) & filter.channels && (filter.takesAllSets || filter.matches(this.#sets, set)))
        return offers[at + 1]!;
    }
    return 0;
  }

  add(slot: number, project: PreparedProject): void {
    const found: number[] = [];
    project.eachOffer(this.#sets, (set, channel, block) => found.push((set << channelBits) | channel, block));
    // Reading sets may have begun another generation.
    if (this.#generation !== this.#sets.generation) this.clear();
    this.#starts = grown(this.#starts, slot + 1);
    this.#offers = grown(this.#offers, this.#end + found.length + 1);
    this.#starts[slot] = this.#end;
    this.#offers[this.#end] = found.length / 2;
    this.#offers.set(found, this.#end + 1);
    this.#end += found.length + 1;
  }

  delete(slot: number): void {
    const start = this.#starts[slot] ?? 0;
    if (start === 0) return;
    this.#garbage += 2 * this.#offers[start]! + 1;
    this.#starts[slot] = 0;
    // Everything is read again when it is needed.
    if (this.#garbage > smallest && this.#garbage > this.#end / 2) this.clear();
  }

  clear(): void {
    this.#starts.fill(0);
    this.#end = 1;
    this.#garbage = 0;
    this.#generation = this.#sets.generation;
  }
}

function grown(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  if (length <= array.length) return array;
  const longer = new Uint32Array(Math.ceil(length * growth));
  longer.set(array);
  return longer;
}
