// The endpoints that programs call to be signed in.
import { write } from "#platform/changes/write.js";
import { countryOf } from "#platform/http/country.js";
import { type Route, route } from "#platform/http/endpoint.js";
import * as contract from "./contract.js";
import { intervalMs, requestLifeMs, showUserCode } from "./policy.js";
import { createDeviceRequest, redeemDeviceCode, revokeToken } from "./write.js";

export const deviceRoutes: Route[] = [
  route(contract.createDeviceCode, async ({ request, body, actor }, resources) => {
    const { countryHeader, url } = resources.config.http;
    const { headers, socket } = request;
    const country = countryOf(socket.remoteAddress ?? "", countryHeader && headers[countryHeader], resources.config);
    const input = { program: body.client_id, scope: body.scope ?? "", country };
    const made = await write(resources, actor, (tx) => createDeviceRequest(tx, input, actor));
    const userCode = showUserCode(made.userCode);
    return {
      device_code: made.deviceCode,
      user_code: userCode,
      verification_uri: `${url}/device`,
      verification_uri_complete: `${url}/device?code=${userCode}`,
      expires_in: requestLifeMs / 1000,
      interval: intervalMs / 1000,
    };
  }),

  route(contract.createDeviceToken, async ({ body, actor }, resources) => {
    const { token, scopes, expiresIn } = await redeemDeviceCode(resources, actor, body.device_code);
    return { access_token: token, token_type: "Bearer" as const, expires_in: expiresIn, scope: scopes.join(" ") };
  }),

  route(contract.revokeDeviceToken, async ({ body, actor }, resources) => {
    await revokeToken(resources, actor, body.token);
    return {};
  }),
];
