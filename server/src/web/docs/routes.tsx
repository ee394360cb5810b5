// The reference as data and as a page: both made once from the endpoints, then sent as ready bytes.

import type { FastifyRequest } from "fastify";
import { inSlices } from "#lib/slices.js";
import { version } from "#lib/version.js";
import { type EndpointSpec, type Route, route } from "#platform/http/endpoint.js";
import { toOpenApi } from "#platform/http/openapi.js";
import { readExamples } from "#platform/http/openapi-examples.js";
import { ReadyText } from "#platform/http/ready-text.js";
import { localeOf, lookOf, themeOf } from "#web/context/preferences.js";
import { guestFrame, pageHeaders, pageType, renderPage } from "#web/frame/rendering.js";
import { texts, textsIn } from "#words/texts.js";
import * as contract from "./contract.js";
import { type Chapter, Reference, renderChapters } from "./reference.js";

/** The routes of the reference to these endpoints; it describes itself as well. */
export function docsRoutes(described: readonly EndpointSpec[]): Route[] {
  const endpoints = [...described, contract.getApiReference, contract.getOpenApi, contract.getOpenApiAtOldPath];
  const documentAt = keep((url: string) => toOpenApi(endpoints, { version, url, examples: readExamples(url) }));
  const jsonAt = keep(
    (url: string) => new ReadyText(JSON.stringify(documentAt(url)), "application/json; charset=utf-8"),
  );
  const chapters = new Map<string, Promise<Chapter[]>>();
  const chaptersAt = (url: string): Promise<Chapter[]> => {
    const known = chapters.get(url);
    if (known) return known;
    const made = inSlices(renderChapters(documentAt(url)));
    chapters.set(url, made);
    // When too much is going on, the next request tries again.
    made.catch(() => chapters.delete(url));
    return made;
  };
  const pages = new Map<string, ReadyText>();
  /** One for each theme and language, for everybody: users who are signed in see it as guests do. */
  const pageFor = async (request: FastifyRequest, url: string): Promise<ReadyText> => {
    const key = `${url} ${themeOf(request)} ${localeOf(request)} ${JSON.stringify([lookOf(request), request.server.config.logo])}`;
    let page = pages.get(key);
    if (!page) {
      const t = textsIn(texts.docs.reference, localeOf(request));
      const content = <Reference document={documentAt(url)} chapters={await chaptersAt(url)} />;
      const frame = { ...guestFrame(request, url, 0), url: contract.getApiReference.path, setup: noSetup };
      page = new ReadyText(
        renderPage({ title: t.title, description: t.description, content, scripts: ["docs"] }, frame),
        pageType,
      );
      pages.set(key, page);
    }
    return page;
  };

  const sendJson = route(contract.getOpenApi, async ({ request, reply }, { config }) =>
    jsonAt(config.http.url).send(request, reply),
  );
  return [
    route(contract.getApiReference, async ({ request, reply }, { config }) =>
      (await pageFor(request, config.http.url)).send(request, reply.headers(pageHeaders(config.http))),
    ),
    sendJson,
    { ...sendJson, endpoint: contract.getOpenApiAtOldPath },
  ];
}

const noSetup = { gameVersion: "", loader: "" };

/** Remembers what was made for each key; there are as many as sites in this process. */
function keep<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key)!;
  };
}
