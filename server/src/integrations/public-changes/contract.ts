// What changed for everybody: a list with numbers that mirrors and indexers follow, and the same as a stream.
import Type, { type Static } from "typebox";
import { open } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Choice, Described, Id, Named, Nullable, Timestamp } from "#platform/http/schemas.js";

export const PublicChange = Named(
  "PublicChange",
  {
    seq: Type.Integer({
      description: "Larger than that of every change before it; numbers have gaps and are never used twice",
    }),
    kind: Choice(
      { project: "A project", version: "A version", organization: "An organization", user: "A user" },
      { description: "What changed" },
    ),
    id: Described(Id, "Id of what changed"),
    projectId: Nullable(Type.String({ description: "The project that a version belongs to" })),
    act: Choice(
      { created: "It appeared", updated: "It changed", deleted: "It is no longer there" },
      { description: "As strangers see it: a project that becomes private or unlisted is deleted for them" },
    ),
    date: Described(Timestamp, "When it changed"),
  },
  { description: "Says which thing changed, not how: get it to see what it is now" },
);
export type PublicChange = Static<typeof PublicChange>;

export const mostAtOnce = 1000;

const Since = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "The number of the last change that is known, as `next` says it",
  examples: [0],
});

export const listChanges = endpoint({
  id: "listChanges",
  method: "GET",
  path: "/api/changes",
  access: open,
  rate: "bulk",
  tag: "Changes",
  summary: "List what changed since a number",
  description:
    "In the order in which it happened. From 0 the list names everything that is there now, so that a mirror begins with it; while `more` is true it goes on at `next`. What strangers do not see in lists is never named, and counting downloads or followers is no change. Deletions are kept for 90 days: whoever comes back later is told to begin anew (410).",
  query: Type.Object({
    since: Type.Optional({ ...Since, default: 0 }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostAtOnce, default: 200, description: "Most changes" })),
  }),
  answer: Type.Object({
    changes: Type.Array(PublicChange, { description: "Changes, oldest first" }),
    next: Type.Integer({ description: "For `since` of the next request" }),
    more: Type.Boolean({ description: "There are more changes already" }),
  }),
  errors: ["changesGone"],
});

export const streamChanges = endpoint({
  id: "streamChanges",
  method: "GET",
  path: "/api/changes/stream",
  access: open,
  rate: "bulk",
  tag: "Changes",
  summary: "Hear of changes as they happen",
  description:
    "Server-sent events: each has the change's number as its id, the event type `change` and the change as JSON in its data. It begins after the `Last-Event-ID` header, else after `since`, else with the next change. The stream stays open for those who ask for `text/event-stream` in Accept, as browsers do; all others get what waits for them, at most 1,000 changes, and the end.",
  query: Type.Object({ since: Type.Optional(Since) }),
  answer: { raw: "text/event-stream", description: "Changes as server-sent events" },
  errors: ["changesGone", "unavailable"],
  cacheControl: "no-store",
});
