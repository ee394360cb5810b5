// Badges for readme files and websites.
import Type from "typebox";
import { readable } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Ref } from "#platform/http/schemas.js";

export const badgeKinds = ["downloads", "version", "game-versions", "loaders", "license"] as const;
export type BadgeKind = (typeof badgeKinds)[number];

export const getBadge = endpoint({
  id: "getBadge",
  method: "GET",
  path: "/badge/:ref/:badge",
  access: readable("project_read"),
  rate: "content",
  tag: "Embedding",
  summary: "A badge of a project",
  description: `${badgeKinds.join(", ")}; each ends in .svg for a picture, or in .json for the endpoint badges of shields.io. Public ones may be cached for five minutes.`,
  params: Type.Object({
    ref: Ref("Project id or slug", "better-grass"),
    badge: Type.String({
      minLength: 1,
      maxLength: 32,
      description: "Name of the badge with .svg or .json",
      examples: ["downloads.svg"],
    }),
  }),
  answer: { raw: "image/svg+xml", description: "The badge", isTagged: true },
  otherForms: [{ raw: "application/json", description: "The badge as text and color" }],
  errors: ["projectNotFound", "notFound"],
});
