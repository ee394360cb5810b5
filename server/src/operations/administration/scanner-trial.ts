// Tests the malware scanner on request: a harmless text must pass, and the test text that every scanner knows must be
// found. Only the version of clamd is shown, so that the test tells nothing about other services in the operator's network.
import type { Scanner, Trouble } from "#platform/scanner/scanner.js";
import { ScannerTrouble } from "#platform/scanner/scanner.js";

export interface ScannerTrial {
  outcome: "works" | "misses" | "alarms" | Trouble;
  version?: string;
}

const limitMs = 15_000;

/** Joined only here, so that no file of the program is reported by scanners. */
export const toTestText = (): string =>
  ["X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR", "STANDARD", "ANTIVIRUS", "TEST", "FILE!$H+H*"].join("-");

const toBytes = (text: string) =>
  async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text, "latin1");
  };

export async function tryScanner(scanner: Scanner): Promise<ScannerTrial> {
  try {
    const version = await scanner.readVersion();
    if ((await scanner.scan(toBytes("A harmless text."), limitMs)).kind !== "clean")
      return { outcome: "alarms", version };
    const { kind } = await scanner.scan(toBytes(toTestText()), limitMs);
    return { outcome: kind === "infected" ? "works" : "misses", version };
  } catch (error) {
    if (error instanceof ScannerTrouble) return { outcome: error.trouble };
    throw error;
  }
}
