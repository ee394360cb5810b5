// How a process begins to answer requests and how it ends: a server in one process, or a worker.
import { setTimeout as pause } from "node:timers/promises";
import { type App, routes } from "#app.js";
import { compileEarly } from "#platform/http/early-validators.js";
import type { Resources } from "#platform/http/resources.js";
import { stopLimits } from "#platform/http/stop-limits.js";
import { collectWhenIdle } from "#platform/processes/idle-memory.js";
import { exitCodes } from "./command.js";
import { fillIfEmpty } from "./demo-content.js";
import { explainListening } from "./startup-errors.js";

/** For this long the CPU is left to the requests that waited for the start: their code is not compiled either. */
const firstRequestsMs = 5000;

/** Starts to answer. Returns the address. */
export async function begin(app: App, resources: Resources, isDemo: boolean): Promise<string> {
  const { config } = resources;
  let listening: string;
  try {
    listening = await app.listen(config.http);
  } catch (error) {
    await app.stop();
    throw explainListening(config, error);
  }
  if (isDemo)
    await fillIfEmpty(resources).catch(async (error) => {
      await app.stop();
      throw error;
    });
  let compiling: ReturnType<typeof compileEarly> | undefined;
  const start = setTimeout(() => {
    compiling = compileEarly(routes.map(({ endpoint }) => endpoint));
  }, firstRequestsMs).unref();
  const stopCollecting = collectWhenIdle(globalThis.gc);
  stops.set(app, () => {
    clearTimeout(start);
    compiling?.stop();
    stopCollecting();
  });
  return listening;
}

/** Ends what a process does besides answering. */
const stops = new WeakMap<App, () => void>();

/** Stops answering. Returns the exit code. */
export async function end(app: App, { config, log }: Resources): Promise<number> {
  stops.get(app)?.();
  const deadline = pause(stopLimits(config).allMs, "late");
  if ((await Promise.race([app.stop(), deadline])) !== "late") return exitCodes.ok;
  log.error({ active: process.getActiveResourcesInfo() }, "Something keeps the server from stopping; it is cut off");
  return exitCodes.failed;
}
