// The search in Modrinth's form.
import Type from "typebox";
import { open } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { JsonList, shared } from "./project-contract.js";
import { ModrinthHit } from "./shapes.js";

const furthest = Number.MAX_SAFE_INTEGER;

export const modrinthSearch = endpoint({
  ...shared,
  id: "modrinthSearch",
  path: "/v2/search",
  access: open,
  ready: true,
  rate: "search",
  summary: "Search projects in Modrinth's form",
  query: Type.Object({
    query: Type.Optional(Type.String({ maxLength: 1024 })),
    facets: Type.Optional(JsonList),
    index: Type.Optional(Type.Enum(["", "relevance", "downloads", "follows", "newest", "updated"])),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: furthest })),
    limit: Type.Optional(Type.Integer({ minimum: 0, maximum: furthest })),
  }),
  answer: Type.Object({
    hits: Type.Array(ModrinthHit),
    offset: Type.Integer(),
    limit: Type.Integer(),
    total_hits: Type.Integer(),
  }),
});
