// The audit log as moderators and administrators read it.

import Type, { type Static } from "typebox";
import { admins, moderators, sessionOnly } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Described, Named, Nullable, Ref, Timestamp } from "#platform/http/schemas.js";
import { say } from "#words/said.js";

export const AuditEntry = Named(
  "AuditEntry",
  {
    id: Type.Integer({ description: "Number of the entry; newer ones have higher numbers" }),
    dateCreated: Described(Timestamp, "When it happened"),
    actor: Nullable(
      Type.Object(
        {
          id: Type.String({ description: "Id of the user" }),
          userName: Nullable(Type.String(), "Username; null where the account was deleted"),
        },
        { description: "The user who did it; null for the command line and the service itself" },
      ),
    ),
    action: Type.String({ description: "The action, such as project.status.set" }),
    object: Type.Object(
      {
        kind: Type.String({ description: "Kind of thing, such as project" }),
        id: Type.String({ description: "Its id" }),
      },
      { description: "The object of the action" },
    ),
    detail: Type.Record(Type.String(), Type.Unknown(), { description: "Further facts, by action" }),
    credential: Type.Optional(
      Nullable(Type.String({ description: "The session or token that was used; for administrators" })),
    ),
    address: Type.Optional(Nullable(Type.String({ description: "The network, for administrators" }))),
    requestId: Type.Optional(Nullable(Type.String(), "Id of the request that did it")),
  },
  { description: "An entry of the audit log" },
);
export type AuditEntry = Static<typeof AuditEntry>;

const moment = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: "^\\d{4}-\\d\\d-\\d\\d(?:T\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,3})?)?Z)?$",
      description: `${description}: a date (midnight UTC) or a UTC timestamp`,
      examples: ["2026-11-15"],
      "x-problem": say.problems.dateLike("2026-11-15", "2026-11-15T09:30:00Z"),
    }),
  );

const filter = {
  actor: Type.Optional(Ref("Id or username of the user who acted", "ada")),
  action: Type.Optional(
    Type.String({
      pattern: "^[a-z][a-z.-]{0,63}$",
      description: "An action, or the words it begins with: project.status.set, project",
      examples: ["project.status"],
      "x-problem": say.problems.action("project.status.set"),
    }),
  ),
  objectKind: Type.Optional(
    Type.String({ maxLength: 64, description: "Kind of thing that it was done to", examples: ["project"] }),
  ),
  objectId: Type.Optional(Type.String({ maxLength: 128, description: "Id of the thing that it was done to" })),
  since: moment("Not before"),
  until: moment("Before"),
};

const shared = {
  tag: "Moderation",
  method: "GET",
  rate: "search",
} as const;
const access = sessionOnly("user_session_read");

export const getAuditLog = endpoint({
  ...shared,
  id: "getAuditLog",
  access: moderators(access),
  path: "/api/moderation/audit",
  summary: "Read the audit log, newest first",
  description:
    "Administrators see all of it, moderators the acts of moderators, without credentials and addresses. To read on, pass next as before.",
  query: Type.Object({
    ...filter,
    before: Type.Optional(
      Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: "Only older ones" }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50, description: "Most entries" })),
  }),
  answer: Type.Object({
    entries: Type.Array(AuditEntry, { description: "Entries, newest first" }),
    next: Nullable(Type.Integer(), "For before of the next request; null at the end"),
  }),
});

export const exportAuditLog = endpoint({
  ...shared,
  id: "exportAuditLog",
  access: admins(access),
  path: "/api/moderation/audit.csv",
  summary: "Export the audit log as CSV",
  description: "For administrators. The newest 10,000 entries that match the filters; narrow the dates to get others.",
  query: Type.Object(filter),
  answer: { raw: "text/csv; charset=utf-8", description: "One entry a line, newest first" },
});

export const checkAuditLog = endpoint({
  ...shared,
  id: "checkAuditLog",
  access: admins(access),
  path: "/api/moderation/audit/chain",
  summary: "Check that the audit log was not changed",
  description:
    "For administrators. Each entry's hash covers the previous entry. Checks 10,000 entries per call; to continue, pass last as after until isEnd.",
  query: Type.Object({
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: "Begin behind the entry with this number",
      }),
    ),
  }),
  answer: Type.Object({
    intact: Type.Boolean({ description: "Whether all checked entries fit together" }),
    brokenAt: Nullable(Type.Integer({ description: "The first entry that does not fit to those before it" })),
    checked: Type.Integer({ description: "How many entries were checked" }),
    last: Type.Integer({ description: "Number of the last one" }),
    isEnd: Type.Boolean({ description: "Whether there are no further entries" }),
  }),
});
