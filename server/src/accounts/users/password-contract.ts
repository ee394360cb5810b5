// The API of passwords: setting, removing and resetting one, and the credentials that remain.
import Type, { type Static } from "typebox";
import { open, sessionOnly } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Choice, Done, DoneWith, Id, Named } from "#platform/http/schemas.js";
import { Email, GivenCode, GivenPassword, NewPassword } from "./contract.js";

const credentialMeanings = {
  passkeys: "All passkeys",
  providers: "All linked sign-in providers",
  publishers: "All trusted publishers that the user added",
  feedKey: "The secret address of the feed of followed projects",
} as const;
export type CredentialKind = keyof typeof credentialMeanings;

const Known = Type.Object({ id: Id, name: Type.String({ description: "Name that the user chose" }) });

export const RemainingCredentials = Named(
  "RemainingCredentials",
  {
    tokens: Type.Array(Known, { description: "Personal access tokens" }),
    passkeys: Type.Array(Known, { description: "Passkeys" }),
    providers: Type.Array(Type.String({ examples: ["github"] }), { description: "Linked sign-in providers" }),
    secondFactor: Type.Boolean({ description: "Whether signing in also takes a code" }),
    publishers: Type.Array(
      Type.Object({
        id: Id,
        project: Type.String({ description: "The project" }),
        repository: Type.String({ description: "Owner and name of the repository" }),
        workflow: Type.String({ description: "The build file that may publish" }),
      }),
      { description: "Trusted publishers that the user added" },
    ),
    feedKey: Type.Boolean({ description: "Whether there is a secret address for the feed of followed projects" }),
  },
  { description: "Everything that can still be used to sign in or to act for the account" },
);
export type RemainingCredentials = Static<typeof RemainingCredentials>;

const keepTokens = Type.Optional(
  Type.Array(Type.String({ maxLength: 64 }), {
    maxItems: 100,
    description: "Ids of personal access tokens that stay. All others are revoked.",
    examples: [["kX3vQ9aB"]],
  }),
);
const drop = Type.Optional(
  Type.Array(Choice(credentialMeanings), { maxItems: 10, description: "Other credentials to remove" }),
);

const PasswordSet = DoneWith({
  tokensRevoked: Type.Integer({ description: "How many personal access tokens stopped working" }),
  remaining: RemainingCredentials,
});

export const PasswordChange = Type.Object({
  currentPassword: Type.Optional(GivenPassword),
  newPassword: NewPassword,
  confirmNewPassword: Type.Optional(Type.String({ description: "The same again; refused where it differs" })),
  keepTokens,
  drop,
});

export const changePassword = endpoint({
  id: "changePassword",
  method: "PUT",
  path: "/api/user/password",
  access: open,
  sessionOrCode: true,
  rate: "write",
  tag: "Account",
  summary: "Change or add your password",
  description:
    "Ends all other sessions and revokes the personal access tokens that keepTokens does not name. The answer lists the other credentials of the account. An account without a password needs a session signed in within the last 10 minutes. With the code of POST /api/user/password, and nothing else, the password that was chosen there is set; no session is needed.",
  body: Type.Object({
    ...PasswordChange.properties,
    newPassword: Type.Optional(NewPassword),
    code: Type.Optional(GivenCode),
  }),
  answer: PasswordSet,
  errors: [
    "signInNeeded",
    "sessionNeeded",
    "passwordWrong",
    "passwordsDiffer",
    "codeInvalid",
    "freshSessionNeeded",
    "rateLimited",
  ],
});

export const removePassword = endpoint({
  id: "removePassword",
  method: "DELETE",
  path: "/api/user/password",
  access: sessionOnly("user_auth_write"),
  rate: "write",
  tag: "Account",
  summary: "Remove your password",
  description:
    "Possible while the account has a linked sign-in provider or a passkey. Ends all other sessions and revokes the personal access tokens that keepTokens does not name.",
  body: Type.Object({ password: GivenPassword, keepTokens }),
  answer: PasswordSet,
  errors: ["passwordWrong", "passwordMissing", "lastSignInMethod", "rateLimited"],
});

export const requestPasswordReset = endpoint({
  id: "requestPasswordReset",
  method: "POST",
  path: "/api/user/change-password",
  access: open,
  rate: "signIn",
  tag: "Account",
  summary: "Ask for a password reset code by mail",
  description:
    "The answer is the same whether or not the address belongs to an account. Codes that were mailed within the last hour keep working.",
  body: Type.Object({ email: Email }),
  answer: Done,
});

export const resetPassword = endpoint({
  id: "resetPassword",
  method: "PATCH",
  path: "/api/user/password",
  access: open,
  rate: "signIn",
  tag: "Account",
  summary: "Set a new password with a reset code",
  description:
    "Ends all sessions of the account and revokes the personal access tokens that keepTokens does not name. The answer lists the other credentials of the account. If the code was mailed to an address that was never confirmed, all other credentials are removed too, and none can be kept: another person may have created the account.",
  body: Type.Object({
    code: GivenCode,
    newPassword: NewPassword,
    confirmNewPassword: Type.Optional(Type.String({ description: "The same again; refused where it differs" })),
    keepTokens,
    drop,
  }),
  answer: PasswordSet,
  errors: ["codeInvalid", "passwordsDiffer", "emailTaken"],
});
