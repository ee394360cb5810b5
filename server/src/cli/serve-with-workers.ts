// A server with several worker processes. This process, the primary one, locks and prepares the data, starts the workers
// and replaces them; it answers no requests itself.
import type { Server } from "node:http";
import { type Config, handOver } from "#config/config.js";
import { systemClock } from "#lib/clock.js";
import { ownModule } from "#lib/own-files.js";
import { closeResources, openResources } from "#operations/assembly/resources.js";
import { listenForMetrics } from "#platform/http/metrics-server.js";
import type { Resources } from "#platform/http/resources.js";
import { stopLimits } from "#platform/http/stop-limits.js";
import { Supervisor, WorkerFailure } from "#platform/workers/supervisor.js";
import { CommandFailure, exitCodes } from "./command.js";
import { withInstance } from "./instance.js";
import { byServer, prepareData } from "./prepare-data.js";
import { rereadOnHangup } from "./reloading.js";
import { createSetupLink } from "./setup-link.js";
import { announce, lockData, logBugs, openLog, orExplain } from "./start-up.js";
import { explainListening } from "./startup-errors.js";
import { stopSignal } from "./stop-signal.js";

export async function serveWithWorkers(config: Config, isDemo: boolean): Promise<number> {
  const signal = stopSignal();
  const log = openLog(config);
  logBugs(log);
  const unlock = lockData(config);
  const prepared = prepare(config, log);
  const { workers: count } = config.http;
  const supervisor = new Supervisor({
    ...{ count, log, prepared, clock: systemClock },
    program: ownModule("cli/worker"),
    assign: (number) => ({ number, count, settings: handOver(config), isDemo }),
  });
  const stop = () => supervisor.stop(stopLimits(config).allMs);
  let metrics: Server | undefined;
  try {
    const started = supervisor.start();
    await prepared;
    metrics = await listenForMetrics(
      { config, log },
      { contentType: supervisor.metricsType, text: () => supervisor.collectMetrics() },
    );
    const listening = await started;
    announce({ config, log }, listening, await withInstance(config, (instance) => createSetupLink(instance, byServer)));
  } catch (error) {
    metrics?.close();
    await stop();
    throw toCommandFailure(explainListening(config, error));
  }
  const stopReloading = rereadOnHangup(config, log, () => supervisor.reload());
  const ending = await Promise.race([signal, supervisor.failed.catch((error: WorkerFailure) => error)]);
  log.info({ ...(typeof ending === "string" && { signal: ending }) }, "Stopping");
  stopReloading();
  metrics?.close();
  const isClean = await stop();
  unlock();
  if (ending instanceof WorkerFailure) throw toCommandFailure(ending);
  if (!isClean) return exitCodes.failed;
  log.info("Stopped");
  return exitCodes.ok;
}

/** Opens the data only for as long as it takes to prepare them. */
async function prepare(config: Config, log: Resources["log"]): Promise<void> {
  const resources = await orExplain(openResources(config, { log }));
  try {
    await prepareData(resources);
  } finally {
    await closeResources(resources);
  }
}

const toCommandFailure = (error: unknown): unknown =>
  error instanceof WorkerFailure ? new CommandFailure(error.message, error.exitCode) : error;
