// Everything that is written for people. Texts of a registry cannot control the terminal: control characters are removed
// from every line, and styles are marks in the text until then.
import type { Readable, Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { Failure } from "./failures.js";

/** The codes that begin and end a style. */
const styles = { bold: [1, 22], dim: [2, 22], green: [32, 39], yellow: [33, 39], red: [31, 39] } as const;
const codes = Object.values(styles).flat();
/** Each code has a character of the private use area. */
const marked = (style: keyof typeof styles) => {
  const first = 0xe000 + 2 * Object.keys(styles).indexOf(style);
  return (text: string): string => `${String.fromCharCode(first)}${text}${String.fromCharCode(first + 1)}`;
};
export const bold = marked("bold");
export const dim = marked("dim");
export const green = marked("green");
export const yellow = marked("yellow");
export const red = marked("red");

const marks = /[\ue000-\ue009]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be printed.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** One or more lines as they may be sent to a terminal. */
export function toPrintable(text: string, withColor: boolean): string {
  const clean = stripVTControlCharacters(text).replace(controls, "");
  if (!withColor) return clean.replace(marks, "");
  return clean.replace(marks, (mark) => `\u001b[${codes[mark.charCodeAt(0) - 0xe000]}m`);
}

/** Columns that a text takes on the screen: characters of East Asian scripts and emoji take two. */
export function widthOf(text: string): number {
  const clean = isPlain.test(text) ? text : toPrintable(text, false);
  if (isPlain.test(clean)) return clean.length;
  return [...clean].reduce((sum, character) => sum + (isWide.test(character) ? 2 : 1), 0);
}
/** Most texts are: looking at each character of a long table takes longer than a request. */
const isPlain = /^[ -~]*$/;
const isWide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** Rows with columns of equal width, two spaces apart. */
export function toTable(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.map((row) => row.map(widthOf));
  const columns: number[] = [];
  for (const row of widths) for (const [n, width] of row.entries()) columns[n] = Math.max(columns[n] ?? 0, width);
  return rows.map((row, at) =>
    row
      .map((cell, n) => (n === row.length - 1 ? cell : cell + " ".repeat(columns[n]! - widths[at]![n]! + 2)))
      .join("")
      .trimEnd(),
  );
}

export interface TerminalOptions {
  input: Readable & { isTTY?: boolean };
  output: Writable & { isTTY?: boolean };
  errors: Writable & { isTTY?: boolean; columns?: number };
  isJson: boolean;
  isQuiet: boolean;
  withColor: boolean;
  /** Whether questions can be asked. */
  isInteractive: boolean;
  /** A build of GitHub Actions reads the output, and takes lines that begin with "::" as commands. */
  isInRunner?: boolean;
}

export class Terminal {
  readonly isInteractive: boolean;
  readonly #options: TerminalOptions;
  /** The line with the progress, which other lines replace. */
  #status = "";

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.isInteractive = options.isInteractive;
  }

  /** The columns of the screen. */
  get columns(): number {
    return this.#options.errors.columns ?? 80;
  }

  /** A result, on the standard output. */
  print(lines: readonly string[]): void {
    this.#clearStatus();
    const { output, withColor } = this.#options;
    for (const line of lines) output.write(`${this.#clean(line, withColor && output.isTTY === true)}\n`);
  }

  /** A document for programs, on the standard output. */
  printJson(document: unknown): void {
    this.#clearStatus();
    this.#options.output.write(`${JSON.stringify(document, null, 2)}\n`);
  }

  /** What happens at the moment, on the standard error output. */
  note(line: string): void {
    if (this.#options.isQuiet) return;
    this.#write(line);
  }

  /** Something that the user must know even with --quiet. */
  warn(line: string): void {
    this.#write(`${yellow("!")} ${line}`);
  }

  /** Something that the user needs to go on, such as a code. */
  tell(line: string): void {
    this.#write(line);
  }

  /** Replaces the line with the progress. Nothing without a terminal. */
  status(line: string): void {
    const { errors, isQuiet, withColor } = this.#options;
    if (isQuiet || errors.isTTY !== true || line === this.#status) return;
    errors.write(`\r\u001b[2K${toPrintable(line, withColor)}`);
    this.#status = line;
  }

  #clearStatus(): void {
    if (this.#status !== "") this.#options.errors.write("\r\u001b[2K");
    this.#status = "";
  }

  #write(line: string): void {
    this.#clearStatus();
    const { errors, withColor } = this.#options;
    errors.write(`${this.#clean(line, withColor && errors.isTTY === true)}\n`);
  }

  /** Texts of a registry or a manifest must not become commands of the build. */
  #clean(line: string, withColor: boolean): string {
    const text = toPrintable(line, withColor);
    return this.#options.isInRunner ? text.replace(/^([^\S\n]*):(?=:)/gm, "$1: ").replaceAll("##[", "## [") : text;
  }

  /** Marks the build with an error that its page shows. Nothing elsewhere. */
  annotate(message: string): void {
    if (!this.#options.isInRunner) return;
    const escaped = toPrintable(message, false).replaceAll("%", "%25").replaceAll("\n", "%0A");
    this.#options.errors.write(`::error title=shelf::${escaped}\n`);
  }

  /** Asks for a yes. Without a terminal it fails, and names the option that says yes. */
  async confirm(question: string, signal: AbortSignal): Promise<boolean> {
    if (!this.isInteractive)
      throw new Failure("This needs your agreement, and there is no terminal to ask you.", {
        advice: "Add --yes if you agree, or --dry-run to see only what would happen.",
        code: "needsAgreement",
      });
    const answer = await this.ask(`${question} [Y/n] `, signal);
    return /^(?:y|yes|)$/i.test(answer.trim());
  }

  async ask(question: string, signal: AbortSignal): Promise<string> {
    const { createInterface } = await import("node:readline/promises");
    const { input, errors, withColor } = this.#options;
    this.#clearStatus();
    const reader = createInterface({ input, output: errors });
    try {
      return await reader.question(toPrintable(question, withColor), { signal });
    } finally {
      reader.close();
    }
  }
}

/** The beginning of a line, as far as it fits. Styles end where it does. */
export function shorten(line: string, columns: number): string {
  if (widthOf(line) <= columns) return line;
  let width = 0;
  let kept = "";
  for (const character of line) {
    const isMark = marks.test(character);
    marks.lastIndex = 0;
    if (!isMark) width += widthOf(character);
    if (width < columns || isMark) kept += character;
    else if (!kept.endsWith("…")) kept += "…";
  }
  return kept;
}
