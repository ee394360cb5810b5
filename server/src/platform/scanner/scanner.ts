// The interface to a malware scanner outside of this program. clamd.ts is the only kind so far; another one would
// implement Scanner and be chosen in open.ts.

export type Verdict =
  | { kind: "clean" }
  /** The name that the scanner gives to the finding. */
  | { kind: "infected"; signature: string }
  /** The scanner does not accept so many bytes, or has looked at a part of them only. */
  | { kind: "tooLarge" };

/** Why there is no verdict. All of them may be over at the next try. */
export type Trouble =
  | "unknownHost"
  | "refused"
  /** No answer within the time limit. */
  | "silent"
  /** The connection ended before the answer. */
  | "closed"
  /** The answer is not one of a scanner. */
  | "strange"
  /** The scanner says that it cannot scan. */
  | "failed"
  /** Too many files are being scanned. */
  | "busy"
  /** No scanner is set up. */
  | "off";

export class ScannerTrouble extends Error {
  readonly trouble: Trouble;

  constructor(trouble: Trouble, reason: string) {
    super(`The malware scanner gave no verdict (${trouble}): ${reason}`);
    this.trouble = trouble;
  }
}

export interface Scanner {
  readonly enabled: boolean;
  /** The version of the scanner and of its signatures. */
  readVersion(): Promise<string>;
  /**
   * Rejects with ScannerTrouble if there is no verdict within this time. The file is opened when it is its turn, and
   * never held as a whole.
   */
  scan(open: () => AsyncIterable<Uint8Array>, limitMs: number): Promise<Verdict>;
  /** Ends running scans. */
  close(): void;
}
