// Serves the Prometheus metrics on a separate port, if the operator has set one.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Resources } from "./resources.js";

interface Figures {
  contentType: string;
  text(): Promise<string>;
}

export async function listenForMetrics(
  { config, log }: Pick<Resources, "config" | "log">,
  { contentType, text }: Figures,
): Promise<Server | undefined> {
  const { port, host } = config.metrics;
  if (port === undefined) return undefined;
  const server = createServer(async (_request, response) => {
    response.setHeader("content-type", contentType);
    response.end(await text());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const listening = server.address() as AddressInfo;
  log.info({ host: listening.address, port: listening.port }, "The metrics server is listening");
  return server;
}
