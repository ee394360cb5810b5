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
import type { Resources } from "#platform/http/resources.js";
import type { Frame } from "#web/context/frame.js";
import { noSetup } from "#web/context/preferences.js";
import { guestFrame, loadShared, pageHeaders, pageType, renderPage } from "#web/frame/rendering.js";
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
  const pageAt = keep(async (_key, frame: Frame, url: string, shown: Chapter | undefined) => {
    const t = textsIn(texts.docs.reference, frame.locale);
    const content = <Reference document={await documentAt(url)} chapters={await chaptersAt(url)} shown={shown} />;
    const path = shown ? pathOf(shown) : contract.getApiReference.path;
    const title = shown ? `${shown.title} · ${t.title}` : t.title;
    return new ReadyText(
      renderPage({ title, description: t.description, content, scripts: ["docs"] }, { ...frame, path, url: path }),
      pageType,
    );
  });
  /** One for each part, theme, language and header. Signed-in users see the same page as guests. */
  const pageFor = async (request: FastifyRequest, resources: Resources, shown?: Chapter): Promise<ReadyText> => {
    await loadShared(resources);
    const frame = { ...guestFrame(request, resources), setup: noSetup, now: 0 };
    const { theme, density, locale, look, logo, types, typeSource, tagLookOf, isPerhapsMember, siteUrl } = frame;
    const header = types.map((type) => [type, typeSource.findProjectType(type), tagLookOf("type", type)]);
    const key = JSON.stringify([siteUrl, shown?.slug, theme, density, locale, look, logo, isPerhapsMember, header]);
    return pageAt(key, frame, siteUrl, shown);
  };

  const sendJson = route(contract.getOpenApi, async ({ request, reply }, { config }) =>
    (await jsonAt(config.http.url)).send(request, reply),
  );
  return [
    route(contract.getApiReference, async ({ request, reply }, resources) =>
      (await pageFor(request, resources)).send(request, reply.headers(pageHeaders(resources.config.http))),
    ),
    route(contract.getApiReferencePart, async ({ request, reply, params }, resources) => {
      const { http } = resources.config;
      const shown = (await chaptersAt(http.url)).find(({ slug }) => slug === params.part);
      if (!shown) throw fail.notFound();
      return (await pageFor(request, resources, shown)).send(request, reply.headers(pageHeaders(http)));
    }),
    sendJson,
    { ...sendJson, endpoint: contract.getOpenApiAtOldPath },
  ];
}

/** More than one site has at a time, so that those of an old header do not stay for ever. */
const mostKept = 1024;

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
    if (made.size >= mostKept) made.delete(made.keys().next().value!);
    const making = make(key, ...others);
    made.set(key, making);
    making.catch(() => made.delete(key));
    return making;
  };
}
