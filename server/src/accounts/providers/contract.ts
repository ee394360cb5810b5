// The API of signing in with another service: beginning, coming back, linking, unlinking.
import Type, { type Static } from "typebox";
import { needs, open, sessionOnly } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Described, Done, Id, Named, Nullable, Ref } from "#platform/http/schemas.js";

export const LinkedProvider = Named(
  "LinkedProvider",
  {
    id: Described(Id, "Id of the link"),
    providerName: Type.String({ description: "Name of the service", examples: ["github"] }),
    providerAccountId: Type.String({ description: "The account's id at the provider" }),
    providerAccountEmail: Nullable(Type.String(), "Email address of the account there; null where it told none"),
  },
  { description: "An account of another service that can be used to sign in" },
);
export type LinkedProvider = Static<typeof LinkedProvider>;

const params = Type.Object({
  provider: Ref("github, gitlab, discord or google, where the operator has set it up", "github"),
});
const query = Type.Object({
  redirect: Type.Optional(Type.Boolean({ description: "true: answer 302 to the provider's page" })),
  next: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: "The path of this site to go to after the sign-in",
      examples: ["/dashboard"],
    }),
  ),
});
const signUpQuery = Type.Object({
  ...query.properties,
  invite: Type.Optional(Type.String({ maxLength: 128, description: "An invite code, where registration is closed" })),
});
const Begun = Type.Object({
  success: Type.Literal(true, { description: "Always true" }),
  url: Type.String({
    format: "uri",
    description: "The provider's page; open it in the same browser within 10 minutes",
  }),
});

const begin = {
  method: "GET",
  rate: "write",
  tag: "Sign-in",
  params,
  query,
  answer: Begun,
  // The answer holds a secret of one browser.
  cacheControl: "private, no-store",
} as const;

export const beginSignIn = endpoint({
  ...begin,
  id: "beginSignIn",
  path: "/api/auth/signin/:provider",
  access: open,
  summary: "Start signing in with another service",
  description: "Sets a short-lived cookie: only the browser that begins the sign-in can finish it.",
  errors: ["providerUnknown", "originRefused"],
});

export const beginSignUp = endpoint({
  ...begin,
  id: "beginSignUp",
  path: "/api/auth/signup/:provider",
  query: signUpQuery,
  access: open,
  summary: "Start signing up with another service",
  description: "Like signing in, but creates an account if the provider's account is not linked to one yet.",
  errors: ["providerUnknown", "originRefused"],
});

export const beginLink = endpoint({
  ...begin,
  id: "beginLink",
  path: "/api/auth/link/:provider",
  access: sessionOnly("user_auth_write"),
  summary: "Start linking an account of another service to yours",
  description: "Needs a session that was signed in within the last 10 minutes.",
  errors: ["providerUnknown", "freshSessionNeeded", "originRefused"],
});

/** This is longer than any provider's codes. */
const Given = Type.Optional(Type.String({ maxLength: 2048 }));

export const finishWithProvider = endpoint({
  id: "finishWithProvider",
  method: "GET",
  path: "/auth/callback/:provider",
  access: open,
  rate: "signIn",
  tag: "Sign-in",
  summary: "Where the provider sends the browser back to",
  params,
  query: Type.Object({ code: Given, state: Given, error: Given }),
  answer: { raw: "text/html", description: "303 to the site, signed in" },
  errors: [
    "providerUnknown",
    "providerRefused",
    "providerNotKnown",
    "providerEmailMissing",
    "providerAccountTaken",
    "providerLinked",
    "emailTaken",
    "registrationClosed",
    "inviteCodeInvalid",
    "accountSuspended",
    "freshSessionNeeded",
  ],
  cacheControl: "private, no-store",
  internal: true,
});

const finishErrors = finishWithProvider.errors;

const finish = {
  method: "POST",
  rate: "signIn",
  tag: "Sign-in",
  params,
  body: Type.Object({
    code: Type.String({ minLength: 1, maxLength: 2048, description: "As the provider sent it in the redirect URL" }),
    state: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: "As the provider sent it. It must belong to a sign-in that this browser began",
    }),
  }),
  answer: Done,
} as const;

const forOwnPages =
  "For clients that take the code from the provider's redirect themselves. The request must carry the cookie that the browser got at the beginning.";

export const finishSignIn = endpoint({
  ...finish,
  id: "finishSignIn",
  path: "/api/auth/signin/:provider",
  access: open,
  summary: "Sign in with the code of another service",
  description: `${forOwnPages} Sets the cookie auth-token.`,
  setsCookie: true,
  errors: [...finishErrors, "secondFactorNeeded"],
});

export const finishSignUp = endpoint({
  ...finish,
  id: "finishSignUp",
  path: "/api/auth/signup/:provider",
  access: open,
  summary: "Sign up with the code of another service",
  description: `${forOwnPages} Sets the cookie auth-token.`,
  setsCookie: true,
  errors: [...finishErrors, "secondFactorNeeded"],
});

export const finishLink = endpoint({
  ...finish,
  id: "finishLink",
  path: "/api/auth/link/:provider",
  access: sessionOnly("user_auth_write"),
  summary: "Link an account of another service with its code",
  description: forOwnPages,
  errors: [...finishErrors],
});

export const unlinkProvider = endpoint({
  id: "unlinkProvider",
  method: "DELETE",
  path: "/api/auth/link/:provider",
  access: sessionOnly("user_auth_write"),
  rate: "write",
  tag: "Sign-in",
  summary: "Unlink an account of another service",
  description: "Refused if it is the only way to sign in.",
  params,
  answer: Done,
  errors: ["providerNotLinked", "lastSignInMethod"],
});

export const listLinkedProviders = endpoint({
  id: "listLinkedProviders",
  method: "GET",
  path: "/api/auth/linked-providers",
  access: needs("user_read", "user_read_email"),
  rate: "read",
  tag: "Sign-in",
  summary: "List the accounts of other services that are linked to yours",
  answer: Type.Array(LinkedProvider),
});

export const listProviders = endpoint({
  id: "listProviders",
  method: "GET",
  path: "/api/auth/providers",
  access: open,
  rate: "read",
  tag: "Sign-in",
  summary: "List the services that can be signed in with here",
  answer: Type.Array(Type.String({ examples: ["github"] })),
});
