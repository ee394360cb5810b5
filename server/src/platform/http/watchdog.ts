// Lets nothing stand still for ever. A connection on which no byte moves for a while is closed: one whose client stopped
// reading its download, or never sends the rest of a request. A request that is still being worked on is answered with 503.
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply } from "fastify";
import { fail } from "#platform/errors.js";
import { endpointOf } from "./arrival.js";

/** Storing a large upload far away takes its time, and nothing else does. */
const uploadFactor = 10;

export function watchStillness(app: FastifyInstance, stillMs: number): void {
  /** The latest request of each connection. Those of the hot path are not in here; one that hangs is closed unanswered. */
  const replies = new WeakMap<Socket, FastifyReply>();
  app.addHook("onRequest", async (request, reply) => void replies.set(request.raw.socket, reply));
  // Node.js notices bytes in both directions, also those of one long write that is still going out.
  app.server.timeout = stillMs;
  app.server.on("timeout", (socket: Socket) => {
    const reply = replies.get(socket);
    if (!reply || reply.sent || reply.raw.headersSent) {
      socket.destroy();
      return;
    }
    const isUpload = endpointOf(reply.request)?.streams === true;
    if (isUpload && reply.elapsedTime < uploadFactor * stillMs) socket.setTimeout(stillMs);
    else reply.send(fail.unavailable());
  });
}
