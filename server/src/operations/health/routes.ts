// Health, readiness, figures: one function a route.
import { createHash, timingSafeEqual } from "node:crypto";
import { version } from "#lib/version.js";
import { fail } from "#platform/errors.js";
import { type Route, route } from "#platform/http/endpoint.js";
import { tokenFromAuthorization } from "#platform/http/viewer.js";
import * as contract from "./contract.js";

export const operationRoutes: Route[] = [
  route(contract.getHealth, async () => ({ status: "ok" as const })),

  route(contract.getReadiness, async ({ reply }, { readiness }) => {
    if (!readiness.isReady) reply.code(503).header("retry-after", "5");
    return { ready: readiness.isReady, components: readiness.components };
  }),

  route(contract.getMetrics, async ({ request, reply }, { config, metrics, peers }) => {
    const given = tokenFromAuthorization(request.headers.authorization ?? "");
    // Without a token the page does not exist; its existence is not a secret, its figures are.
    if (config.metrics.token === undefined) throw fail.notFound();
    if (!isSame(given, config.metrics.token)) throw fail.credentialInvalid();
    return reply.type(metrics.registry.contentType).send(await peers.collectMetrics());
  }),

  route(contract.getService, async (_call, { config }) => ({
    message: "Modshelf, a registry and download host for game add-ons",
    version,
    website: config.http.url,
    docs: `${config.http.url}/api/docs`,
    status: `${config.http.url}/readyz`,
    cdn: `${config.http.cdnUrl}/cdn`,
  })),
];

const digest = (text: string) => createHash("sha256").update(text).digest();
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
