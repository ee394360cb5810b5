// Signing a program in by approval in a browser, as in RFC 8628. Users approve on the page /device
// (web/pages/account/device.tsx); the result is a personal access token.
import Type from "typebox";
import { open } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Line } from "#platform/http/schemas.js";

const shared = {
  method: "POST",
  access: open,
  tag: "Signing in programs",
  cacheControl: "no-store",
  htmlForm: true,
  oauthErrors: true,
  secretAnswer: true,
} as const;

export const createDeviceCode = endpoint({
  ...shared,
  id: "createDeviceCode",
  path: "/api/device/code",
  // Limits how many requests can wait, and how many user codes there are to guess.
  rate: "signIn",
  summary: "Ask for a sign-in that a user approves in their browser",
  description:
    "RFC 8628. Show the user_code and the verification_uri to the user, then call createDeviceToken until they have decided. No registration is needed: the user sees the name that the program gives itself.",
  body: Type.Object({
    client_id: Line("tokenName", {
      description: "Name of the program, which the user sees. It becomes the name of the token",
      examples: ["shelf on desk"],
    }),
    scope: Type.Optional(
      Type.String({
        maxLength: 1000,
        description:
          "The scopes that the program needs, separated by spaces. Tokens for email changes and staff cannot be made here",
        examples: ["user_read project_read version_create"],
      }),
    ),
  }),
  answer: Type.Object({
    device_code: Type.String({ description: "A secret for createDeviceToken" }),
    user_code: Type.String({ description: "The code that the user types or compares" }),
    verification_uri: Type.String({ format: "uri", description: "The page to open in a browser" }),
    verification_uri_complete: Type.String({ format: "uri", description: "The same page with the code filled in" }),
    expires_in: Type.Integer({ description: "Seconds until both codes expire" }),
    interval: Type.Integer({ description: "Seconds to wait between two calls of createDeviceToken" }),
  }),
  errors: ["unknownScopes"],
});

export const createDeviceToken = endpoint({
  ...shared,
  id: "createDeviceToken",
  path: "/api/device/token",
  // Programs on one address wait at the same time.
  rate: "read",
  summary: "Get the token after the user has approved",
  description:
    "Call this every few seconds, as the interval says. While the answer is approvalPending (authorization_pending), the user has not decided yet; after askedTooSoon (slow_down), wait five seconds longer each time. The answer has the token once and never again. Refusals also have the fields error and error_description of RFC 6749.",
  body: Type.Object({
    device_code: Type.String({
      maxLength: 200,
      description: "The device_code of createDeviceCode",
      examples: ["msc_…"],
    }),
    grant_type: Type.Optional(
      Type.String({
        maxLength: 64,
        description: "Ignored; libraries send urn:ietf:params:oauth:grant-type:device_code",
      }),
    ),
    client_id: Type.Optional(Type.String({ maxLength: 64, description: "Ignored; libraries send it again" })),
  }),
  answer: Type.Object({
    access_token: Type.String({ description: "A personal access token" }),
    token_type: Type.Literal("Bearer", { description: "Always Bearer" }),
    expires_in: Type.Integer({ description: "Seconds until the token expires" }),
    scope: Type.String({ description: "The scopes of the token, separated by spaces" }),
  }),
  errors: ["approvalPending", "askedTooSoon", "approvalDenied", "deviceCodeExpired", "tooManyTokens"],
});

export const revokeDeviceToken = endpoint({
  ...shared,
  id: "revokeDeviceToken",
  path: "/api/device/revoke",
  rate: "signIn",
  summary: "Revoke the token of a program when its user signs out",
  description:
    "As in RFC 7009: having the token is enough proof, and unknown tokens are accepted too, because they do not work. Works for every personal access token.",
  body: Type.Object({
    token: Type.String({ maxLength: 200, description: "A personal access token", examples: ["msp_…"] }),
  }),
  answer: Type.Object({}, { description: "Empty" }),
});
