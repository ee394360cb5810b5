// The line with the progress of a transfer: files, bytes, rate and the time that is left.
import { toSize, toTime } from "./figures.js";
import type { Terminal } from "./terminal.js";

export class Progress {
  readonly #terminal: Terminal;
  readonly #files: number;
  readonly #total: number;
  readonly #start = performance.now();
  #shown = 0;
  #bytes = 0;
  #kept = 0;
  #done = 0;

  constructor(terminal: Terminal, sizes: readonly number[]) {
    this.#terminal = terminal;
    this.#files = sizes.length;
    this.#total = sizes.reduce((sum, size) => sum + size, 0);
  }

  /** For the progress of one file. */
  follow(): (progress: { bytes: number }) => void {
    let before: number | undefined;
    return ({ bytes }) => {
      // The first bytes may be those of an earlier run, which say nothing about the rate.
      if (before === undefined) this.#kept += bytes;
      this.#bytes += bytes - (before ?? 0);
      before = bytes;
      this.#show();
    };
  }

  count(): void {
    this.#done++;
    this.#show(this.#done === this.#files);
  }

  #show(isLast = false): void {
    const now = performance.now();
    // A terminal needs no more than ten lines a second.
    if (now - this.#shown < 100 && !isLast) return;
    this.#shown = now;
    const share = this.#total === 0 ? 1 : Math.min(1, this.#bytes / this.#total);
    const rate = (this.#bytes - this.#kept || this.#bytes) / Math.max(0.001, (now - this.#start) / 1000);
    const bar = "█".repeat(Math.round(20 * share)).padEnd(20, "░");
    const left = rate > 0 ? toTime((this.#total - this.#bytes) / rate) : "–:––";
    this.#terminal.status(
      `${this.#done}/${this.#files}  ${bar}  ${Math.round(100 * share)}%  ${toSize(this.#bytes)}/${toSize(this.#total)}  ${toSize(rate)}/s  ${left}`.slice(
        0,
        this.#terminal.columns - 1,
      ),
    );
  }
}
