// Endpoints of the public change log: a numbered list for mirrors and indexers, and the same as a stream.
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
      { description: "The kind of the changed object" },
    ),
    id: Described(Id, "Id of the changed object"),
    projectId: Nullable(Type.String({ description: "The project that a version belongs to" })),
    act: Choice(
      { created: "It was created", updated: "It changed", deleted: "It was deleted" },
      { description: "As the public sees it: a project that becomes private or unlisted is reported as deleted" },
    ),
    date: Described(Timestamp, "When it changed"),
  },
  { description: "Names the changed object, not its content: get it to see its current state" },
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
  summary: "List changes after a number",
  description:
    "In the order of the changes. From 0 the list names everything that exists now, so that a mirror can start with it; while `more` is true it continues at `next`. Objects that are not in public lists are never named, and counting downloads or followers is not a change. Deletions are stored for 90 days: a client that returns later is told to start again from 0 (410).",
  query: Type.Object({
    since: Type.Optional({ ...Since, default: 0 }),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: mostAtOnce, default: 200, description: "Maximum number of changes" }),
    ),
  }),
  answer: Type.Object({
    changes: Type.Array(PublicChange, { description: "Changes, oldest first" }),
    next: Type.Integer({ description: "For `since` of the next request" }),
    more: Type.Boolean({ description: "Whether there are more changes" }),
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
  summary: "Stream changes as they happen",
  description:
    "Server-sent events: each has the change's number as its id, the event type `change` and the change as JSON in its data. It starts after the `Last-Event-ID` header, else after `since`, else with the next change. The stream stays open for clients that send `text/event-stream` in Accept, as browsers do; all others get the pending changes, at most 1,000, and the stream ends.",
  query: Type.Object({ since: Type.Optional(Since) }),
  answer: { raw: "text/event-stream", description: "Changes as server-sent events" },
  errors: ["changesGone", "unavailable"],
  cacheControl: "no-store",
});
