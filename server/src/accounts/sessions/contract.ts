// The API of signing up, in and out, and of sessions.
import Type, { type Static } from "typebox";
import { Email, GivenCode, GivenPassword, NewPassword, Role, UserName } from "#accounts/users/contract.js";
import { lengths } from "#lib/lengths.js";
import { needs, open, readable, sessionOnly } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Described, Done, DoneWith, Id, ImageUrl, Named, Nullable, Timestamp } from "#platform/http/schemas.js";

export const LoggedInUser = Named(
  "LoggedInUser",
  {
    id: Described(Id, "Id of the user"),
    email: Type.Optional(Nullable(Type.String({ description: "Only with the scope user_read_email" }))),
    emailConfirmed: Type.Optional(
      Type.Boolean({ description: "Whether the address was confirmed; only with the scope user_read_email" }),
    ),
    userName: Type.String({ description: "Username" }),
    name: Type.String({ description: "Display name; the username where none was chosen" }),
    role: Role,
    hasAPassword: Type.Boolean({ description: "Whether the account can sign in with a password" }),
    avatar: Described(ImageUrl, "Address of the user's picture"),
    bio: Nullable(Type.String(), "The user's text about themselves; null if there is none"),
    profilePageBg: Nullable(ImageUrl, "Address of the background picture of the profile; null where there is none"),
    sessionId: Type.Optional(Described(Id, "Id of the session that was used")),
    patId: Type.Optional(Described(Id, "Id of the token that was used")),
  },
  { description: "The user whose credential was sent" },
);
export type LoggedInUser = Static<typeof LoggedInUser>;

export const Session = Named(
  "Session",
  {
    id: Described(Id, "Id of the session"),
    userId: Described(Id, "Id of the user"),
    dateCreated: Described(Timestamp, "When it was signed in"),
    dateLastActive: Described(Timestamp, "When it was last used"),
    dateExpires: Described(Timestamp, "When it ends unless it is used before"),
    providerName: Type.String({ description: "How it was signed in: credential, github, gitlab, discord or google" }),
    status: Type.Literal("active", { description: "Always active: sessions that have ended are not listed" }),
    isCurrent: Type.Boolean({ description: "Whether it is the session of this request" }),
    os: Nullable(Type.String(), "Operating system of the browser, if known"),
    browser: Nullable(Type.String(), "Name of the browser, if known"),
    city: Type.Null({ description: "Never kept" }),
    country: Type.Null({ description: "Never kept" }),
    ip: Nullable(Type.String(), "Network address, shortened"),
    userAgent: Nullable(Type.String(), "Browser and system, as the browser names them"),
  },
  { description: "A browser that is signed in" },
);
export type Session = Static<typeof Session>;

export const signUp = endpoint({
  id: "signUp",
  method: "POST",
  path: "/api/auth/signup",
  access: open,
  rate: "signIn",
  tag: "Sign-in",
  summary: "Create an account and sign in",
  description:
    "Sets the cookie auth-token. Where registration is closed, it takes an invite code of an administrator. Where mail is set up, a link to confirm the address is mailed, publishing is off until it was opened, and the answer is the same whether or not the address has an account.",
  body: Type.Object({
    userName: UserName,
    email: Email,
    password: NewPassword,
    invite: Type.Optional(Nullable(Type.String({ maxLength: 128, description: "An invite code" }))),
  }),
  answer: DoneWith({ id: Described(Id, "Id of the user"), userName: Type.String({ description: "Username" }) }),
  setsCookie: true,
  errors: ["userNameTaken", "emailTaken", "nameReserved", "registrationClosed", "inviteCodeInvalid"],
});

export const signIn = endpoint({
  id: "signIn",
  method: "POST",
  path: "/api/auth/signin/credential",
  access: open,
  rate: "signIn",
  tag: "Sign-in",
  summary: "Sign in with email and password",
  description:
    "Sets the cookie auth-token. A username is accepted in place of the email. An account with a second factor needs its code as well.",
  body: Type.Object({
    email: Type.String({
      minLength: 1,
      maxLength: lengths.email[1],
      description: "Email address or username",
      examples: ["ada@example.org"],
    }),
    password: GivenPassword,
    code: Type.Optional(
      Type.String({
        maxLength: 32,
        description: "From the authenticator app, or a recovery code",
        examples: ["123456"],
      }),
    ),
  }),
  answer: Done,
  setsCookie: true,
  errors: ["signInFailed", "secondFactorNeeded", "secondFactorWrong", "accountSuspended", "rateLimited"],
});

export const getMe = endpoint({
  id: "getMe",
  method: "GET",
  path: "/api/auth/me",
  access: needs("user_read"),
  rate: "read",
  tag: "Sign-in",
  summary: "Who am I?",
  answer: LoggedInUser,
});

export const validateSession = endpoint({
  id: "validateSession",
  method: "GET",
  path: "/api/auth/validate-session",
  access: readable("user_read"),
  rate: "read",
  tag: "Sign-in",
  summary: "Check whether a session or token is valid",
  cacheControl: "private, no-store",
  answer: Type.Object({ sessionValid: Type.Boolean({ description: "Whether the credential is good" }) }),
});

export const listSessions = endpoint({
  id: "listSessions",
  method: "GET",
  path: "/api/auth/sessions",
  access: sessionOnly("user_session_read"),
  rate: "read",
  tag: "Sign-in",
  summary: "List your sessions, the last active first",
  answer: Type.Array(Session),
});

export const endSession = endpoint({
  id: "endSession",
  method: "DELETE",
  path: "/api/auth/sessions",
  access: sessionOnly("user_session_delete"),
  rate: "write",
  tag: "Sign-in",
  summary: "Sign out, or end another of your sessions",
  body: Type.Object({ sessionId: Type.Optional(Type.String({ maxLength: 64, description: "Default: this one" })) }),
  answer: Done,
  errors: ["sessionNotFound"],
});

export const endSessionByCode = endpoint({
  id: "endSessionByCode",
  method: "DELETE",
  path: "/api/auth/sessions/:code",
  access: open,
  rate: "signIn",
  tag: "Sign-in",
  summary: "End the session that a mail about a new sign-in spoke of",
  description: "The code in the mail is enough, for users who can no longer sign in.",
  params: Type.Object({ code: GivenCode }),
  answer: Done,
  errors: ["codeInvalid"],
});

export const endOtherSessions = endpoint({
  id: "endOtherSessions",
  method: "POST",
  path: "/api/auth/sessions/revoke-others",
  access: sessionOnly("user_session_delete"),
  rate: "write",
  tag: "Sign-in",
  summary: "End all your sessions except this one",
  answer: DoneWith({ revoked: Type.Integer({ description: "How many sessions were ended" }) }),
});
