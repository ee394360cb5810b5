// Serves the Prometheus metrics on a separate port, if the operator has set one.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Resources } from "./resources.js";

export async function listenForMetrics({ config, metrics, log }: Resources): Promise<Server | undefined> {
  const { port, host } = config.metrics;
  if (port === undefined) return undefined;
  const server = createServer(async (_request, response) => {
    response.setHeader("content-type", metrics.registry.contentType);
    response.end(await metrics.registry.metrics());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const listening = server.address() as AddressInfo;
  log.info({ host: listening.address, port: listening.port }, "The metrics server is listening");
  return server;
}
