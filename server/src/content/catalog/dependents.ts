// Which prepared projects name a user or an organization. It may find more projects than there are.
import type { FingerprintKey } from "#lib/fingerprint-key.js";
import { FingerprintTable } from "#lib/fingerprint-table.js";

export class Dependents {
  readonly #key: FingerprintKey;
  readonly #slots = new FingerprintTable();

  constructor(key: FingerprintKey) {
    this.#key = key;
  }

  get bytes(): number {
    return this.#slots.bytes;
  }

  add(names: readonly string[], slot: number): void {
    for (const name of names) {
      this.#key.readText(name);
      this.#slots.add(this.#key.high, this.#key.low, slot);
    }
  }

  find(name: string): readonly number[] {
    this.#key.readText(name);
    return this.#slots.find(this.#key.high, this.#key.low);
  }
}
