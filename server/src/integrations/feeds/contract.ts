// The API of feeds for readers and bots: the latest versions and projects, as Atom and as JSON Feed.
import Type from "typebox";
import { projectRef } from "#content/projects/contract.js";
import { versionFilter } from "#content/shapes/version-filter.js";
import { open, readable } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Ref } from "#platform/http/schemas.js";

const short = (name: string) => Type.Optional(Type.String({ maxLength: 64, description: `The same as ${name}` }));

const shared = {
  method: "GET",
  rate: "bulk",
  tag: "Feeds",
  query: Type.Object({
    ...versionFilter,
    v: short("gameVersion"),
    l: short("loader"),
    ch: short("releaseChannel"),
  }),
  answer: { raw: "application/atom+xml", description: "At most 50 entries, newest first", isTagged: true },
  otherForms: [{ raw: "application/feed+json", description: "The same as JSON Feed 1.1" }],
} as const;

const format = Type.String({ minLength: 1, maxLength: 16, description: "atom or json", examples: ["atom"] });

/** For feeds of listed content, which are the same for every caller. */
const isPublic = { access: open, cacheControl: "public, max-age=60" } as const;

export const getReleaseFeed = endpoint({
  ...shared,
  ...isPublic,
  id: "getReleaseFeed",
  path: "/feeds/releases.:format",
  summary: "New versions of all projects",
  description: "As in every feed, a filter searches only the newest 1,000 of them.",
  params: Type.Object({ format }),
  errors: ["notFound"],
});

export const getProjectsFeed = endpoint({
  ...shared,
  ...isPublic,
  id: "getProjectsFeed",
  path: "/feeds/projects.:format",
  summary: "New projects",
  description: "In the order of approval. With a filter, only projects that have a matching version.",
  params: Type.Object({ format }),
  errors: ["notFound"],
});

export const getAllFeed = endpoint({
  ...shared,
  ...isPublic,
  id: "getAllFeed",
  path: "/feeds/all.:format",
  summary: "New projects and new versions of all projects",
  description: "Both feeds in one.",
  params: Type.Object({ format }),
  errors: ["notFound"],
});

export const getFollowingFeed = endpoint({
  ...shared,
  id: "getFollowingFeed",
  path: "/feeds/following.:format",
  access: open,
  cacheControl: "private, no-store",
  summary: "New versions and projects that a user follows",
  description:
    "New versions of followed projects, and new projects of followed users and organizations. Listed projects only. The key is created on the page /feeds, opens only this feed, and can be revoked there.",
  params: Type.Object({ format }),
  query: Type.Object({
    ...shared.query.properties,
    key: Type.String({
      minLength: 1,
      maxLength: 64,
      description: "The secret key of the feed, which identifies the user",
    }),
  }),
  errors: ["notFound"],
});

export const getProjectFeed = endpoint({
  ...shared,
  id: "getProjectFeed",
  path: "/project/:ref/feed.:format",
  access: readable("project_read", "version_read"),
  summary: "New versions of a project",
  params: Type.Object({ ...projectRef.properties, format }),
  errors: ["projectNotFound", "notFound"],
});

export const getUserFeed = endpoint({
  ...shared,
  ...isPublic,
  id: "getUserFeed",
  path: "/user/:ref/feed.:format",
  summary: "New versions of a user's projects",
  description: "Listed projects only, as in the feeds of organizations and collections.",
  params: Type.Object({ ref: Ref("User id or username"), format }),
  errors: ["userNotFound", "notFound"],
});

export const getOrganizationFeed = endpoint({
  ...shared,
  ...isPublic,
  id: "getOrganizationFeed",
  path: "/organization/:ref/feed.:format",
  summary: "New versions of an organization's projects",
  params: Type.Object({ ref: Ref("Organization id or slug"), format }),
  errors: ["organizationNotFound", "notFound"],
});

export const getCollectionFeed = endpoint({
  ...shared,
  id: "getCollectionFeed",
  path: "/collection/:id/feed.:format",
  access: readable("collection_read"),
  summary: "New versions of the projects of a collection",
  params: Type.Object({ id: Ref("Collection id"), format }),
  errors: ["collectionNotFound", "notFound"],
});
