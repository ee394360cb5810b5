// The OpenAPI 3.1 document, made from the endpoints alone: what the routes check and answer is what it says.
import type { TObject } from "typebox";
import type { Access } from "./access.js";
import { sessionCookie } from "./cookies.js";
import { type EndpointSpec, isRaw } from "./endpoint.js";
import { type Answer, sharedAnswers, sharedHeaders, toAnswers } from "./openapi-answers.js";
import { type JsonSchema, Shapes } from "./openapi-schemas.js";
import { type RateClass, rateClasses } from "./rate-limit-fields.js";

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

export interface RequestBody {
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
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, Answer>;
    headers: typeof sharedHeaders;
    parameters: Record<string, Parameter>;
    securitySchemes: Record<string, object>;
  };
}

export function toOpenApi(
  endpoints: readonly EndpointSpec[],
  { version, url }: { version: string; url: string },
): OpenApiDocument {
  const shapes = new Shapes();
  const shown = endpoints.filter((endpoint) => !endpoint.internal);
  const byPath = Map.groupBy(shown, (endpoint) => endpoint.path.replace(/:(\w+)/g, "{$1}").replace(/\*$/, "{path}"));
  const paths = Object.fromEntries(
    [...byPath].map(([path, here]) => [
      path,
      Object.fromEntries(here.map((endpoint) => [endpoint.method.toLowerCase(), toOperation(endpoint, shapes)])),
    ]),
  );
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
    tags: [...new Set(shown.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: shapes.components(),
      responses,
      headers: sharedHeaders,
      parameters: { IdempotencyKey: idempotencyKey },
      securitySchemes,
    },
  };
}

function toOperation(endpoint: EndpointSpec, shapes: Shapes): Operation {
  const { quota, windowSeconds } = rateClasses[endpoint.rate];
  const parameters = [
    ...toParameters("path", endpoint.params, shapes),
    ...toParameters("query", endpoint.query, shapes),
    ...(endpoint.method === "POST" && !isRaw(endpoint.answer)
      ? [{ $ref: "#/components/parameters/IdempotencyKey" }]
      : []),
  ];
  const requestBody = toRequestBody(endpoint, shapes);
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: toAnswers(endpoint, shapes),
    security: toSecurity(endpoint),
    "x-access": endpoint.ownAuthorization ? "A token of its own; see the description" : accessInWords(endpoint.access),
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

function toRequestBody(endpoint: EndpointSpec, shapes: Shapes): RequestBody | undefined {
  const { body, files } = endpoint;
  if (!body && !files) return undefined;
  const schema = body && shapes.convert(body);
  const isFormOnly = Object.values(files ?? {}).some((part) => part.required);
  return {
    required: isFormOnly || (schema?.required ?? []).length > 0,
    content: {
      ...(schema && !isFormOnly && { "application/json": { schema } }),
      ...(files && { "multipart/form-data": { schema: withFiles(schema, files) } }),
      ...(schema && endpoint.htmlForm && { "application/x-www-form-urlencoded": { schema } }),
    },
  };
}

/** The same fields as text parts, with files where a file can come. */
function withFiles(schema: JsonSchema | undefined, files: NonNullable<EndpointSpec["files"]>): JsonSchema {
  const parts = Object.entries(files).map(([name, { description }]) => [
    name,
    { type: "string", contentMediaType: "application/octet-stream", description },
  ]);
  const required = Object.entries(files).flatMap(([name, part]) => (part.required ? [name] : []));
  return {
    type: "object",
    ...schema,
    properties: { ...schema?.properties, ...Object.fromEntries(parts) },
    ...(required.length > 0 && { required: [...(schema?.required ?? []), ...required] }),
  };
}

const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "A personal access token. The header may also hold the bare token without the word Bearer.",
  },
  basic: { type: "http", scheme: "basic", description: "A personal access token as the password, under any user name" },
  session: {
    type: "apiKey",
    in: "cookie",
    name: sessionCookie,
    description: "A browser session. A request that changes something must come from this site's own pages.",
  },
};

function toSecurity({ access, ownAuthorization }: EndpointSpec): Operation["security"] {
  if (access.kind === "open") return ownAuthorization ? [{ bearer: [] }] : [];
  if (access.kind === "session") return [{ session: [] }];
  const choices = access.kind === "needsOneOf" ? access.scopes.map((scope) => [scope]) : [access.scopes];
  const tokens = choices.flatMap((scopes): Operation["security"] => [{ bearer: scopes }, { basic: scopes }]);
  const signedIn: Operation["security"] = [...tokens, { session: [] }];
  return access.kind === "readable" ? [{}, ...signedIn] : signedIn;
}

function accessInWords(access: Access): string {
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

const idempotencyKey: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Repeating a request with the same key repeats its answer instead of doing it twice. Kept for a day.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};
