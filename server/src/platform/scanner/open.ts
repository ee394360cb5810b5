// The scanner of the site: its address as it is in the settings at each file, and a limit on how many files this process
// has scanned at once. Files above the size of the settings are not sent.
import type { Config } from "#config/config.js";
import { Busy, Queue } from "#lib/queue.js";
import { readClamdVersion, scanWithClamd } from "./clamd.js";
import { type Scanner, ScannerTrouble } from "./scanner.js";

/** clamd has ten threads by default, which other programs may use too. */
const atOnce = 4;
const mostWaiting = 200;
const versionMs = 10_000;

export function followScanner(read: () => Config["scanner"]): Scanner {
  const queue = new Queue(atOnce, mostWaiting);
  const closing = new AbortController();
  const getPlace = () => {
    const { place } = read();
    if (!place) throw new ScannerTrouble("off", "no scanner is set up");
    return place;
  };
  const within = (limitMs: number) => AbortSignal.any([closing.signal, AbortSignal.timeout(limitMs)]);
  return {
    get enabled() {
      return read().place !== undefined;
    },
    readVersion: async () => readClamdVersion(getPlace(), within(versionMs)),
    scan: async (open, limitMs) => {
      const signal = within(limitMs);
      const release = await queue.acquire(signal).catch((error) => {
        throw error instanceof Busy || signal.aborted
          ? new ScannerTrouble("busy", "too many files are waiting")
          : error;
      });
      try {
        return await scanWithClamd(getPlace(), open, signal);
      } finally {
        release();
      }
    },
    close: () => closing.abort(),
  };
}
