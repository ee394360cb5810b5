// How the time of a shutdown is divided.
import type { Config } from "#config/config.js";

/** Time to save and close everything after the last request. A short shutdown reserves a sixth of its time for it. */
const mostClosingMs = 5000;

/** How long a shutdown may take in total, and how much of that running requests and jobs may use. */
export function stopLimits({ http }: Pick<Config, "http">): { allMs: number; requestsMs: number } {
  const allMs = http.shutdownSeconds * 1000;
  return { allMs, requestsMs: allMs - Math.min(mostClosingMs, allMs / 6) };
}
