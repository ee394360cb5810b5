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
  /** Memory has to grow by this many bytes before the next collection, so that a visit now and then does not cause one. */
  growth?: number;
  /** The share of this time that it may work nevertheless: timers and health checks. */
  idleShare?: number;
}

/**
 * Collects garbage when the main thread is idle and memory has grown. `collect` is a function of V8 that exists with the
 * option --expose-gc only. Returns a function that ends this.
 */
export function collectWhenIdle(
  collect: NodeJS.GCFunction | undefined,
  { everyMs = 8000, between = 4, growth = 24 * 2 ** 20, idleShare = 0.02 }: IdleOptions = {},
): () => void {
  if (!collect) return () => {};
  let before = performance.eventLoopUtilization();
  /** The bytes that are left after the last collection; the first collection does not depend on growth. */
  let kept = Number.NEGATIVE_INFINITY;
  let waited = between;
  const timer = setInterval(() => {
    waited++;
    const { utilization } = performance.eventLoopUtilization(before);
    const memory = memoryOfObjects();
    if (utilization <= idleShare && waited > between && memory >= kept + growth) {
      // An ordinary collection moves few objects, and keeps free pages for later: at full size that was 100 MB.
      collect({ type: "major", execution: "sync", flavor: "last-resort" });
      kept = memoryOfObjects();
      waited = 0;
    } else kept = Math.min(kept, memory);
    before = performance.eventLoopUtilization();
  }, everyMs).unref();
  return () => clearInterval(timer);
}

/** The bytes that V8 has for objects, and for buffers that objects hold. */
function memoryOfObjects(): number {
  const memory = process.memoryUsage();
  return memory.heapTotal + memory.external;
}
