// What a route can answer, for the OpenAPI document: its good answer and every refusal it names or cannot avoid.
import { type ErrorCode, errorStatuses, type Failure, fail } from "../errors.js";
import { type EndpointSpec, isRaw } from "./endpoint.js";
import type { JsonSchema, Shapes } from "./openapi-schemas.js";
import { ErrorBody } from "./schemas.js";

export interface Answer {
  $ref?: string;
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema?: JsonSchema }>;
  /** The codes of the refusals with this status. */
  "x-codes"?: ErrorCode[];
}

export function toAnswers(endpoint: EndpointSpec, shapes: Shapes): Record<string, Answer> {
  const isRead = endpoint.method === "GET" && !isRaw(endpoint.answer);
  const refusals = Map.groupBy(refusalsOf(endpoint), (code) => errorStatuses[code]);
  const statuses = [...refusals.keys()].sort((a, b) => a - b);
  return {
    200: toGoodAnswer(endpoint, shapes),
    ...(isRead && { 304: { $ref: "#/components/responses/NotModified" } }),
    ...Object.fromEntries(statuses.map((status) => [status, toRefusal(refusals.get(status)!, shapes)])),
    429: { $ref: "#/components/responses/RateLimited" },
    500: { $ref: "#/components/responses/Internal" },
    default: { $ref: "#/components/responses/Refused" },
  };
}

function toGoodAnswer(endpoint: EndpointSpec, shapes: Shapes): Answer {
  const { answer } = endpoint;
  const headers = {
    ...(endpoint.method === "GET" && !isRaw(answer) && { ETag: { $ref: "#/components/headers/ETag" } }),
    ...(endpoint.setsCookie && { "Set-Cookie": { $ref: "#/components/headers/SessionCookie" } }),
  };
  const shown = Object.keys(headers).length > 0 ? { headers } : {};
  const others = (endpoint.otherForms ?? []).map(({ raw }) => [raw, toRawContent(raw)]);
  const own = isRaw(answer)
    ? { [answer.raw]: toRawContent(answer.raw) }
    : { "application/json": { schema: shapes.convert(answer) } };
  return {
    description: isRaw(answer) ? answer.description : "Done",
    ...shown,
    content: { ...own, ...Object.fromEntries(others) },
  };
}

const toRawContent = (type: string): { schema?: JsonSchema } => {
  if (type.startsWith("text/")) return { schema: { type: "string" } };
  return type === "application/json" ? { schema: { type: "object" } } : {};
};

/** What the reference explains once for all routes instead of at each. */
export const commonRefusals = [
  "invalidRequest",
  "invalidJson",
  "multipartInvalid",
  "credentialInvalid",
  "tokenExpired",
  "signInNeeded",
  "scopeMissing",
  "sessionNeeded",
  "originRefused",
  "notFound",
  "rateLimited",
  "internal",
] as const satisfies ErrorCode[];

/** Those the contract names, and those that follow from what the route is. */
function refusalsOf(endpoint: EndpointSpec): ErrorCode[] {
  const { access, errors = [] } = endpoint;
  const isUnsafe = endpoint.method !== "GET";
  const codes: ErrorCode[] = ["invalidRequest", "credentialInvalid", "tokenExpired", ...errors];
  if (endpoint.body) codes.push("invalidJson");
  if (endpoint.files) codes.push("multipartInvalid");
  if (access.kind === "needs" || access.kind === "needsOneOf") codes.push("signInNeeded", "scopeMissing");
  if (access.kind === "session") codes.push("signInNeeded", "sessionNeeded");
  if (access.role) codes.push(access.role === "admin" ? "adminOnly" : "moderatorOnly", "confirmationNeeded");
  if (isUnsafe && !endpoint.crossOrigin) codes.push("originRefused");
  if (endpoint.params && !codes.some((code) => errorStatuses[code] === 404)) codes.push("notFound");
  return [...new Set(codes)].filter((code) => code !== "rateLimited");
}

const toRefusal = (codes: ErrorCode[], shapes: Shapes): Answer => ({
  description: codes.map((code) => `- \`${code}\`: ${sentenceOf(code)}`).join("\n"),
  content: refusalContent(shapes),
  "x-codes": codes,
});

const refusalContent = (shapes: Shapes) => ({ "application/json": { schema: shapes.convert(ErrorBody) } });

/** The sentence of a refusal, with "…" where a caller reads what it is about. */
export const sentenceOf = (code: ErrorCode): string =>
  (fail[code] as (...args: string[]) => Failure)("…", "…").message.replaceAll("….", "…");

/** The answers that every route shares. */
export const sharedAnswers = (shapes: Shapes): Record<string, Answer> => ({
  NotModified: { description: "Nothing changed since the answer whose ETag was sent in If-None-Match" },
  RateLimited: {
    ...toRefusal(["rateLimited"], shapes),
    headers: Object.fromEntries(
      ["Retry-After", "RateLimit", "RateLimit-Policy"].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
  },
  Internal: toRefusal(["internal"], shapes),
  Refused: {
    description: "Every other refusal has the same body: 405, 408, 409, 413, 415, 422, 431, 503 and 507",
    content: refusalContent(shapes),
  },
});

const text = { schema: { type: "string" } };

export const sharedHeaders = {
  ETag: { description: "Send it back in If-None-Match to get 304 while nothing changed", ...text },
  SessionCookie: { description: "The session, in the cookie auth-token", ...text },
  "Retry-After": { description: "Seconds until the next request can succeed", schema: { type: "integer" } },
  RateLimit: { description: "What is left of the quota, and for how many seconds that has to do", ...text },
  "RateLimit-Policy": { description: "The quota and its window in seconds", ...text },
} as const;
