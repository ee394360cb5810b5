// The OpenAPI 3.1 document, made only from the endpoints, so that it matches what the routes check and answer.
import type { TObject } from "typebox";
import type { Access } from "./access.js";
import { sessionCookie } from "./cookies.js";
import { type EndpointSpec, type FilePart, isRaw } from "./endpoint.js";
import { type Answer, type ExampleAnswer, sharedAnswers, sharedHeaders, toAnswers } from "./openapi-answers.js";
import { type JsonSchema, Shapes } from "./openapi-schemas.js";
import { type RateClass, rateClasses } from "./rate-limit-fields.js";
import { tagDescriptions } from "./tags.js";

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

export interface RequestBody {
  description?: string;
  required: boolean;
  content: Record<string, { schema: JsonSchema }>;
}

export interface Operation {
  operationId: string;
  tags: [string];
  summary: string;
  description?: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: RequestBody;
  responses: Record<string, Answer>;
  security: Record<string, readonly string[]>[];
  /** The access rule in words. */
  "x-access": string;
  "x-rate-class": { name: RateClass; quota: number; windowSeconds: number };
}

export interface OpenApiDocument {
  openapi: "3.1.1";
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } };
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, Answer>;
    headers: typeof sharedHeaders;
    parameters: Record<string, Parameter>;
    securitySchemes: Record<string, object>;
  };
}

interface Described {
  version: string;
  url: string;
  examples?: Readonly<Record<string, ExampleAnswer>>;
}

/** Makes the whole document at once, for tests and tools. */
export function toOpenApi(endpoints: readonly EndpointSpec[], described: Described): OpenApiDocument {
  const work = makeOpenApi(endpoints, described);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** The cost of one operation, in the steps of lib/slices.ts. */
const stepsPerOperation = 1000;

/** Makes one operation at a time, so that a server can answer other requests in between. */
export function* makeOpenApi(
  endpoints: readonly EndpointSpec[],
  { version, url, examples = {} }: Described,
): Generator<number, OpenApiDocument> {
  const shapes = new Shapes();
  const shown = endpoints.filter((endpoint) => !endpoint.internal);
  const paths: OpenApiDocument["paths"] = {};
  for (const endpoint of shown) {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}").replace(/\*$/, "{path}");
    paths[path] ??= {};
    paths[path][endpoint.method.toLowerCase()] = toOperation(endpoint, shapes, examples[endpoint.id]);
    yield stepsPerOperation;
  }
  const responses = sharedAnswers(shapes);
  return {
    openapi: "3.1.1",
    info: {
      title: "Modshelf API",
      version,
      description: `A registry and download host for game add-ons. The same reference for reading: ${url}/api/docs`,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url }],
    tags: [...new Set(shown.map(({ tag }) => tag))].map((name) => {
      const description = tagDescriptions[name];
      return { name, ...(description !== undefined && { description }) };
    }),
    paths,
    components: {
      schemas: shapes.components(),
      responses,
      headers: sharedHeaders,
      parameters: headerParameters,
      securitySchemes,
    },
  };
}

function toOperation(endpoint: EndpointSpec, shapes: Shapes, example: ExampleAnswer | undefined): Operation {
  const { quota, windowSeconds } = rateClasses[endpoint.rate];
  const parameters = [
    ...toParameters("path", endpoint.params, shapes),
    ...toParameters("query", endpoint.query, shapes),
    ...headersOf(endpoint).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
  const requestBody = toRequestBody(endpoint, shapes);
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: toAnswers(endpoint, shapes, example),
    security: toSecurity(endpoint),
    "x-access": accessInWords(endpoint),
    "x-rate-class": { name: endpoint.rate, quota, windowSeconds },
  };
}

function toParameters(place: "path" | "query", fields: TObject | undefined, shapes: Shapes): Parameter[] {
  const required = new Set<string>(fields?.required ?? []);
  return Object.entries(fields?.properties ?? {}).map(([name, property]) => {
    const { description, ...schema } = shapes.convert(property);
    return { name, in: place, required: required.has(name), ...(description && { description }), schema };
  });
}

/**
 * A body that can contain files is documented as a form only, although JSON is accepted too: client generators create
 * one function per operation and would choose JSON, so that no file could be sent.
 */
function toRequestBody(endpoint: EndpointSpec, shapes: Shapes): RequestBody | undefined {
  const { body, files } = endpoint;
  if (!body && !files) return undefined;
  const schema = body && shapes.convert(body);
  const isFormOnly = Object.values(files ?? {}).some((part) => part.required);
  return {
    ...(files && !isFormOnly && { description: "Without files, a JSON body with the same names is accepted too." }),
    // A POST of files is useless without a body, even if every part is optional.
    required: isFormOnly || (files !== undefined && endpoint.method === "POST") || (schema?.required ?? []).length > 0,
    content: {
      ...(schema && !files && { "application/json": { schema } }),
      ...(files && { "multipart/form-data": { schema: withFiles(schema, files) } }),
      ...(schema && endpoint.htmlForm && { "application/x-www-form-urlencoded": { schema } }),
    },
  };
}

