// A server in one process, without workers.
import { createApp } from "#app.js";
import type { Config } from "#config/config.js";
import { closeResources, openResources } from "#operations/assembly/resources.js";
import { exitCodes } from "./command.js";
import { byServer, prepareData } from "./prepare-data.js";
import { reloadOnHangup } from "./reloading.js";
import { begin, end } from "./serving.js";
import { createSetupLink } from "./setup-link.js";
import { announce, lockData, logBugs, openLog, orExplain } from "./start-up.js";
import { stopSignal } from "./stop-signal.js";

export async function serveAlone(config: Config, isDemo: boolean): Promise<number> {
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
