// How often things were used lately, about. With it, a cache can keep only what is used more often than what it would
// replace.

/** Numbers that share a slot are counted together. */
const slots = 128 * 1024;
/** After so many uses all counts are halved, so that what was used often long ago makes room. */
const halvedAfter = 4 * slots;
const most = 255;

export class UseCounts {
  readonly #counts = new Uint8Array(slots);
  #noted = 0;

  note(number: number): void {
    const slot = number % slots;
    if (this.#counts[slot]! < most) this.#counts[slot]!++;
    if (++this.#noted < halvedAfter) return;
    this.#noted = 0;
    for (let each = 0; each < slots; each++) this.#counts[each]! >>= 1;
  }

  of(number: number): number {
    return this.#counts[number % slots]!;
  }
}
