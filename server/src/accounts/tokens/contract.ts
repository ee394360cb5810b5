// Personal access tokens, exactly as interface §4 says: managed with a session, never with a token.

import Type, { type Static } from "typebox";
import { scopeMeanings, staffScope } from "#lib/scopes.js";
import { sessionOnly } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Choice, Described, Done, Id, Named, Nullable, Ref, Text, Timestamp } from "#platform/http/schemas.js";
import { say } from "#words/said.js";

const pat = {
  id: Described(Id, "Id of the token"),
  name: Type.String({ description: "Name that its owner chose" }),
  userId: Described(Id, "Id of its owner"),
  scopes: Type.Array(Choice({ ...scopeMeanings, [staffScope]: "Use the powers of a moderator or administrator" }), {
    description: "The scopes of the token",
  }),
  dateCreated: Described(Timestamp, "When it was made"),
  dateExpires: Described(Timestamp, "When it stops working"),
  dateLastUsed: Nullable(Timestamp, "When it was last used, to the minute; null before its first use"),
  projectId: Nullable(Type.String({ description: "The one project that it works for; null: for all" })),
};

export const Token = Named("PAT", pat, { description: "A personal access token, without its secret value" });
export type Token = Static<typeof Token>;

const NewToken = Named(
  "NewPAT",
  {
    ...pat,
    token: Type.String({ description: "Shown this once" }),
  },
  { description: "A new personal access token with its secret value" },
);

// Any text: the interface limits its length only, so that even a single space is a name.
const TokenName = Text("tokenName", {
  description: "A name to recognize it by",
  examples: ["Release script"],
  "x-problem": say.problems.characters(1, 64),
});
const DateExpires = Type.String({
  maxLength: 64,
  description:
    "A date or a timestamp of ISO 8601, in the future. A date means midnight; without an offset the time is in UTC",
  examples: ["2099-12-31"],
});
// Names are checked in the handler, so that the answer can say which are unknown and which are restricted.
const AuthScopes = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: 100,
  description:
    "Scopes; see getApiScopes. May be empty. Moderators and administrators can also give the scope staff: without it a token has none of their powers",
  examples: [["project_read", "version_create"]],
});

const params = Type.Object({ patId: Ref("The token's id") });

export const listTokens = endpoint({
  id: "listTokens",
  method: "GET",
  path: "/api/pat",
  access: sessionOnly("pat_read"),
  rate: "read",
  tag: "Personal access tokens",
  summary: "List your tokens, newest first",
  answer: Type.Array(Token),
});

export const createToken = endpoint({
  id: "createToken",
  method: "POST",
  path: "/api/pat",
  access: sessionOnly("pat_create"),
  rate: "write",
  tag: "Personal access tokens",
  summary: "Create a token",
  description: "The answer holds the token's value, this once and never again.",
  body: Type.Object({
    name: TokenName,
    dateExpires: DateExpires,
    authScopes: AuthScopes,
    projectId: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 64,
          description:
            "Id or slug of a project of one's own. The token then works for nothing else, and takes only scopes of projects, versions and user_read",
        }),
      ),
    ),
  }),
  answer: NewToken,
  errors: [
    "expiryInPast",
    "unknownScopes",
    "restrictedScopes",
    "scopesNotForOneProject",
    "projectNotFound",
    "confirmationNeeded",
    "tooManyTokens",
  ],
  secretAnswer: true,
});

export const updateToken = endpoint({
  id: "updateToken",
  method: "PATCH",
  path: "/api/pat/:patId",
  access: sessionOnly("pat_write"),
  rate: "write",
  tag: "Personal access tokens",
  summary: "Change a token's name, expiry or scopes",
  description: "A field that is absent stays. The token's value does not change.",
  params,
  body: Type.Object({
    name: Type.Optional(TokenName),
    dateExpires: Type.Optional(DateExpires),
    authScopes: Type.Optional(AuthScopes),
  }),
  answer: Token,
  errors: [
    "tokenNotFound",
    "expiryInPast",
    "unknownScopes",
    "restrictedScopes",
    "scopesNotForOneProject",
    "confirmationNeeded",
  ],
});

export const deleteToken = endpoint({
  id: "deleteToken",
  method: "DELETE",
  path: "/api/pat/:patId",
  access: sessionOnly("pat_delete"),
  rate: "write",
  tag: "Personal access tokens",
  summary: "Delete a token; it stops working at once",
  params,
  answer: Done,
  errors: ["tokenNotFound"],
});
