// Requests that the HTTP parser refuses or that never arrive completely: they get the usual error body too.
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { Failure, fail } from "#platform/errors.js";
import { errorBody } from "./errors.js";

/** How long the caller may take to read the answer and close. */
const lingerMs = 1000;

function toFailure(code: string | undefined): Failure {
  if (code === "HPE_HEADER_OVERFLOW") return fail.headersTooLarge();
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return fail.requestTimeout();
  return new Failure("invalidRequest", 400, "This is not a valid HTTP request");
}

/** Node's internal reference to the answer that is being written to this connection. */
const isAnswering = (socket: Socket): boolean =>
  (socket as Socket & { _httpMessage?: { headersSent: boolean } })._httpMessage?.headersSent === true;

export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  // A second answer would be read as a part of the first.
  if (error.code === "ECONNRESET" || !socket.writable || isAnswering(socket)) {
    socket.destroy();
    return;
  }
  const failure = toFailure(error.code);
  const body = errorBody(failure, requestId);
  const lines = [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    "x-content-type-options: nosniff",
    "cache-control: no-store",
    "connection: close",
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  // If only this side closed, the connection could stay half open for as long as the caller wants.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
