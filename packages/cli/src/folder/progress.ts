// The line with the progress of downloads: files, bytes, rate and the time that is left.
import type { VersionFile } from "modshelf-client";
import type { Terminal } from "#shelf/terminal.js";

const units = ["B", "KB", "MB", "GB", "TB"];

/** A size as people write it, such as 1.4 MB. */
export function toSize(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${(bytes / 1000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`;
}

const toTime = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

export class Progress {
  readonly #terminal: Terminal;
  readonly #files: number;
  readonly #total: number;
  readonly #start = performance.now();
  #shown = 0;
  #bytes = 0;
  #done = 0;

  constructor(terminal: Terminal, files: readonly { file: VersionFile }[]) {
    this.#terminal = terminal;
    this.#files = files.length;
    this.#total = files.reduce((sum, { file }) => sum + file.size, 0);
    if (files.length > 0) terminal.note(`Downloading ${countOf(files.length, "file")}, ${toSize(this.#total)}`);
  }

  /** For the progress of one file. */
  follow(): (progress: { bytes: number }) => void {
    let before = 0;
    return ({ bytes }) => {
      this.#bytes += bytes - before;
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
    const rate = this.#bytes / Math.max(0.001, (now - this.#start) / 1000);
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