/** The same fields as text parts, with binary parts for files. */
function withFiles(schema: JsonSchema | undefined, files: NonNullable<EndpointSpec["files"]>): JsonSchema {
  const parts = Object.entries(files).map(([name, part]) => [name, toFilePart(part, schema?.properties?.[name])]);
  const required = Object.entries(files).flatMap(([name, part]) => (part.required ? [name] : []));
  return {
    type: "object",
    ...schema,
    properties: { ...schema?.properties, ...Object.fromEntries(parts) },
    ...(required.length > 0 && { required: [...(schema?.required ?? []), ...required] }),
  };
}

/** A text in place of a file says what happens to the existing file. */
function toFilePart({ description, maxCount, example }: FilePart, instead: JsonSchema | undefined): JsonSchema {
  if (maxCount) return { type: "array", items: binary, description };
  const named = { description, ...(example && { [fileName]: example }) };
  if (!instead) return { ...binary, ...named };
  const texts = (instead.anyOf ?? [instead]).filter(({ type }) => type !== "null");
  return { anyOf: [binary, ...texts], ...named, description: [description, instead.description].join(". ") };
}

/** The file name in the example of the reference. */
export const fileName = "x-file-name";

/** Client generators turn this into a binary type. */
const binary: JsonSchema = { type: "string", format: "binary" };

export const isBinary = (schema: JsonSchema): boolean =>
  schema.format === "binary" || (schema.items ? isBinary(schema.items) : (schema.anyOf ?? []).some(isBinary));

const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "A personal access token. The header may also hold the bare token without the word Bearer.",
  },
  basic: { type: "http", scheme: "basic", description: "A personal access token as the password, under any username" },
  session: {
    type: "apiKey",
    in: "cookie",
    name: sessionCookie,
    description: "A browser session. A request that changes something must come from this site's own pages.",
  },
};

function toSecurity({ access, ownAuthorization, sessionOrCode, oauthErrors }: EndpointSpec): Operation["security"] {
  if (oauthErrors && ownAuthorization) return [{}, { basic: [] }];
  if (sessionOrCode) return [{ session: [] }, {}];
  if (access.kind === "open") return ownAuthorization ? [{ bearer: [] }] : [];
  if (access.kind === "session") return [{ session: [] }];
  const choices = access.kind === "needsOneOf" ? access.scopes.map((scope) => [scope]) : [access.scopes];
  const tokens = choices.flatMap((scopes): Operation["security"] => [{ bearer: scopes }, { basic: scopes }]);
  const signedIn: Operation["security"] = [...tokens, { session: [] }];
  return access.kind === "readable" ? [{}, ...signedIn] : signedIn;
}

function accessInWords({ access, ownAuthorization, sessionOrCode, oauthErrors }: EndpointSpec): string {
  if (oauthErrors && ownAuthorization) return "The id of an application, and its secret if it has one";
  if (ownAuthorization) return "A token of its own; see the description";
  if (sessionOrCode) return "A browser session, or a mailed code; no token can do this";
  const words = scopesInWords(access);
  if (!access.role) return words;
  const token = access.kind === "session" ? "" : "; a token also needs the scope staff";
  return `${words}, of ${access.role === "admin" ? "an administrator" : "a moderator or administrator"}${token}`;
}

function scopesInWords(access: Access): string {
  if (access.kind === "open") return "Public";
  if (access.kind === "session") return "A browser session; no token can do this";
  if (access.scopes.length === 0) return "Public; a session may see more";
  if (access.kind === "needsOneOf")
    return `A session, or a token with ${access.scopes.join(" or ")}, whichever fits what it is about`;
  const scopes = access.scopes.join(" and ");
  if (access.kind === "needs") return `A session, or a token with ${scopes}`;
  return `Public; a session, or a token with ${scopes}, may see more`;
}

const header = (name: string, description: string, example: string, schema: JsonSchema = {}): Parameter => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string", ...schema, examples: [example] },
});

/** Request headers that many operations share, by the name of their component. */
const headerParameters = {
  IdempotencyKey: header(
    "Idempotency-Key",
    "Repeating a request with the same key repeats its answer instead of doing it twice. Kept for a day.",
    "release-1.4.0",
    { minLength: 1, maxLength: 255 },
  ),
  Range: header(
    "Range",
    "Asks for a part of the file, such as what is missing after a lost connection.",
    "bytes=1048576-",
  ),
  IfRange: header(
    "If-Range",
    "The ETag of the file that the part belongs to. The whole file is sent if it is another one by now.",
    '"3c59dc048e8850243be8079a5c74d079"',
  ),
  IfNoneMatch: header(
    "If-None-Match",
    "ETags of answers that the caller has. The answer is 304 if one of them is still right.",
    '"3c59dc048e8850243be8079a5c74d079"',
  ),
} as const;

function headersOf({ method, answer }: EndpointSpec): (keyof typeof headerParameters)[] {
  if (!isRaw(answer)) return method === "POST" ? ["IdempotencyKey"] : [];
  if (answer.isFile) return ["Range", "IfRange", "IfNoneMatch"];
  return answer.isTagged ? ["IfNoneMatch"] : [];
}
