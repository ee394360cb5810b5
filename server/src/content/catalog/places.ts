// Where the record of each project is, in typed arrays: an object for each of a hundred thousand projects would take
// several times the memory. Also reads records from their files, and knows which files consist mostly of garbage.
import { closeSync, openSync, readSync } from "node:fs";
import { type Place, segmentPath } from "./journal.js";
import type { RecordSource } from "./prepared-header.js";

const state = { none: 0, current: 1, stale: 2, hidden: 3 } as const;
/** A segment with less than this share of current records is emptied and removed. */
const worthKeeping = 0.5;
/** Answers that are being sent may still use a removed segment. */
const closeAfterMs = 60_000;

class Segment {
  used = 0;
  written = 0;
  /** Its records are being moved, or it waits to be removed. */
  isLeaving = false;
  isClosed = false;
  readonly file: number;

  constructor(path: string) {
    this.file = openSync(path, "r");
  }

  close(): void {
    if (!this.isClosed) closeSync(this.file);
    this.isClosed = true;
  }
}

/** Code that reads a record. */
interface RecordUser {
  onFailure(error: unknown): void;
  /** More bytes of the record are kept in memory, unless this returns false. */
  hold(bytes: number): boolean;
}

class StoredRecord implements RecordSource {
  readonly #segment: Segment;
  readonly #offset: number;
  readonly #user: RecordUser;

  constructor(segment: Segment, offset: number, user: RecordUser) {
    this.#segment = segment;
    this.#offset = offset;
    this.#user = user;
  }

  hold(bytes: number): boolean {
    return this.#user.hold(bytes);
  }

