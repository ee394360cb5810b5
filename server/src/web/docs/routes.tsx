// The reference as OpenAPI and as a page: both are generated once from the endpoints, then sent as ready bytes.

import type { FastifyRequest } from "fastify";
import { jsonInSteps } from "#lib/json-in-steps.js";
import { inSlices } from "#lib/slices.js";
import { version } from "#lib/version.js";
import { fail } from "#platform/errors.js";
import { type EndpointSpec, type Route, route } from "#platform/http/endpoint.js";
import { makeOpenApi } from "#platform/http/openapi.js";
import { readExamples } from "#platform/http/openapi-examples.js";
import { ReadyText } from "#platform/http/ready-text.js";
import { localeOf, lookOf, noSetup, themeOf } from "#web/context/preferences.js";
import { guestFrame, pageHeaders, pageType, renderPage } from "#web/frame/rendering.js";
import { texts, textsIn } from "#words/texts.js";
import * as contract from "./contract.js";
import { pathOf } from "./navigation.js";
import { type Chapter, Reference, renderChapters } from "./reference.js";

/** The routes of the reference for these endpoints. It describes itself too. */
export function docsRoutes(described: readonly EndpointSpec[]): Route[] {
  const endpoints = [...described, contract.getApiReference, contract.getOpenApi, contract.getOpenApiAtOldPath];
  const documentAt = keep((url) => inSlices(makeOpenApi(endpoints, { version, url, examples: readExamples(url) })));
  const jsonAt = keep(
    async (url) =>
      new ReadyText(await inSlices(jsonInSteps(await documentAt(url), 3)), "application/json; charset=utf-8"),
  );
  const chaptersAt = keep(async (url) => inSlices(renderChapters(await documentAt(url))));
  const pageAt = keep(async (_key, request: FastifyRequest, url: string, shown: Chapter | undefined) => {
    const t = textsIn(texts.docs.reference, localeOf(request));
    const content = <Reference document={await documentAt(url)} chapters={await chaptersAt(url)} shown={shown} />;
    const path = shown ? pathOf(shown) : contract.getApiReference.path;
    const frame = { ...guestFrame(request, url, 0), path, url: path, setup: noSetup };
    const title = shown ? `${shown.title} · ${t.title}` : t.title;
    return new ReadyText(
      renderPage({ title, description: t.description, content, scripts: ["docs"] }, frame),
      pageType,
    );
  });
  /** One for each part, theme and language. Signed-in users see the same page as guests. */
  const pageFor = (request: FastifyRequest, url: string, shown?: Chapter): Promise<ReadyText> =>
    pageAt(
      `${url} ${shown?.slug} ${themeOf(request)} ${localeOf(request)} ${JSON.stringify([lookOf(request), request.server.config.logo])}`,
      request,
      url,
      shown,
    );

  const sendJson = route(contract.getOpenApi, async ({ request, reply }, { config }) =>
    (await jsonAt(config.http.url)).send(request, reply),
  );
  return [
    route(contract.getApiReference, async ({ request, reply }, { config }) =>
      (await pageFor(request, config.http.url)).send(request, reply.headers(pageHeaders(config.http))),
    ),
    route(contract.getApiReferencePart, async ({ request, reply, params }, { config }) => {
      const { url } = config.http;
      const shown = (await chaptersAt(url)).find(({ slug }) => slug === params.part);
      if (!shown) throw fail.notFound();
      return (await pageFor(request, url, shown)).send(request, reply.headers(pageHeaders(config.http)));
    }),
    sendJson,
    { ...sendJson, endpoint: contract.getOpenApiAtOldPath },
  ];
}

/**
 * Computes the value of each key once, also for concurrent callers. There is one key for each site in this process,
 * theme and language. A value that could not be computed because the server was overloaded is tried again.
 */
function keep<V, A extends unknown[]>(
  make: (key: string, ...others: A) => Promise<V>,
): (key: string, ...others: A) => Promise<V> {
  const made = new Map<string, Promise<V>>();
  return (key, ...others) => {
    const known = made.get(key);
    if (known) return known;
    const making = make(key, ...others);
    made.set(key, making);
    making.catch(() => made.delete(key));
    return making;
  };
}
