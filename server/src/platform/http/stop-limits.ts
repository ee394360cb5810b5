// How the time that a stop may take is divided.
import type { Config } from "#config/config.js";

/** Time to save and close everything after the last request. A stop that must be quick keeps a sixth of its time for it. */
const mostClosingMs = 5000;

/** How long a stop may take in all, and how long running requests and jobs may take of that. */
export function stopLimits({ http }: Pick<Config, "http">): { allMs: number; requestsMs: number } {
  const allMs = http.shutdownSeconds * 1000;
  return { allMs, requestsMs: allMs - Math.min(mostClosingMs, allMs / 6) };
}
