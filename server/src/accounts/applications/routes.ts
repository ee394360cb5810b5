// The endpoints that applications call.
import { applicationScopes } from "#lib/scopes.js";
import { type Actor, write } from "#platform/changes/write.js";
import { fail, invalid } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { say } from "#words/said.js";
import { getClient } from "./client.js";
import * as contract from "./contract.js";
import { type IssuedTokens, redeemCode, redeemRefreshToken, revokeByToken } from "./exchange.js";
import { accessLifeMs } from "./policy.js";
import type { Application } from "./read.js";

type Form = Partial<Record<keyof (typeof contract.createOAuthToken)["body"]["properties"], string>>;
type Exchange = (resources: Resources, actor: Actor, application: Application, form: Form) => Promise<IssuedTokens>;

/** By the value of grant_type. */
const exchanges: Readonly<Record<string, Exchange>> = {
  authorization_code: (resources, actor, application, form) =>
    redeemCode(resources, actor, application, {
      code: needed(form, "code"),
      redirectUri: needed(form, "redirect_uri"),
      codeVerifier: needed(form, "code_verifier"),
    }),
  refresh_token: (resources, actor, application, form) =>
    redeemRefreshToken(resources, actor, application, {
      refreshToken: needed(form, "refresh_token"),
      scope: form.scope,
    }),
};

function needed<N extends string>(form: Partial<Record<N, string>>, name: N): string {
  const value = form[name];
  if (value === undefined) throw invalid({ path: name, message: say.problems.missing });
  return value;
}

/** The program acts, whatever cookie its request may carry. */
const actorOf = ({ address, network, requestId }: Actor, { id }: Application): Actor => ({
  ...{ address, network, requestId },
  credential: `application:${id}`,
});

const authMethods = ["none", "client_secret_basic", "client_secret_post"];

export const applicationRoutes: Route[] = [
  route(contract.createOAuthToken, async ({ request, reply, body, actor }, resources) => {
    const exchange = Object.hasOwn(exchanges, body.grant_type) ? exchanges[body.grant_type] : undefined;
    if (!exchange) throw fail.grantTypeUnsupported();
    const application = await getClient(resources.db, request.headers.authorization, body);
    if (application.isBarred) throw fail.applicationSuspended();
    const issued = await exchange(resources, actorOf(actor, application), application, body);
    reply.header("pragma", "no-cache");
    return {
      access_token: issued.accessToken,
      token_type: "Bearer" as const,
      expires_in: accessLifeMs / 1000,
      refresh_token: issued.refreshToken,
      scope: issued.scopes.join(" "),
    };
  }),

  route(contract.revokeOAuthToken, async ({ request, body, actor }, resources) => {
    const application = await getClient(resources.db, request.headers.authorization, body);
    await write(resources, actorOf(actor, application), (tx) => revokeByToken(tx, application, body.token));
    return {};
  }),

  route(contract.getOAuthMetadata, async (_call, { config }) => {
    const { url } = config.http;
    return {
      issuer: url,
      authorization_endpoint: `${url}/oauth/authorize`,
      token_endpoint: `${url}/oauth/token`,
      revocation_endpoint: `${url}/oauth/revoke`,
      scopes_supported: [...applicationScopes],
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: Object.keys(exchanges),
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: authMethods,
      revocation_endpoint_auth_methods_supported: authMethods,
      authorization_response_iss_parameter_supported: true,
      service_documentation: `${url}/api/docs`,
    };
  }),
];
