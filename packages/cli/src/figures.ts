// Sizes, counts, times and hashes as people read them.

/** 1.4 MB, as file managers count. */
export function toSize(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  const at = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${(bytes / 1000 ** at).toFixed(at === 0 ? 0 : 1)} ${units[at]}`;
}

/** 1:05 */
export const toTime = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** 4,800. Loading the formats of a language takes 20 ms, so only commands that need them do. */
export const toCount = (number: number): string => number.toLocaleString("en");

export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

export const shortHash = (hash: string): string => `${hash.slice(0, 4)}…${hash.slice(-4)}`;
