// Ends connections without progress: those whose client has stopped reading a download or never sends the rest of a
// request are closed. A request that is still being processed is answered with 503.
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply } from "fastify";
import { fail } from "#platform/errors.js";
import { endpointOf } from "./router.js";

/** Only storing a large upload in remote storage may take this much longer. */
const uploadFactor = 10;

/**
 * Whether a request was answered while it was being processed. A file that was opened for it must be closed then: a file
 * handle that is never closed ends the process when it is collected.
 */
export const isAnswered = (reply: FastifyReply): boolean => reply.sent || reply.raw.headersSent;

export function watchIdleConnections(app: FastifyInstance, stillMs: number): void {
  /**
   * The latest request of each connection, except those of the hot path; such a request is closed without an answer.
   */
  const replies = new WeakMap<Socket, FastifyReply>();
  app.addHook("onRequest", async (request, reply) => void replies.set(request.raw.socket, reply));
  // Node.js counts bytes in both directions, also those of one long write that is still being sent.
  app.server.timeout = stillMs;
  app.server.on("timeout", (socket: Socket) => {
    const reply = replies.get(socket);
    if (!reply || isAnswered(reply)) {
      socket.destroy();
      return;
    }
    const isUpload = endpointOf(reply.request)?.streams === true;
    if (isUpload && reply.elapsedTime < uploadFactor * stillMs) socket.setTimeout(stillMs);
    else reply.send(fail.unavailable());
  });
}
