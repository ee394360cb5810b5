// How long a body may take to arrive. The body of a request that is refused before it is read is never read. Node's own
// timeout covers the whole request, and would abort every large upload.
import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fail } from "#platform/errors.js";

export interface ArrivalLimits {
  /** For a body that is read as a whole. */
  wholeMs: number;
  /** A form may take any time if every span of this length */
  spanMs: number;
  /** brings this much per second. */
  bytesPerSecond: number;
  /** How long a connection may make no progress while a request is open (watchdog.ts). */
  stillMs: number;
}

export const defaultArrivalLimits: ArrivalLimits = {
  wholeMs: 30_000,
  spanMs: 30_000,
  bytesPerSecond: 1024,
  stillMs: 60_000,
};

/** How long a client that is still sending may take to notice the answer. A closed connection would lose it. */
const lingerMs = 2000;

/** Callers that wait for "100 Continue" before they send the body. */
const waiting = new WeakSet<IncomingMessage>();

export function watchBodies(app: FastifyInstance, patience: ArrivalLimits): void {
  app.server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    waiting.add(request);
    app.server.emit("request", request, response);
  });
  app.addHook("preParsing", async (request, reply) => {
    if (!hasBody(request.raw)) return;
    const isForm = isFormRequest(request);
    watchArrival(request.raw, patience, isForm);
    // The body of a form with files is requested once it is known that the caller may send it.
    if (!isForm) askForBody(request, reply);
  });
  app.addHook("onSend", async (request, reply) => {
    if (!hasBody(request.raw) || request.raw.complete) return;
    // A body in the same packet as its head is parsed a moment later.
    await nextTurn();
    if (!request.raw.complete) closeAfterAnswer(request.raw, reply);
  });
}

/** Sends "100 Continue" to a caller that waits for it. */
export function askForBody(request: FastifyRequest, reply: FastifyReply): void {
  // While an earlier answer is still being sent there is no socket yet: Node would queue the line and send it between
  // the head and the body of this answer.
  if (waiting.delete(request.raw) && reply.raw.socket) reply.raw.writeContinue();
}

const isFormRequest = ({ headers }: FastifyRequest): boolean =>
  headers["content-type"]?.trimStart().toLowerCase().startsWith("multipart/") ?? false;

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Reports an error to the reader of the body if it arrives too slowly. */
function watchArrival(request: IncomingMessage, patience: ArrivalLimits, isForm: boolean): void {
  if (request.complete) return;
  const { socket } = request;
  const spanMs = isForm ? patience.spanMs : patience.wholeMs;
  const leastBytes = isForm ? (patience.bytesPerSecond * spanMs) / 1000 : Number.POSITIVE_INFINITY;
  let seen = socket.bytesRead;
  let wasHeldBack = false;
  const look = () => {
    if (request.complete) return;
    const came = socket.bytesRead - seen;
    seen = socket.bytesRead;
    // While the server does not read, the caller is not to blame; afterwards it has a whole span again.
    const isHeldBack = isForm && request.readableFlowing !== true;
    const isJudged = !isHeldBack && !wasHeldBack;
    wasHeldBack = isHeldBack;
    if (isJudged && came < leastBytes) tellReader(request, fail.requestTimeout());
  };
  // Received data is processed first: a busy server must not blame the caller for data that it has not read yet.
  const timer = setInterval(() => setImmediate(look), spanMs);
  timer.unref();
  const stop = () => clearInterval(timer);
  request.once("end", stop).once("close", stop);
}

/** Ends the reading of a body with an error; harmless if nothing reads it. The connection stays open for the answer. */
export function tellReader(request: IncomingMessage, error: Error): void {
  if (request.listenerCount("error") > 0) request.emit("error", error);
}

/**
 * The answer is sent while the body is still arriving. The rest is discarded for a moment: a connection that is closed
 * with unread bytes is reset, and the answer would be lost.
 */
function closeAfterAnswer(request: IncomingMessage, reply: FastifyReply): void {
  const { socket } = request;
  reply.header("connection", "close");
  socket.destroySoon = () => {
    socket.end();
    request.once("end", () => socket.destroy());
    request.unpipe();
    request.resume();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
}
