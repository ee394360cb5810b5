// Gives memory back to the operating system while a server is idle. V8 collects garbage when it needs memory, so a server
// without requests would otherwise keep the garbage of its start, or of the last busy hour.
import { performance } from "node:perf_hooks";

interface IdleOptions {
  /**
   * The time that the main thread has to be idle. Longer than the pauses of a server with few visitors: after a collection
   * the next requests are slow, because V8 has dropped code too.
   */
  everyMs?: number;
  /** So many of these times are between two collections at least: each stops the main thread for some tenths of a second. */
  between?: number;
  /** The share of this time that it may work nevertheless: timers and health checks. */
  idleShare?: number;
}

/**
 * Collects garbage once, whenever the main thread becomes idle. `collect` is a function of V8 that exists with the option
 * --expose-gc only. Returns a function that ends this.
 */
export function collectWhenIdle(
  collect: NodeJS.GCFunction | undefined,
  { everyMs = 8000, between = 4, idleShare = 0.02 }: IdleOptions = {},
): () => void {
  if (!collect) return () => {};
  let before = performance.eventLoopUtilization();
  let isDue = true;
  let waited = between;
  const timer = setInterval(() => {
    waited++;
    const { utilization } = performance.eventLoopUtilization(before);
    if (utilization > idleShare) isDue = true;
    else if (isDue && waited > between) {
      // An ordinary collection moves few objects, and keeps free pages for later: at full size that was 100 MB.
      collect({ type: "major", execution: "sync", flavor: "last-resort" });
      isDue = false;
      waited = 0;
    }
    before = performance.eventLoopUtilization();
  }, everyMs).unref();
  return () => clearInterval(timer);
}
