// Gives every project a small number, for tables that cannot hold ids. Ids are stored as numbers too (lib/packed-id.ts).
// Numbers are never used for another project, as long as the server runs.
import type { FingerprintKey } from "#lib/fingerprint-key.js";
import { FingerprintTable, type MovedTable } from "#lib/fingerprint-table.js";
import { packId, unpackId } from "#lib/packed-id.js";

export interface MovedNumbers {
  ids: Float64Array<ArrayBuffer>;
  count: number;
  unusual: string[];
  byId: MovedTable;
}

export class ProjectNumbers {
  readonly #key: FingerprintKey;
  /** By number; below zero: the place in the list of ids that have another form. */
  #ids: Float64Array<ArrayBuffer>;
  #count: number;
  readonly #unusual: string[];
  readonly #byId: FingerprintTable;

  /** `expected`: about so many projects will be added. */
  constructor(key: FingerprintKey, moved?: MovedNumbers, expected = 0) {
    this.#key = key;
    this.#ids = moved?.ids ?? new Float64Array(64 + Math.ceil(1.02 * expected));
    this.#count = moved?.count ?? 0;
    this.#unusual = moved?.unusual ?? [];
    this.#byId = new FingerprintTable(moved?.byId, { expected });
  }

  /** How many numbers were given. */
  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#ids.byteLength + this.#byId.bytes;
  }

  /** These numbers must not be used afterwards. */
  move(): MovedNumbers {
    return { ids: this.#ids, count: this.#count, unusual: this.#unusual, byId: this.#byId.move() };
  }

  /** The id is compared as a whole, so the answer is exact. Undefined for deleted projects. */
  find(id: string): number | undefined {
    const packed = packId(id);
    // Most texts that are no ids are slugs.
    if (packed === undefined && this.#unusual.length === 0) return undefined;
    this.#key.readText(id);
    const { high, low } = this.#key;
    const count = this.#byId.seek(high, low);
    if (count === 0) return undefined;
    if (count === 1 && this.#ids[this.#byId.value] === packed) return this.#byId.value;
    const found = this.#byId.find(high, low);
    return found.find((number) => (packed === undefined ? this.idOf(number) === id : this.#ids[number] === packed));
  }

  add(id: string): number {
    const known = this.find(id);
    if (known !== undefined) return known;
    if (this.#count === this.#ids.length) {
      const larger = new Float64Array(Math.ceil(this.#count * 1.25));
      larger.set(this.#ids);
      this.#ids = larger;
    }
    const number = this.#count++;
    this.#ids[number] = packId(id) ?? -this.#unusual.push(id);
    this.#key.readText(id);
    this.#byId.add(this.#key.high, this.#key.low, number);
    return number;
  }

  /** Forgets deleted projects: their numbers still have an id, but the ids have no number. */
  drop(numbers: ReadonlySet<number>): void {
    this.#byId.drop(numbers);
  }

  idOf(number: number): string {
    const packed = this.#ids[number]!;
    return packed < 0 ? this.#unusual[-packed - 1]! : unpackId(packed);
  }
}
