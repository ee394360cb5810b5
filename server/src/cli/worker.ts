// The program of a worker process: a server that was prepared by the primary process and shares its port and data with
// other workers. It stops when it is told to; if the primary process dies, Node.js ends it at once (node:cluster), because
// without it an answer could lack a write of another worker.
import { createApp } from "#app.js";
import { type HandedOver, takeOver } from "#config/config.js";
import { openResources } from "#operations/assembly/resources.js";
import type { Resources } from "#platform/http/resources.js";
import type { Port } from "#platform/workers/channel.js";
import { WorkerLink } from "#platform/workers/link.js";
import { CommandFailure, exitCodes } from "./command.js";
import { reload } from "./reloading.js";
import { begin, end } from "./serving.js";
import { logBugs, openLog, orExplain } from "./start-up.js";
import { waitForDatabase } from "./startup-errors.js";

// As in main.ts.
process.umask(0o077);
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

const stopping = Promise.withResolvers<void>();
let isStopping = false;
function stop(): void {
  isStopping = true;
  stopping.resolve();
}

// A signal to the whole process group or control group arrives here too. The primary process decides what it means.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});

async function run(link: WorkerLink): Promise<number> {
  const config = takeOver(link.assignment.settings as HandedOver);
  const log = openLog(config, { worker: link.number });
  logBugs(log);
  const resources = await orExplain(openResources(config, { log, link }));
  await untilDatabaseAnswers(resources);
  if (isStopping) return exitCodes.ok;
  const app = await createApp(resources);
  const isFilling = link.assignment.isDemo && link.number === 1;
  link.ready(await begin(app, resources, isFilling));
  link.onReload = () => void reload(resources);
  link.onPrepareStop = () => {
    isStopping = true;
    resources.readiness.beginStopping();
  };
  await stopping.promise;
  return end(app, resources);
}

/** A worker that is replaced while the database is away waits for it; the others answer what they can. */
async function untilDatabaseAnswers(resources: Resources): Promise<void> {
  for (let isThere = false; !isThere && !isStopping; )
    isThere = await waitForDatabase(resources).then(
      () => true,
      (error) => {
        resources.log.error({ err: error }, "The worker cannot start without the database; it waits");
        return false;
      },
    );
}

const link = await Promise.race([
  WorkerLink.open(process as unknown as Port, stop).catch(() => undefined),
  stopping.promise,
]);
if (!link) process.exit(exitCodes.ok);
let code: number = exitCodes.failed;
try {
  code = await run(link);
} catch (error) {
  if (!(error instanceof CommandFailure)) throw error;
  await link.failed(error.message, error.exitCode).catch(() => undefined);
}
process.exit(code);
