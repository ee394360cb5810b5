// Turns anything that was thrown into the usual error body (decisions §3). Unexpected errors become a plain 500.

import type { FastifyReply, FastifyRequest } from "fastify";
import { formatBytes } from "#lib/format-bytes.js";
import { Busy } from "#lib/queue.js";
import { BlobStorageFull, BlobStorageUnavailable, BlobTooLarge } from "#platform/blobs/errors.js";
import { isDiskFull, isReferenceBroken, isUnavailable } from "#platform/db/dialect.js";
import { type ErrorCode, Failure, fail } from "#platform/errors.js";
import { say } from "#words/said.js";
import { faceErrorFields, isOfFace } from "./modrinth-fields.js";
import { endpointOf, routePathOf } from "./router.js";

const retrySeconds = "5";
/** On a page, the Basic challenge would open the browser's own password dialog. */
const bearerOnly = 'Bearer realm="modshelf"';

interface FastifyTrouble {
  code?: string;
  statusCode?: number;
  message?: string;
}

export function toFailure(error: unknown, request: FastifyRequest): Failure {
  if (error instanceof Failure) return error;
  // The caller disconnected before the request was complete: the server did not fail.
  if (request.raw.destroyed && !request.raw.complete) return new Failure("invalidRequest", 400, say.bodies.brokenOff);
  if (isDiskFull(error) || error instanceof BlobStorageFull) return fail.diskFull();
  if (error instanceof Busy || error instanceof BlobStorageUnavailable || isUnavailable(error))
    return fail.unavailable();
  if (isReferenceBroken(error)) return fail.goneMeanwhile();
  if (error instanceof BlobTooLarge) return fail.fileTooLarge(say.files.theFile, formatBytes(error.maxBytes));
  const { code = "", statusCode = 500, message = "" } = (error ?? {}) as FastifyTrouble;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return fail.bodyTooLarge(formatBytes(request.routeOptions.bodyLimit));
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return fail.unsupportedMediaType("application/json");
  if (code === "FST_ERR_CTP_INVALID_CONTENT_LENGTH") return fail.invalidJson(say.bodies.wrongLength);
  if (code === "FST_ERR_BAD_URL" || code === "FST_ERR_ASYNC_CONSTRAINT") return fail.invalidUrl();
  if (statusCode === 408) return fail.requestTimeout();
  if (statusCode >= 400 && statusCode < 500) return new Failure("invalidRequest", 400, message);
  return fail.internal();
}

/** An HTML page for a refusal, or a redirect, from the website; undefined if the caller is a program. */
export type ErrorPage = (
  failure: Failure,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<{ html: string; headers: Record<string, string> } | { location: string; status?: 301 | 303 } | undefined>;

export async function sendFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  errorPage?: ErrorPage,
): Promise<FastifyReply> {
  const failure = toFailure(error, request);
  const page = await errorPage?.(failure, request, reply);
  if (page && "location" in page)
    return reply.header("cache-control", "no-store").redirect(page.location, page.status ?? 303);
  if (failure.status >= 500) request.log.error({ err: error, route: routePathOf(request) }, failure.message);
  // Usually a race; the log line helps if it is a mistake in the server.
  else if (failure.code === "goneMeanwhile")
    request.log.warn({ err: error, route: routePathOf(request) }, failure.message);
  if (failure.status === 401)
    reply.header("www-authenticate", page ? bearerOnly : `${bearerOnly}, Basic realm="modshelf"`);
  if (failure.status === 503) reply.header("retry-after", retrySeconds);
  // Also set here: errors before the hooks have no id yet.
  reply
    .code(failure.status)
    .headers(failure.headers)
    .headers({ "cache-control": "no-store", "x-request-id": request.id });
  if (page) return reply.headers(page.headers).type("text/html; charset=utf-8").send(page.html);
  return reply
    .type("application/json; charset=utf-8")
    .send(errorBody(failure, request.id, fieldsFor(failure, request)));
}

/** The fields that programs for other interfaces read. */
function fieldsFor(failure: Failure, request: FastifyRequest): object {
  if (isOfFace(request.url)) return faceErrorFields(failure);
  return endpointOf(request)?.oauthErrors ? oauthFields(failure) : {};
}

const oauthCodes: Partial<Record<ErrorCode, string>> = {
  clientInvalid: "invalid_client",
  applicationSuspended: "unauthorized_client",
  grantInvalid: "invalid_grant",
  grantTypeUnsupported: "unsupported_grant_type",
  scopesNotGranted: "invalid_scope",
  unknownScopes: "invalid_scope",
  approvalPending: "authorization_pending",
  askedTooSoon: "slow_down",
  approvalDenied: "access_denied",
  deviceCodeExpired: "expired_token",
};

function oauthFields({ code, status, message }: Failure): object {
  const others = status >= 500 || status === 429 ? "temporarily_unavailable" : "invalid_request";
  return { error: oauthCodes[code] ?? others, error_description: message };
}

export const errorBody = (failure: Failure, requestId: string, more: object = {}): string =>
  JSON.stringify({
    ...more,
    success: false,
    code: failure.code,
    message: failure.message,
    ...(failure.issues && { issues: failure.issues }),
    requestId,
  });
