// Turns whatever was thrown into the one error shape (decisions §3). What is not ours to explain becomes a plain 500.
import type { FastifyReply, FastifyRequest } from "fastify";
import { isDiskFull, isUnavailable } from "../db/dialect.js";
import { Failure, fail } from "../errors.js";
import { formatBytes } from "../lib/format-bytes.js";
import { Busy } from "../lib/mutex.js";

const retrySeconds = "5";

interface FastifyTrouble {
  code?: string;
  statusCode?: number;
  message?: string;
}

export function toFailure(error: unknown, request: FastifyRequest): Failure {
  if (error instanceof Failure) return error;
  if (isDiskFull(error)) return fail.diskFull();
  if (error instanceof Busy || isUnavailable(error)) return fail.unavailable();
  const { code = "", statusCode = 500, message = "" } = (error ?? {}) as FastifyTrouble;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return fail.bodyTooLarge(formatBytes(request.routeOptions.bodyLimit));
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return fail.unsupportedMediaType("application/json");
  if (code === "FST_ERR_CTP_INVALID_CONTENT_LENGTH")
    return fail.invalidJson("its length is not what Content-Length says");
  if (code === "FST_ERR_BAD_URL" || code === "FST_ERR_ASYNC_CONSTRAINT") return fail.invalidUrl();
  if (statusCode === 408) return fail.requestTimeout();
  if (statusCode >= 400 && statusCode < 500) return new Failure("invalidRequest", 400, message);
  return fail.internal();
}

export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toFailure(error, request);
  if (failure.status >= 500) request.log.error({ err: error, route: request.routeOptions.url }, failure.message);
  if (failure.status === 401) reply.header("www-authenticate", 'Bearer realm="modshelf", Basic realm="modshelf"');
  if (failure.status === 503) reply.header("retry-after", retrySeconds);
  return reply
    .code(failure.status)
    .headers(failure.headers)
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .send(errorBody(failure, request.id));
}

export const errorBody = (failure: Failure, requestId: string): string =>
  JSON.stringify({
    success: false,
    code: failure.code,
    message: failure.message,
    ...(failure.issues && { issues: failure.issues }),
    requestId,
  });
