// Actions that a user confirms with a mailed code, as in the earlier service (earlier-service 4.4): deleting the
// account, adding a password. The code for a password is used at changePassword (contract.ts).
import Type from "typebox";
import { open, sessionOnly } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Choice, Done } from "#platform/http/schemas.js";
import { GivenCode, GivenPassword, NewPassword } from "./contract.js";

const shared = { tag: "Account", answer: Done } as const;

export const requestAccountDeletion = endpoint({
  ...shared,
  id: "requestAccountDeletion",
  method: "POST",
  path: "/api/user/delete-account",
  access: sessionOnly("user_delete"),
  rate: "mail",
  summary: "Request a code by mail to delete your account",
  description: "The code is good for DELETE /api/user, for 2 hours. Needs a confirmed email address.",
  errors: ["confirmationImpossible", "rateLimited"],
});

export const deleteAccount = endpoint({
  id: "deleteAccount",
  method: "DELETE",
  path: "/api/user",
  access: open,
  sessionOrCode: true,
  rate: "write",
  tag: "Account",
  summary: "Delete your account",
  description:
    "Needs the password, or a session signed in within the last 10 minutes if the account has none; or the code of POST /api/user/delete-account, without a session. Published content stays under the placeholder deleted_user.",
  body: Type.Object({ password: Type.Optional(GivenPassword), code: Type.Optional(GivenCode) }),
  answer: Done,
  errors: [
    "signInNeeded",
    "sessionNeeded",
    "passwordWrong",
    "codeInvalid",
    "freshSessionNeeded",
    "lastAdmin",
    "rateLimited",
  ],
});

export const requestPassword = endpoint({
  ...shared,
  id: "requestPassword",
  method: "POST",
  path: "/api/user/password",
  access: sessionOnly("user_auth_write"),
  rate: "mail",
  summary: "Add a password to an account without one, confirmed by mail",
  description:
    "The password counts once its code is sent with PUT /api/user/password, within 2 hours. Needs a confirmed email address.",
  body: Type.Object({
    newPassword: NewPassword,
    confirmNewPassword: Type.Optional(
      Type.String({ maxLength: 512, description: "The same again; refused where it differs" }),
    ),
  }),
  errors: ["passwordExists", "passwordsDiffer", "confirmationImpossible", "rateLimited"],
});

export const actionTypes = ["confirm-new-password", "change-account-password", "delete-user-account"] as const;

const code = { body: Type.Object({ code: GivenCode }), access: open, rate: "signIn" } as const;

export const getConfirmationAction = endpoint({
  ...shared,
  ...code,
  id: "getConfirmationAction",
  method: "POST",
  path: "/api/user/confirmation-action",
  summary: "See what a mailed code is for",
  description: "Changes nothing.",
  answer: Type.Object({
    success: Type.Literal(true, { description: "Always true" }),
    actionType: Choice(
      {
        "confirm-new-password": "Add a password to the account",
        "change-account-password": "Change the password of the account",
        "delete-user-account": "Delete the account",
      } satisfies Record<(typeof actionTypes)[number], string>,
      { description: "The purpose of the code" },
    ),
  }),
  errors: ["codeInvalid"],
});

export const cancelConfirmationAction = endpoint({
  ...shared,
  ...code,
  id: "cancelConfirmationAction",
  method: "DELETE",
  path: "/api/user/confirmation-action",
  summary: "Cancel a mailed code and all others of its kind for the account",
  errors: ["codeInvalid"],
});
