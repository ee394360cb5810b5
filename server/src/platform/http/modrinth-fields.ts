// Additions of the HTTP layer for programs that were written for Modrinth's API: below /v2, refusals and rate limits also
// have the names that these programs read (integrations/modrinth).
import type { Failure } from "#platform/errors.js";
import type { RatePolicy, RateResult } from "./token-bucket.js";

export const facePath = "/v2";

/** Whether a URL or the path of an endpoint belongs to the face. */
export const isOfFace = (url: string): boolean =>
  url.startsWith(facePath) && (url.length === facePath.length || "/?#".includes(url[facePath.length]!));

const names: Readonly<Record<number, string>> = {
  401: "unauthorized",
  403: "unauthorized",
  404: "not_found",
  429: "ratelimit_error",
};

export const faceErrorFields = ({ status, message }: Failure): object => ({
  error: names[status] ?? (status >= 500 ? "internal_error" : "invalid_input"),
  description: message,
});

export const faceRateFields = ({ quota }: RatePolicy, { remaining, resetSeconds }: RateResult) => ({
  "X-Ratelimit-Limit": String(quota),
  "X-Ratelimit-Remaining": String(remaining),
  "X-Ratelimit-Reset": String(resetSeconds),
});
