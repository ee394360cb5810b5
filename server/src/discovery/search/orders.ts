// The figures that results are sorted by, and the sorted orders: the few projects whose figures have changed are moved
// to their new places when the order is next used.
import type { Figures } from "./entry.js";
import type { SlotIds } from "./slot-ids.js";
import { grown } from "./slot-set.js";

export const figureSorts = ["downloads", "trending", "follow_count", "recently_updated", "recently_published"] as const;
export type FigureSort = (typeof figureSorts)[number];

const keys: Record<FigureSort, keyof Figures> = {
  downloads: "downloads",
  trending: "recent",
  follow_count: "followers",
  recently_updated: "dateUpdated",
  recently_published: "datePublished",
};

/** Figures by slot. */
export type StoredFigures = Record<keyof Figures, Float64Array>;

class Order {
  /** Identifies the order among the bits of a slot. */
  readonly bit: number;
  readonly key: keyof Figures;
  /** Slots that must be sorted again. */
  readonly stale: number[] = [];
  /** The live slots that are sorted, at the beginning of memory that is used again. */
  slots = new Uint32Array(0);
  /** Their places by slot, once they are needed, and whether these are current. */
  ranks: Uint32Array | undefined;
  isRanked = false;

  constructor(sort: FigureSort, index: number) {
    this.key = keys[sort];
    this.bit = 1 << index;
  }
}

/** Requests wait while so many slots are sorted. */
const sortedAtOnce = 2000;

export class Orders {
  readonly #ids: Pick<SlotIds, "isBefore">;
  readonly #isLive: (slot: number) => boolean;
  readonly #figures: StoredFigures;
  readonly #orders: Record<FigureSort, Order>;
  /** By slot: the bits of the orders in which it must be sorted again. */
  #stale = new Uint8Array(64);
  /** The weight of downloads in relevance: 12 for each factor of ten, up to 100. */
  popularity = new Uint8Array(64);

