// A small HTTP proxy that gives each request to the next node in turn. A node that cannot be reached, or is not ready, is
// left out until it is ready again. A request that has certainly not been handled is given to another node instead.
import { once } from "node:events";
import { Agent, createServer, request } from "node:http";

const checkMs = 500;
/** Headers of one connection, which are not passed on (RFC 9110, section 7.6.1). */
const hopHeaders = ["connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade"];

export async function startProxy(port) {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const nodes = [];
  let turn = 0;
  const next = (without) => {
    const ready = nodes.filter((node) => node.isReady && !without.has(node));
    return ready.length === 0 ? undefined : ready[turn++ % ready.length];
  };

  const server = createServer((incoming, answer) => {
    const tried = new Set();
    const attempt = () => {
      const node = next(tried);
      if (!node) {
        answer.writeHead(503, { "retry-after": "2", "content-type": "text/plain" });
        return void answer.end("No node is ready.");
      }
      tried.add(node);
      const headers = { ...incoming.headers, "x-forwarded-for": incoming.socket.remoteAddress };
      for (const name of hopHeaders) delete headers[name];
      const { method, url } = incoming;
      const outgoing = request(node.origin + url, { method, headers, agent });
      outgoing.on("response", (reply) => {
        const passed = { ...reply.headers };
        for (const name of hopHeaders) delete passed[name];
        answer.writeHead(reply.statusCode, passed);
        reply.pipe(answer);
        reply.on("error", () => answer.destroy());
      });
      outgoing.on("error", (error) => {
        if (error.code === "ECONNREFUSED") node.isReady = false;
        if (answer.headersSent) return void answer.destroy();
        const isUnhandled = error.code === "ECONNREFUSED" || (["GET", "HEAD"].includes(method) && !hasBody(incoming));
        if (isUnhandled) return attempt();
        answer.writeHead(502, { "content-type": "text/plain" });
        answer.end("The node did not answer.");
      });
      answer.on("close", () => {
        if (!answer.writableFinished) outgoing.destroy();
      });
      // The body is read only when there is a connection, so that it can still be sent to another node.
      const send = () => (hasBody(incoming) ? incoming.pipe(outgoing) : outgoing.end());
      outgoing.once("socket", (socket) => (socket.connecting ? socket.once("connect", send) : send()));
    };
    attempt();
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");

  const check = setInterval(() => {
    for (const node of nodes)
      fetch(`${node.origin}/readyz`, { signal: AbortSignal.timeout(checkMs) }).then(
        ({ ok }) => {
          node.isReady = ok;
        },
        () => {
          node.isReady = false;
        },
      );
  }, checkMs);

  return {
    url: `http://localhost:${server.address().port}`,
    add: (origin) => nodes.push({ origin, isReady: true }),
    async stop() {
      clearInterval(check);
      server.closeAllConnections();
      agent.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const hasBody = ({ headers }) => headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0;
