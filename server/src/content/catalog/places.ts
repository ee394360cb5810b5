// Where the record of each project is, in typed arrays: an object for each of a hundred thousand projects would take
// several times the memory. Also opens records in their files, and knows which files consist mostly of garbage.

import { ProjectNumbers } from "#content/hashes/project-numbers.js";
import type { Place } from "#content/records/journal.js";
import type { RecordSource } from "#content/records/record-source.js";
import type { FingerprintKey } from "#lib/fingerprint-key.js";
import { keyOf, type RecordSurroundings, Segment, StoredRecord } from "./stored-record.js";
import type { RecordFigure } from "./unwritten-figures.js";

const state = { none: 0, current: 1, stale: 2, hidden: 3 } as const;
/** A segment with less than this share of current records is emptied and removed. */
const worthKeeping = 0.5;
/** Answers that are being sent may still use a removed segment. */
const closeAfterMs = 60_000;

/** Tables grow by this factor. */
const growth = 1.25;
/** Numbers of 32 bits for each place. */
const fields = ["segment", "offset", "headerLength", "length"] as const;
const headerLengthAt = fields.indexOf("headerLength");

const closeLater = (segment: Segment): void => void setTimeout(() => segment.close(), closeAfterMs).unref();

export class Places {
  #folder: string;
  readonly #around: RecordSurroundings;
  /** Slots are their numbers. */
  readonly #ids: ProjectNumbers;
  readonly #segments = new Map<number, Segment>();
  /** How often single projects have become stale, by slot, and how often all of them. */
  readonly #editions = new Map<number, number>();
  #editionOfAll = 0;
  #states = new Uint8Array(1024);
  #numbers = new Uint32Array(1024 * fields.length);
  #builtAt = new Float64Array(1024);

  /** The folder is not used unless there are places. */
  constructor(folder: string, key: FingerprintKey, around: RecordSurroundings) {
    this.#folder = folder;
    this.#ids = new ProjectNumbers(key);
    this.#around = around;
  }

