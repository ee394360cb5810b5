// OAuth 2 for applications of third parties: the endpoints that their programs call. People register applications and
// agree to them on the website (web/pages/account).
import Type, { type Static } from "typebox";
import { open } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";
import { Line, Text } from "#platform/http/schemas.js";
import { maxRedirectUris } from "./redirect-uris.js";

export const ApplicationInput = Type.Object({
  name: Line("applicationName"),
  description: Text("applicationDescription"),
  homepage: Text("homepage"),
  redirectUris: Type.Array(Type.String({ maxLength: 2000 }), { minItems: 1, maxItems: maxRedirectUris }),
  scopes: Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 100 }),
});
export type ApplicationInput = Static<typeof ApplicationInput>;

const parameter = (description: string, example?: string) =>
  Type.Optional(Type.String({ maxLength: 512, description, ...(example !== undefined && { examples: [example] }) }));

const client = {
  client_id: parameter("The application's id, unless the Authorization header has it", "kX3vQ9aB"),
  client_secret: parameter("The secret of a confidential application, unless the Authorization header has it"),
};

const shared = {
  method: "POST",
  access: open,
  rate: "write",
  tag: "OAuth applications",
  cacheControl: "no-store",
  ownAuthorization: true,
  crossOrigin: true,
  htmlForm: true,
  oauthErrors: true,
} as const;

const asClient =
  "A confidential application names itself with HTTP Basic authentication or with client_id and client_secret, a public one with client_id alone. Refusals also have the fields error and error_description of RFC 6749.";

export const createOAuthToken = endpoint({
  ...shared,
  id: "createOAuthToken",
  path: "/oauth/token",
  summary: "Exchange a code or a refresh token for an access token",
  description: `RFC 6749 with PKCE (RFC 7636). A code works once, for 60 seconds; a refresh token works once, and the answer has the next one. If either is used twice, the connection ends. ${asClient}`,
  body: Type.Object({
    grant_type: Type.String({
      maxLength: 64,
      description: "authorization_code or refresh_token",
      examples: ["authorization_code"],
    }),
    code: parameter("The code that the browser brought; for authorization_code", "msc_…"),
    redirect_uri: parameter(
      "As in the authorization request; for authorization_code",
      "http://127.0.0.1:49152/callback",
    ),
    code_verifier: parameter(
      "The text whose SHA-256 was the code_challenge; for authorization_code",
      "a-random-text-of-43-to-128-characters-new-each-time",
    ),
    refresh_token: parameter("The refresh token of the last answer; for refresh_token"),
    scope: parameter("Fewer scopes than the user has agreed to, separated by spaces; for refresh_token"),
    ...client,
  }),
  answer: Type.Object({
    access_token: Type.String({ description: "For the Authorization header, as any token of this API" }),
    token_type: Type.Literal("Bearer", { description: "Always Bearer" }),
    expires_in: Type.Integer({ description: "Seconds until it expires" }),
    refresh_token: Type.String({ description: "For the next access token; the previous one no longer works" }),
    scope: Type.String({ description: "The scopes of the access token, separated by spaces" }),
  }),
  errors: ["clientInvalid", "applicationSuspended", "grantTypeUnsupported", "grantInvalid", "scopesNotGranted"],
  secretAnswer: true,
});

export const revokeOAuthToken = endpoint({
  ...shared,
  id: "revokeOAuthToken",
  path: "/oauth/revoke",
  summary: "End a connection, when the user signs out of the application",
  description: `RFC 7009. Accepts an access token or a refresh token, and revokes both. Unknown tokens are accepted too: they do not work. ${asClient}`,
  body: Type.Object({
    token: Type.String({ maxLength: 512, description: "An access token or a refresh token", examples: ["msr_…"] }),
    token_type_hint: parameter("Ignored: the token itself says what it is"),
    ...client,
  }),
  answer: Type.Object({}, { description: "Empty" }),
  errors: ["clientInvalid"],
});

const texts = (description: string) => Type.Array(Type.String(), { description });
const address = (description: string) => Type.String({ format: "uri", description });

export const getOAuthMetadata = endpoint({
  id: "getOAuthMetadata",
  method: "GET",
  path: "/.well-known/oauth-authorization-server",
  access: open,
  rate: "read",
  tag: "OAuth applications",
  summary: "Describe the OAuth endpoints for libraries",
  description: "RFC 8414.",
  cacheControl: "public, max-age=3600",
  answer: Type.Object({
    issuer: address("This site; also the parameter iss of every redirect (RFC 9207)"),
    authorization_endpoint: address("The page to open in the user's browser"),
    token_endpoint: address("See createOAuthToken"),
    revocation_endpoint: address("See revokeOAuthToken"),
    scopes_supported: texts("The scopes that an application can ask for"),
    response_types_supported: texts("Only code"),
    response_modes_supported: texts("Only query"),
    grant_types_supported: texts("The values of grant_type"),
    code_challenge_methods_supported: texts("Only S256"),
    token_endpoint_auth_methods_supported: texts("How an application names itself"),
    revocation_endpoint_auth_methods_supported: texts("How an application names itself"),
    authorization_response_iss_parameter_supported: Type.Boolean({ description: "Always true" }),
    service_documentation: address("The API reference"),
  }),
});
