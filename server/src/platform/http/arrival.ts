// How long a body may take to arrive, and what becomes of one that nobody wants: refused before it is read, it is
// never read. Node's own limit covers a request as a whole, and would cut every large upload.
import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fail } from "#platform/errors.js";
import type { EndpointSpec } from "./endpoint.js";

export interface Patience {
  /** For a body that is read in one piece. */
  wholeMs: number;
  /** A form may take for ever, as long as every such span of time */
  spanMs: number;
  /** brings so much a second. */
  bytesPerSecond: number;
  /** How long a connection may stand still while it is not idle (watchdog.ts). */
  stillMs: number;
}

export const defaultPatience: Patience = { wholeMs: 30_000, spanMs: 30_000, bytesPerSecond: 1024, stillMs: 60_000 };

/** How long a caller who is still sending may take to notice the answer. Cut off at once, he would never see it. */
const lingerMs = 2000;

/** Callers who wait for a "100 Continue" before they send anything. */
const waiting = new WeakSet<IncomingMessage>();

export function watchBodies(app: FastifyInstance, patience: Patience): void {
  app.server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    waiting.add(request);
    app.server.emit("request", request, response);
  });
  app.addHook("preParsing", async (request, reply) => {
    if (!hasBody(request.raw)) return;
    const isForm = isFormRequest(request);
    watchArrival(request.raw, patience, isForm);
    // A form with files is asked for once it is known that the caller may send it.
    if (!isForm) askForBody(request, reply);
  });
  app.addHook("onSend", async (request, reply) => {
    if (!hasBody(request.raw) || request.raw.complete) return;
    // A body that came in the same packet as its head is parsed a moment after it.
    await nextTurn();
    if (!request.raw.complete) closeAfterAnswer(request.raw, reply);
  });
}

/** Lets a caller who asked whether his body is wanted send it. */
export function askForBody(request: FastifyRequest, reply: FastifyReply): void {
  // While an earlier answer is still going out there is no socket yet: Node would keep the words and then send them
  // between the head and the body of this answer.
  if (waiting.delete(request.raw) && reply.raw.socket) reply.raw.writeContinue();
}

export const endpointOf = (request: FastifyRequest): EndpointSpec | undefined =>
  (request.routeOptions.config as { endpoint?: EndpointSpec }).endpoint;

const isFormRequest = ({ headers }: FastifyRequest): boolean =>
  headers["content-type"]?.trimStart().toLowerCase().startsWith("multipart/") ?? false;

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Tells whoever reads the body when it comes too slowly. */
function watchArrival(request: IncomingMessage, patience: Patience, isForm: boolean): void {
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
    // Where it is we who do not read, the caller is not to blame; and once we do, he has a whole span again.
    const isHeldBack = isForm && request.readableFlowing !== true;
    const isJudged = !isHeldBack && !wasHeldBack;
    wasHeldBack = isHeldBack;
    if (isJudged && came < leastBytes) tellReader(request, fail.requestTimeout());
  };
  // After what is here already has been read: a busy server must not blame the caller for what it has not looked at.
  const timer = setInterval(() => setImmediate(look), spanMs);
  timer.unref();
  const stop = () => clearInterval(timer);
  request.once("end", stop).once("close", stop);
}

/** Ends the reading of a body with an error; without harm where nobody reads it. The connection stays, for the answer. */
export function tellReader(request: IncomingMessage, error: Error): void {
  if (request.listenerCount("error") > 0) request.emit("error", error);
}

/**
 * The answer goes out while the body is still coming in. The rest is thrown away for a moment: a connection that is
 * closed with unread bytes is reset, and the answer lost on its way.
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