  read(into: Buffer, at: number, from: number, length: number): void {
    try {
      if (this.#segment.isClosed) throw new Error("The record is in a file that was removed");
      if (readSync(this.#segment.file, into, at, length, this.#offset + from) !== length)
        throw new Error("The record is incomplete");
    } catch (error) {
      this.#user.onFailure(error);
      throw error;
    }
  }
}

const fields = ["segment", "offset", "headerLength", "length", "builtAt"] as const;

export class Places {
  #folder: string;
  readonly #slots = new Map<string, number>();
  readonly #segments = new Map<number, Segment>();
  #ids: string[] = [];
  #states = new Uint8Array(1024);
  #numbers = new Float64Array(1024 * fields.length);

  /** The folder is not used unless there are places. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Forgets all records, but not the slots: the files are others now. */
  reset(folder: string): void {
    const old = [...this.#segments.values()];
    this.#segments.clear();
    this.#states.fill(state.none);
    this.#folder = folder;
    if (old.length > 0) setTimeout(() => old.forEach((segment) => void segment.close()), closeAfterMs).unref();
  }

  get ids(): readonly string[] {
    return this.#ids;
  }

  /** The place of the current record. */
  current(slot: number): Place | undefined {
    return this.#states[slot] === state.current ? this.#placeAt(slot) : undefined;
  }

  /** The place of a record that may be stale: most of its pieces are useful all the same. */
  any(id: string): Place | undefined {
    const slot = this.#slots.get(id);
    const known = slot === undefined ? state.none : this.#states[slot]!;
    return known === state.current || known === state.stale ? this.#placeAt(slot!) : undefined;
  }

  /** Whether it was found that the project is not public. */
  isHidden(slot: number): boolean {
    return this.#states[slot] === state.hidden;
  }

  /** Whether nothing has to be prepared for the project now. */
  isSettled(id: string): boolean {
    const known = this.#states[this.#slots.get(id) ?? -1];
    return known === state.current || known === state.hidden;
  }

  /** The slot of a project; undefined if it has none yet. */
  find(id: string): number | undefined {
    return this.#slots.get(id);
  }

  /** The slot of a project: a small number, which never changes. */
  slotOf(id: string): number {
    const known = this.#slots.get(id);
    if (known !== undefined) return known;
    const slot = this.#ids.push(id) - 1;
    this.#slots.set(id, slot);
    if (slot < this.#states.length) return slot;
    const [states, numbers] = [new Uint8Array(2 * slot), new Float64Array(2 * slot * fields.length)];
    states.set(this.#states);
    numbers.set(this.#numbers);
    [this.#states, this.#numbers] = [states, numbers];
    return slot;
  }

  put(id: string, place: Place): void {
    const slot = this.slotOf(id);
    this.#release(slot);
    this.#states[slot] = state.current;
    for (const [index, field] of fields.entries()) this.#numbers[slot * fields.length + index] = place[field];
    const segment = this.#segmentOf(place.segment);
    segment.used += place.length;
    segment.written = Math.max(segment.written, place.offset + place.length);
  }

  setHidden(id: string): void {
    const slot = this.slotOf(id);
    this.#release(slot);
    this.#states[slot] = state.hidden;
  }

  /** Its record is stale; it remains useful for the next one. */
  setStale(id: string): void {
    const slot = this.#slots.get(id);
    if (slot === undefined) return;
    if (this.#states[slot] === state.current) this.#states[slot] = state.stale;
    else if (this.#states[slot] === state.hidden) this.#states[slot] = state.none;
  }

  /** Its record cannot be read. */
  drop(id: string): void {
    const slot = this.#slots.get(id);
    if (slot !== undefined) this.#release(slot);
  }

  setAllStale(): void {
    for (const id of this.#ids) this.setStale(id);
  }

  open(place: Place, user: RecordUser): RecordSource {
    return new StoredRecord(this.#segmentOf(place.segment), place.offset, user);
  }

  /** A segment that is mostly garbage, with the records that are still in use. Never the newest: it is being written. */
  takeWasteful(): { segment: number; records: { id: string; place: Place }[] } | undefined {
    const newest = Math.max(...this.#segments.keys());
    for (const [number, segment] of this.#segments) {
      if (number === newest || segment.isLeaving || segment.used > worthKeeping * segment.written) continue;
      segment.isLeaving = true;
      const records = this.#ids.flatMap((id) => {
        const place = this.any(id);
        return place?.segment === number ? [{ id, place }] : [];
      });
      return { segment: number, records };
    }
    return undefined;
  }

  /** Notes that a record was moved, unless there is a newer one. */
  move(id: string, from: Place, to: Place): void {
    const slot = this.#slots.get(id);
    const now = this.any(id);
    if (slot === undefined || now?.segment !== from.segment || now.offset !== from.offset) return;
    const known = this.#states[slot]!;
    this.put(id, to);
    this.#states[slot] = known;
  }

  removeSegment(number: number): void {
    const segment = this.#segments.get(number);
    this.#segments.delete(number);
    if (segment) setTimeout(() => segment.close(), closeAfterMs).unref();
  }

  close(): void {
    for (const segment of this.#segments.values()) segment.close();
    this.#segments.clear();
    this.#slots.clear();
    this.#ids = [];
  }

  #placeAt(slot: number): Place {
    const at = slot * fields.length;
    const numbers = this.#numbers;
    return {
      ...{ segment: numbers[at]!, offset: numbers[at + 1]!, headerLength: numbers[at + 2]! },
      ...{ length: numbers[at + 3]!, builtAt: numbers[at + 4]! },
    };
  }

  #release(slot: number): void {
    const known = this.#states[slot]!;
    this.#states[slot] = state.none;
    if (known !== state.current && known !== state.stale) return;
    const { segment, length } = this.#placeAt(slot);
    const file = this.#segments.get(segment);
    if (file) file.used -= length;
  }

  #segmentOf(number: number): Segment {
    let segment = this.#segments.get(number);
    if (!segment) {
      segment = new Segment(segmentPath(this.#folder, number));
      this.#segments.set(number, segment);
    }
    return segment;
  }
}