  /** Forgets all records, but neither slots nor editions: the files are others now. */
  reset(folder: string): void {
    for (const segment of this.#segments.values()) closeLater(segment);
    this.#segments.clear();
    this.#states.fill(state.none);
    this.#folder = folder;
  }

  /** The number of slots. */
  get count(): number {
    return this.#ids.count;
  }

  idOf(slot: number): string {
    return this.#ids.idOf(slot);
  }

  /** The place of the current record. */
  current(slot: number): Place | undefined {
    return this.#states[slot] === state.current ? this.#placeAt(slot) : undefined;
  }

  /** Identifies the current record of a project: another one has another name, after a restart too. */
  recordName(id: string): string | undefined {
    const place = this.current(this.find(id) ?? -1);
    return place && `${place.segment} ${place.offset} ${place.builtAt}`;
  }

  /** The place of a record that may be stale: most of its pieces are useful all the same. */
  any(id: string): Place | undefined {
    return this.#anyAt(this.find(id) ?? -1);
  }

  /** Whether it was found that the project is not public. */
  isHidden(slot: number): boolean {
    return this.#states[slot] === state.hidden;
  }

  /** Whether nothing has to be prepared for the project now. */
  isSettled(id: string): boolean {
    const known = this.#states[this.find(id) ?? -1];
    return known === state.current || known === state.hidden;
  }

  /** The slot of a project; undefined if it has none yet. */
  find(id: string): number | undefined {
    return this.#ids.find(id);
  }

  /** The slot of a project: a small number, which never changes. */
  slotOf(id: string): number {
    const slot = this.#ids.add(id);
    if (slot < this.#states.length) return slot;
    const length = Math.ceil(growth * slot);
    const [states, numbers] = [new Uint8Array(length), new Uint32Array(length * fields.length)];
    const builtAt = new Float64Array(length);
    states.set(this.#states);
    numbers.set(this.#numbers);
    builtAt.set(this.#builtAt);
    [this.#states, this.#numbers, this.#builtAt] = [states, numbers, builtAt];
    return slot;
  }

  /** Returns its slot. */
  put(id: string, place: Place): number {
    const slot = this.slotOf(id);
    this.#release(slot);
    this.#states[slot] = state.current;
    for (let index = 0; index < fields.length; index++)
      this.#numbers[slot * fields.length + index] = place[fields[index]!];
    this.#builtAt[slot] = place.builtAt;
    const segment = this.#segmentOf(place.segment);
    segment.used += place.length;
    segment.written = Math.max(segment.written, place.offset + place.length);
    return slot;
  }

  setHidden(id: string): void {
    const slot = this.slotOf(id);
    this.#release(slot);
    this.#states[slot] = state.hidden;
  }

  /**
   * The project has changed: its record is stale, and remains useful for the next one. Returns false if the record is newer than
   * this change, because another process has read it earlier and prepared the project since.
   */
  setStale(id: string, since: number): boolean {
    const slot = this.find(id);
    if (slot === undefined) return true;
    this.#editions.set(slot, (this.#editions.get(slot) ?? 0) + 1);
    this.#setStaleAt(slot, since);
    return this.#states[slot] !== state.current;
  }

  /** This number grows whenever anything but figures of the project may have changed. Undefined if it has no slot. */
  editionOf(id: string): number | undefined {
    const slot = this.find(id);
    return slot === undefined ? undefined : this.editionAt(slot);
  }

  editionAt(slot: number): number {
    return this.#editionOfAll + (this.#editions.get(slot) ?? 0);
  }

  /** Its record cannot be read. */
  drop(id: string): void {
    const slot = this.find(id);
    if (slot !== undefined) this.#release(slot);
  }

  /** The same for all projects. */
  setAllStale(since: number): void {
    this.#editionOfAll++;
    for (let slot = 0; slot < this.count; slot++) this.#setStaleAt(slot, since);
  }

  open(slot: number, { segment, offset, length }: Place): RecordSource {
    return new StoredRecord(this.#around, slot, this.#segmentOf(segment), offset, length);
  }

  /** The current record of a project. */
  openCurrent(slot: number): RecordSource | undefined {
    if (this.#states[slot] !== state.current) return undefined;
    const at = slot * fields.length;
    const segment = this.#segments.get(this.#numbers[at]!);
    return segment && new StoredRecord(this.#around, slot, segment, this.#numbers[at + 1]!, this.#numbers[at + 3]!);
  }

  /**
   * Makes the calls of `openCurrent` for the first slots of a list quicker (FingerprintTable.prefetch); returns an
   * arbitrary number.
   */
  prefetch(slots: Int32Array, count: number): number {
    let read = 0;
    for (let n = 0; n < count; n++) read ^= this.#states[slots[n]!]! ^ this.#numbers[slots[n]! * fields.length]!;
    return read;
  }

  /** The length of the core of the current record, with the list item behind it. */
  headerLengthOf(slot: number): number {
    return this.#numbers[slot * fields.length + headerLengthAt]!;
  }

  /** The segments that have records. */
  get segments(): ReadonlySet<number> {
    return new Set(this.#segments.keys());
  }

  /** A segment that is mostly garbage, with the records that are still in use. Never the newest: it is being written. */
  takeWasteful(): { segment: number; records: { id: string; place: Place }[] } | undefined {
    const newest = Math.max(...this.#segments.keys());
    for (const [number, segment] of this.#segments) {
      if (number === newest || segment.isLeaving || segment.used > worthKeeping * segment.written) continue;
      segment.isLeaving = true;
      return { segment: number, records: this.recordsIn(number) };
    }
    return undefined;
  }

  /** The records in a segment, also stale ones. */
  recordsIn(segment: number): { id: string; place: Place }[] {
    const records = [];
    for (let slot = 0; slot < this.count; slot++) {
      const place = this.#anyAt(slot);
      if (place?.segment === segment) records.push({ id: this.idOf(slot), place });
    }
    return records;
  }

  /** Figures of the current record, by their places in it. */
  figuresAt(slot: number, values: readonly { at: number; value: number }[]): RecordFigure[] {
    const place = this.current(slot);
    const segment = place && this.#segments.get(place.segment);
    if (!segment) return [];
    const record = keyOf(segment, place.offset);
    return values.map((each) => ({ ...each, record, segment: place.segment, position: place.offset + each.at }));
  }

  /** Notes that a record was moved, unless there is a newer one. */
  move(id: string, from: Place, to: Place): void {
    const slot = this.find(id);
    const now = this.any(id);
    if (slot === undefined || now?.segment !== from.segment || now.offset !== from.offset) return;
    const known = this.#states[slot]!;
    this.put(id, to);
    this.#states[slot] = known;
  }

  removeSegment(number: number): void {
    const segment = this.#segments.get(number);
    this.#segments.delete(number);
    if (segment) closeLater(segment);
  }

  close(): void {
    for (const segment of this.#segments.values()) segment.close();
    this.#segments.clear();
  }

  get bytes(): number {
    return this.#states.byteLength + this.#numbers.byteLength + this.#builtAt.byteLength + this.#ids.bytes;
  }

  #anyAt(slot: number): Place | undefined {
    const known = this.#states[slot];
    return known === state.current || known === state.stale ? this.#placeAt(slot) : undefined;
  }

  #setStaleAt(slot: number, since: number): void {
    if (this.#states[slot] === state.current) {
      if (this.#builtAt[slot]! < since) this.#states[slot] = state.stale;
    } else if (this.#states[slot] === state.hidden) this.#states[slot] = state.none;
  }

  #placeAt(slot: number): Place {
    const at = slot * fields.length;
    const numbers = this.#numbers;
    return {
      ...{ segment: numbers[at]!, offset: numbers[at + 1]!, headerLength: numbers[at + 2]! },
      ...{ length: numbers[at + 3]!, builtAt: this.#builtAt[slot]! },
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
      segment = new Segment(this.#folder, number);
      this.#segments.set(number, segment);
    }
    return segment;
  }
}