  constructor(ids: Pick<SlotIds, "isBefore">, isLive: (slot: number) => boolean) {
    this.#ids = ids;
    this.#isLive = isLive;
    const fresh = () => new Float64Array(64);
    this.#figures = {
      ...{ downloads: fresh(), followers: fresh(), recent: fresh() },
      ...{ dateUpdated: fresh(), datePublished: fresh() },
    };
    const orders = figureSorts.map((sort, index) => [sort, new Order(sort, index)]);
    this.#orders = Object.fromEntries(orders) as Record<FigureSort, Order>;
  }

  /** All figures by slot, in the form in which they are stored. */
  store(): StoredFigures {
    return this.#figures;
  }

  figureOf(slot: number, figure: keyof Figures): number {
    return this.#figures[figure][slot]!;
  }

  /** Sets the figures of a slot to stored ones. */
  restore(slot: number, stored: StoredFigures): void {
    const { downloads, followers, recent, dateUpdated, datePublished } = stored;
    this.set(slot, {
      ...{ downloads: downloads[slot]!, followers: followers[slot]!, recent: recent[slot]! },
      ...{ dateUpdated: dateUpdated[slot]!, datePublished: datePublished[slot]! },
    });
  }

  /** Memory that it takes. */
  get bytes(): number {
    const figures = Object.values(this.#figures).reduce((sum, values) => sum + values.byteLength, 0);
    const orders = Object.values(this.#orders).reduce(
      (sum, { slots, ranks }) => sum + slots.buffer.byteLength + (ranks?.byteLength ?? 0),
      0,
    );
    return this.popularity.byteLength + this.#stale.byteLength + figures + orders;
  }

  /** Sets the figures of a new slot. */
  set(slot: number, figures: Figures): void {
    this.touch(slot);
    this.#write(slot, figures);
  }

  /** Sets the figures of a slot that is sorted already. Every day this is done for all, and few have moved in most orders. */
  change(slot: number, figures: Figures): void {
    const isOther = (name: keyof Figures) => figures[name] !== this.#figures[name][slot];
    if (isOther("downloads")) this.touch(slot);
    else for (const order of Object.values(this.#orders)) if (isOther(order.key)) this.#touchIn(order, slot);
    this.#write(slot, figures);
  }

  #write(slot: number, figures: Figures): void {
    for (const [name, value] of Object.entries(figures) as [keyof Figures, number][]) this.#figures[name][slot] = value;
    this.#weigh(slot);
  }

  /** Sets the downloads of a slot. The new ones are of today, so that each counts fully as a recent one. */
  setDownloads(slot: number, downloads: number): void {
    const { downloads: totals, recent } = this.#figures;
    const added = downloads - totals[slot]!;
    if (added === 0) return;
    totals[slot] = downloads;
    recent[slot] = Math.max(0, recent[slot]! + added);
    this.#weigh(slot);
    this.touch(slot);
  }

  #weigh(slot: number): void {
    this.popularity[slot] = Math.min(100, Math.round(12 * Math.log10(1 + this.#figures.downloads[slot]!)));
  }

  /** The slot must be sorted again: its figures have changed, or it is dead. */
  touch(slot: number): void {
    if (slot >= this.popularity.length) this.#grow(slot);
    for (const order of Object.values(this.#orders)) this.#touchIn(order, slot);
  }

  #touchIn({ bit, stale }: Order, slot: number): void {
    if ((this.#stale[slot]! & bit) !== 0) return;
    this.#stale[slot]! |= bit;
    stale.push(slot);
  }

  /** The live slots, best first. */
  by(sort: FigureSort): Uint32Array {
    const order = this.#orders[sort];
    if (order.stale.length > 0) this.#mend(order, order.stale.length);
    return order.slots;
  }

  /** Sorts everything in small steps, so that others can work in between. */
  *sortInSteps(): Generator<void> {
    for (const order of Object.values(this.#orders))
      while (order.stale.length > 0) {
        this.#mend(order, sortedAtOnce);
        yield;
      }
  }

  /** The place of each live slot in the order. */
  ranksBy(sort: FigureSort): Uint32Array {
    const order = this.#orders[sort];
    const slots = this.by(sort);
    const { length } = this.popularity;
    if (!order.ranks || order.ranks.length < length) order.ranks = new Uint32Array(length);
    else if (order.isRanked) return order.ranks;
    for (let rank = 0; rank < slots.length; rank++) order.ranks[slots[rank]!] = rank;
    order.isRanked = true;
    return order.ranks;
  }

  /** A few slots, best first. */
  sort(slots: readonly number[], sort: FigureSort): number[] {
    const isAbove = this.#comparison(this.#orders[sort].key);
    return slots.toSorted((a, b) => (isAbove(a, b) ? -1 : 1));
  }

  /**
   * Removes all stale slots from the order, because a place can only be found among sorted ones, and puts some of them back.
   * All in the same memory: each publication and each count of downloads leads here, and new memory of this size makes V8
   * collect garbage.
   */
  #mend(order: Order, most: number): void {
    const isAbove = this.#comparison(order.key);
    const kept = this.#dropStale(order);
    const some = order.stale.splice(-most);
    for (const slot of some) this.#stale[slot]! &= ~order.bit;
    const moved = Uint32Array.from(some.filter(this.#isLive)).sort((a, b) => (isAbove(a, b) ? -1 : 1));
    const memory = withRoom(new Uint32Array(order.slots.buffer), kept + moved.length);
    insert(memory, kept, moved, isAbove);
    order.slots = memory.subarray(0, kept + moved.length);
    order.isRanked = false;
  }

  /** Moves the other slots to the beginning, and returns how many they are. */
  #dropStale({ slots, bit }: Order): number {
    const stale = this.#stale;
    let kept = 0;
    for (let at = 0; at < slots.length; at++) if ((stale[slots[at]!]! & bit) === 0) slots[kept++] = slots[at]!;
    return kept;
  }

  /** Larger figures first, then more downloads, then by id: a total order. */
  #comparison(key: keyof Figures): (a: number, b: number) => boolean {
    const { [key]: values, downloads } = this.#figures;
    const ids = this.#ids;
    return (a, b) => {
      if (values[a] !== values[b]) return values[a]! > values[b]!;
      if (downloads[a] !== downloads[b]) return downloads[a]! > downloads[b]!;
      return ids.isBefore(a, b);
    };
  }

  #grow(slot: number): void {
    const length = Math.max(slot + 1, Math.ceil(this.popularity.length * 1.25));
    this.popularity = grown(this.popularity, length);
    this.#stale = grown(this.#stale, length);
    for (const name of Object.keys(this.#figures) as (keyof Figures)[])
      this.#figures[name] = grown(this.#figures[name], length);
  }
}

const withRoom = (slots: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> =>
  length > slots.length ? grown(slots, Math.ceil(1.25 * length)) : slots;

/** Inserts a few sorted slots among the first `kept`, from the last to the first: each finds its place by binary search. */
function insert(slots: Uint32Array, kept: number, some: Uint32Array, isAbove: (a: number, b: number) => boolean): void {
  let end = kept;
  for (let at = some.length - 1; at >= 0; at--) {
    let [low, high] = [0, end];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isAbove(slots[middle]!, some[at]!)) low = middle + 1;
      else high = middle;
    }
    slots.copyWithin(low + at + 1, low, end);
    slots[low + at] = some[at]!;
    end = low;
  }
}
