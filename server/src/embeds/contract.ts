// oEmbed 1.0: how other sites show a link to a project.
import Type, { type Static } from "typebox";
import { readable } from "../http/access.js";
import { endpoint } from "../http/endpoint.js";
import { Named } from "../http/schemas.js";

const size = (of: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: `Most pixels of ${of}` }));

export const Embed = Named("Embed", {
  version: Type.Literal("1.0"),
  type: Type.Literal("rich"),
  title: Type.String(),
  author_name: Type.String(),
  author_url: Type.String(),
  provider_name: Type.String(),
  provider_url: Type.String(),
  cache_age: Type.Integer(),
  html: Type.String({ description: "Without scripts; every text is escaped" }),
  width: Type.Integer(),
  height: Type.Integer(),
  thumbnail_url: Type.Optional(Type.String()),
  thumbnail_width: Type.Optional(Type.Integer()),
  thumbnail_height: Type.Optional(Type.Integer()),
});
export type Embed = Static<typeof Embed>;

export const getEmbed = endpoint({
  id: "getEmbed",
  method: "GET",
  path: "/oembed",
  access: readable("project_read"),
  rate: "read",
  tag: "Embedding",
  summary: "How to show a link to a project",
  query: Type.Object({
    url: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: "The address of a project's page here",
      examples: ["https://mods.example.org/project/better-grass"],
    }),
    maxwidth: size("width"),
    maxheight: size("height"),
    format: Type.Optional(Type.Enum(["json"], { description: "There is no other" })),
  }),
  answer: Embed,
  errors: ["projectNotFound"],
});
