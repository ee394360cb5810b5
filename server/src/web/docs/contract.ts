// The endpoints of the API reference itself.
import Type from "typebox";
import { open } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";

const shared = {
  method: "GET",
  access: open,
  rate: "read",
  tag: "Service",
  // It changes only with a new release, so five minutes of caching do no harm.
  cacheControl: "public, max-age=300",
} as const;

export const getApiReference = endpoint({
  ...shared,
  id: "getApiReference",
  path: "/api/docs",
  summary: "The API reference, for reading",
  answer: { raw: "text/html", description: "A page" },
});

export const getApiReferencePart = endpoint({
  ...shared,
  id: "getApiReferencePart",
  path: "/api/docs/:part",
  summary: "One part of the API reference, for reading",
  params: Type.Object({ part: Type.String({ maxLength: 64 }) }),
  answer: { raw: "text/html", description: "A page" },
  internal: true,
});

const openApi = { raw: "application/json", description: "OpenAPI 3.1" } as const;

export const getOpenApi = endpoint({
  ...shared,
  id: "getOpenApi",
  path: "/api/docs/openapi.json",
  summary: "The API reference, as an OpenAPI document",
  answer: openApi,
});

export const getOpenApiAtOldPath = endpoint({
  ...shared,
  id: "getOpenApiAtOldPath",
  path: "/api/docs/open-api",
  summary: "The OpenAPI document under its earlier path",
  answer: openApi,
});
