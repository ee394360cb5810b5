// The endpoint of oEmbed 1.0, with which other sites show a link to a project.
import Type, { type Static } from "typebox";
import { readable } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Choice, Named } from "#platform/http/schemas.js";

const size = (of: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: `Maximum number of pixels of ${of}` }));

export const Embed = Named(
  "Embed",
  {
    version: Type.Literal("1.0", { description: "Version of oEmbed" }),
    type: Type.Literal("rich", { description: "Kind of embed" }),
    title: Type.String({ description: "Name of the project" }),
    author_name: Type.String({ description: "Owner of the project" }),
    author_url: Type.String({ description: "URL of the owner's page" }),
    provider_name: Type.String({ description: "Name of this site" }),
    provider_url: Type.String({ description: "URL of this site" }),
    cache_age: Type.Integer({ description: "Seconds for which the answer may be cached" }),
    html: Type.String({ description: "Without scripts; every text is escaped" }),
    width: Type.Integer({ description: "Width in pixels" }),
    height: Type.Integer({ description: "Height in pixels" }),
    thumbnail_url: Type.Optional(Type.String({ description: "URL of a picture" })),
    thumbnail_width: Type.Optional(Type.Integer({ description: "Width of the picture in pixels" })),
    thumbnail_height: Type.Optional(Type.Integer({ description: "Height of the picture in pixels" })),
  },
  { description: "How to show a link to a project (oEmbed 1.0)" },
);
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
      description: "URL of a project's page on this site",
      examples: ["https://mods.example.org/project/better-grass"],
    }),
    maxwidth: size("width"),
    maxheight: size("height"),
    format: Type.Optional(Choice({ json: "JSON, the only format" }, { description: "Format of the answer" })),
  }),
  answer: Embed,
  errors: ["projectNotFound"],
});
