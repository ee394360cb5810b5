// `modshelf serve` and `modshelf demo`: from nothing to a running server, and back at SIGTERM or SIGINT.
import type { Config } from "#config/config.js";
import { findTaxonomyFault } from "#operations/checkup/taxonomy-file.js";
import { CommandFailure, exitCodes } from "./command.js";

/** `isDemo`: an empty registry is filled with sample content. */
export async function serve(config: Config, { isDemo = false } = {}): Promise<number> {
  const fault = findTaxonomyFault(config.taxonomyFile);
  if (fault) throw new CommandFailure(fault, exitCodes.config);
  // Only the one that is needed is loaded: the primary process of several workers is small.
  if (config.http.workers > 1) return (await import("./serve-with-workers.js")).serveWithWorkers(config, isDemo);
  return (await import("./serve-alone.js")).serveAlone(config, isDemo);
}
