// The answers of a route for the OpenAPI document: its successful answer and every refusal that it can give.
import { type ErrorCode, errorStatuses, type Failure, fail } from "#platform/errors.js";
import { type EndpointSpec, isRaw, type RawAnswer } from "./endpoint.js";
import type { JsonSchema, Shapes } from "./openapi-schemas.js";
import { ErrorBody } from "./schemas.js";

export interface Answer {
  $ref?: string;
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema?: JsonSchema; example?: unknown }>;
  /** The codes of the refusals with this status. */
  "x-codes"?: ErrorCode[];
}

/** An answer of a real server. */
export interface ExampleAnswer {
  /** The media type where the answer is not JSON. */
  type?: string;
  /** Absent for binary answers. */
  body?: unknown;
  headers?: Record<string, string>;
}

export function toAnswers(
  endpoint: EndpointSpec,
  shapes: Shapes,
  example: ExampleAnswer | undefined,
): Record<string, Answer> {
  const { answer } = endpoint;
  const isFile = isRaw(answer) && answer.isFile === true;
  const isTagged = isFile || (isRaw(answer) ? answer.isTagged === true : endpoint.method === "GET");
  const refusals = Map.groupBy(refusalsOf(endpoint), (code) => errorStatuses[code]);
  const statuses = [...refusals.keys()].sort((a, b) => a - b);
  return {
    200: toGoodAnswer(endpoint, shapes, isTagged, example),
    ...(isFile && { 206: toPartialAnswer(answer) }),
    ...(isTagged && { 304: { $ref: "#/components/responses/NotModified" } }),
    ...Object.fromEntries(statuses.map((status) => [status, toRefusal(refusals.get(status)!, shapes)])),
    ...(isFile && { 416: { $ref: "#/components/responses/RangeNotSatisfiable" } }),
    429: { $ref: "#/components/responses/RateLimited" },
    500: { $ref: "#/components/responses/Internal" },
    default: { $ref: "#/components/responses/Refused" },
  };
}

function toGoodAnswer(
  endpoint: EndpointSpec,
  shapes: Shapes,
  isTagged: boolean,
  example: ExampleAnswer | undefined,
): Answer {
  const { answer } = endpoint;
  const headers = {
    ...(isRaw(answer) && answer.isFile ? fileHeaders(example) : isTagged && { ETag: headerRef("ETag") }),
    ...(endpoint.setsCookie && { "Set-Cookie": headerRef("SessionCookie") }),
  };
  const others = (endpoint.otherForms ?? []).flatMap(toRawContents);
  const own = isRaw(answer)
    ? Object.fromEntries(toRawContents(answer))
    : { "application/json": { schema: shapes.convert(answer) } };
  return {
    description: isRaw(answer) ? answer.description : "Done",
    ...(Object.keys(headers).length > 0 && { headers }),
    content: withExample({ ...own, ...Object.fromEntries(others) }, example),
  };
}

const toPartialAnswer = (answer: RawAnswer): Answer => ({
  description: "The part of the file that Range asked for",
  headers: { ...fileHeaders(undefined), "Content-Range": headerRef("Content-Range") },
  content: Object.fromEntries(toRawContents(answer)),
});

const headerRef = (name: keyof typeof sharedHeaders) => ({ $ref: `#/components/headers/${name}` });

/** If a real answer is known, its values are added as examples. */
const fileHeaders = (example: ExampleAnswer | undefined): Record<string, unknown> =>
  Object.fromEntries(
    (["Accept-Ranges", "Content-Disposition", "Content-Length", "ETag"] as const).map((name) => {
      const value = example?.headers?.[name.toLowerCase()];
      return [name, value === undefined ? headerRef(name) : { ...sharedHeaders[name], example: value }];
    }),
  );

type Content = NonNullable<Answer["content"]>;

function withExample(content: Content, example: ExampleAnswer | undefined): Content {
  if (example?.body === undefined) return content;
  const type = example.type ?? "application/json";
  return { ...content, [type]: { ...content[type], example: example.body } };
}

const toRawContents = ({ raw, types = [] }: RawAnswer): [string, { schema: JsonSchema }][] =>
  [raw, ...types].map((type) => [type, { schema: toRawSchema(type) }]);

/** Texts are strings; generators must know that everything else is binary. */
const toRawSchema = (type: string): JsonSchema => {
  if (/^application\/(?:feed\+)?json$/.test(type)) return { type: "object" };
  return /^text\/|[/+]xml$/.test(type) ? { type: "string" } : { type: "string", format: "binary" };
};

/** Refusals that the reference explains once for all routes. */
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

/** The refusals that the contract names, and those that follow from the route itself. */
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

/** The sentence of a refusal, with "…" for its arguments. */
export const sentenceOf = (code: ErrorCode): string =>
  (fail[code] as (...args: string[]) => Failure)("…", "…").message.replaceAll("….", "…");

/** The answers that every route shares. */
export const sharedAnswers = (shapes: Shapes): Record<string, Answer> => ({
  NotModified: { description: "Nothing changed since the answer whose ETag was sent in If-None-Match" },
  RangeNotSatisfiable: {
    description: "The range lies behind the end of the file. There is no body",
    headers: { "Content-Range": headerRef("Content-Range") },
  },
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
  "Accept-Ranges": { description: "bytes: parts of the file can be asked for with Range", ...text },
  "Content-Disposition": { description: "attachment, with the name of the file in filename", ...text },
  "Content-Length": { description: "Bytes of the body", schema: { type: "integer" } },
  "Content-Range": { description: "Which bytes these are, and how many the whole file has", ...text },
  ETag: { description: "Send it back in If-None-Match to get 304 while nothing changed", ...text },
  SessionCookie: { description: "The session, in the cookie auth-token", ...text },
  "Retry-After": { description: "Seconds until the next request can succeed", schema: { type: "integer" } },
  RateLimit: { description: "The rest of the quota, and the number of seconds for which it has to suffice", ...text },
  "RateLimit-Policy": { description: "The quota and its window in seconds", ...text },
} as const;
