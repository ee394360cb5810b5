// From the numbers of projects in the hash index to their slots among the places of records. Both never change while the
// server runs, so each is looked up by its id only once: making ids of numbers is most of the cost of a look-up.

export class NumberedSlots {
  readonly #slotOf: (number: number) => number;
  /** By number: the slot plus one, or 0 if it was not looked up yet. */
  #slots = new Int32Array(1024);

  /** `slotOf` looks a slot up. */
  constructor(slotOf: (number: number) => number) {
    this.#slotOf = slotOf;
  }

  get bytes(): number {
    return this.#slots.byteLength;
  }

  get(number: number): number {
    if (number >= this.#slots.length) {
      const longer = new Int32Array(Math.ceil(1.25 * number) + 1);
      longer.set(this.#slots);
      this.#slots = longer;
    }
    this.#slots[number] ||= this.#slotOf(number) + 1;
    return this.#slots[number]! - 1;
  }
}
