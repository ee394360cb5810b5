// Gives memory back to the operating system while a server is idle. V8 collects garbage when it needs memory, so a server
// without requests would otherwise keep the garbage of its start, or of the last busy hour.
import { performance } from "node:perf_hooks";

interface IdleOptions {
  /** The time that the main thread has to be idle. */
  everyMs?: number;
  /** The share of this time that it may work nevertheless: timers and health checks. */
  idleShare?: number;
}

/**
 * Collects garbage once, whenever the main thread becomes idle. `collect` is a function of V8 that exists with the option
 * --expose-gc only. Returns a function that ends this.
 */
export function collectWhenIdle(
  collect: (() => void) | undefined,
  { everyMs = 5000, idleShare = 0.02 }: IdleOptions = {},
): () => void {
  if (!collect) return () => {};
  let before = performance.eventLoopUtilization();
  let isDue = true;
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    if (utilization > idleShare) isDue = true;
    else if (isDue) {
      collect();
      isDue = false;
    }
    before = performance.eventLoopUtilization();
  }, everyMs).unref();
  return () => clearInterval(timer);
}
