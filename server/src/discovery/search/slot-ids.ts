// The ids of the projects in the index by their slot, and the last slot of each id, in typed arrays: a string and an entry of
// a map for each of them would take five times the memory.
import { packId, unpackId } from "#lib/packed-id.js";
import { grown } from "./slot-set.js";

/** The share of the places of the table that may be in use. */
const mostLoad = 0.6;

/** In the form in which it is stored. */
export interface StoredIds {
  ids: Float64Array;
  unusual: string[];
}

export class SlotIds {
  /** By slot; below zero: the place in the list of ids that have another form. */
  #ids = new Float64Array(64);
  #length = 0;
  readonly #unusual: string[] = [];
  readonly #unusualSlots = new Map<string, number>();
  /** Slots plus one, at the places of their ids or behind them; 0 is free. The length is a power of two. */
  #table = new Uint32Array(128);
  #distinct = 0;

  constructor(stored?: StoredIds) {
    for (const packed of stored?.ids ?? []) this.push(packed < 0 ? stored!.unusual[-packed - 1]! : unpackId(packed));
  }

  get length(): number {
    return this.#length;
  }

  store(): StoredIds {
    return { ids: this.#ids.subarray(0, this.#length), unusual: this.#unusual };
  }

  /** Memory that it takes. */
  get bytes(): number {
    return this.#ids.byteLength + this.#table.byteLength + 200 * this.#unusual.length;
  }

  /** Gives the id a new slot. */
  push(id: string): number {
    const slot = this.#length++;
    if (slot === this.#ids.length) this.#ids = grown(this.#ids, Math.ceil(slot * 1.25));
    const packed = packId(id);
    this.#ids[slot] = packed ?? -this.#unusual.push(id);
    if (packed === undefined) this.#unusualSlots.set(id, slot);
    else this.#enter(packed, slot);
    return slot;
  }

  at(slot: number): string {
    const packed = this.#ids[slot]!;
    return packed < 0 ? this.#unusual[-packed - 1]! : unpackId(packed);
  }

  /** The last slot of this id. */
  find(id: string): number | undefined {
    const packed = packId(id);
    if (packed === undefined) return this.#unusualSlots.get(id);
    const found = this.#table[this.#placeOf(packed)]!;
    return found === 0 ? undefined : found - 1;
  }

  /** Whether the id of the one slot comes before that of the other. */
  isBefore(a: number, b: number): boolean {
    const [first, second] = [this.#ids[a]!, this.#ids[b]!];
    return first >= 0 && second >= 0 ? first < second : this.at(a) < this.at(b);
  }

  #enter(packed: number, slot: number): void {
    let place = this.#placeOf(packed);
    if (this.#table[place] === 0 && ++this.#distinct > mostLoad * this.#table.length) {
      const old = this.#table;
      this.#table = new Uint32Array(2 * old.length);
      for (const entry of old) if (entry !== 0) this.#table[this.#placeOf(this.#ids[entry - 1]!)] = entry;
      place = this.#placeOf(packed);
    }
    this.#table[place] = slot + 1;
  }

  /** The place of the id in the table, or the free one for it. */
  #placeOf(packed: number): number {
    const mask = this.#table.length - 1;
    const mixed = Math.imul(Math.floor(packed / 2 ** 32) ^ (packed % 2 ** 32), 0x9e3779b1);
    for (let place = (mixed ^ (mixed >>> 15)) & mask; ; place = (place + 1) & mask) {
      const entry = this.#table[place]!;
      if (entry === 0 || this.#ids[entry - 1] === packed) return place;
    }
  }
}
