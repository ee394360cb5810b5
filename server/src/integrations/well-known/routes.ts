// The routes of robots.txt and security.txt.
import { fail } from "#platform/errors.js";
import { sendText } from "#platform/http/answers.js";
import { type Route, route } from "#platform/http/endpoint.js";
import * as contract from "./contract.js";
import { toRobotsText, toSecurityText } from "./texts.js";

const type = "text/plain; charset=utf-8";

export const wellKnownRoutes: Route[] = [
  route(contract.getRobotsText, async ({ request, reply }, { config }) =>
    sendText(request, reply.type(type), toRobotsText(config.http.url)),
  ),

  route(contract.getSecurityText, async ({ request, reply }, { config, clock }) => {
    const { securityContacts, http } = config;
    if (securityContacts.length === 0) throw fail.notFound();
    return sendText(request, reply.type(type), toSecurityText(http.url, securityContacts, clock.now()));
  }),
];
