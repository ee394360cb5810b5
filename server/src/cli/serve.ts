// `modshelf serve` and `modshelf demo`: from nothing to a running server, and back at SIGTERM or SIGINT.
import { closeResources, createApp, openResources } from "#app.js";
import type { Config } from "#config/config.js";
import { findTaxonomyFault } from "#operations/checkup/taxonomy-file.js";
import { CommandFailure, exitCodes } from "./command.js";
import { byServer, prepareData } from "./prepare-data.js";
import { reloadOnHangup } from "./reloading.js";
import { serveWithWorkers } from "./serve-with-workers.js";
import { announce, begin, end, lockData, logBugs, openLog, orExplain } from "./serving.js";
import { createSetupLink } from "./setup-link.js";
import { stopSignal } from "./stop-signal.js";

/** `isDemo`: an empty registry is filled with sample content. */
export async function serve(config: Config, { isDemo = false } = {}): Promise<number> {
  const fault = findTaxonomyFault(config.taxonomyFile);
  if (fault) throw new CommandFailure(fault, exitCodes.config);
  return config.http.workers === 1 ? serveAlone(config, isDemo) : serveWithWorkers(config, isDemo);
}

/** In this process, without workers. */
async function serveAlone(config: Config, isDemo: boolean): Promise<number> {
  // From here on a signal that arrives during the start stops the server as soon as it has started.
  const signal = stopSignal();
  const log = openLog(config);
  const unlock = lockData(config);
  const resources = await orExplain(openResources(config, { log }));
  logBugs(log);
  const app = await prepareData(resources)
    .then(() => createApp(resources))
    .catch(async (error) => {
      await closeResources(resources);
      throw error;
    });
  announce(resources, await begin(app, resources, isDemo), await createSetupLink(resources, byServer));
  const stopReloading = reloadOnHangup(resources);
  log.info({ signal: await signal }, "Stopping");
  stopReloading();
  const code = await end(app, resources);
  if (code !== exitCodes.ok) return code;
  unlock();
  log.info("Stopped");
  return code;
}
