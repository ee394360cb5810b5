// How many worker processes the server starts.
import { availableParallelism, totalmem } from "node:os";
import { wholeNumber } from "./parsers.js";

const mostWorkers = 64;
/** More must be asked for: each has its own caches and its own connections to the database. */
const mostByDefault = 16;
/** Each worker may need half of it; the rest is for the cache of files of the operating system. */
const bytesPerWorker = 1024 ** 3;

const parseNumber = wholeNumber([1, mostWorkers]);

export const workerCount = (text: string): number => (text.toLowerCase() === "auto" ? findCount() : parseNumber(text));

/** One for each core that this process may use, as far as the memory reaches. */
function findCount(): number {
  // Without a limit it is unknown or larger than the machine.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  const byMemory = Math.floor(Math.min(limit, totalmem()) / bytesPerWorker);
  return Math.max(1, Math.min(availableParallelism(), byMemory, mostByDefault));
}
