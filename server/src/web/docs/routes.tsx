// The reference as data and as a page: both made once from the endpoints, then sent as ready bytes.
import { type EndpointSpec, type Route, route } from "../../http/endpoint.js";
import { toOpenApi } from "../../http/openapi.js";
import { ReadyText } from "../../http/ready-text.js";
import { anonymous } from "../../http/viewer.js";
import { version } from "../../lib/version.js";
import type { Theme } from "../layout.js";
import { pageHeaders, pageType, renderPage, themeOf } from "../page.js";
import * as contract from "./contract.js";
import { Reference } from "./reference.js";

/** The routes of the reference to these endpoints; it describes itself as well. */
export function docsRoutes(described: readonly EndpointSpec[]): Route[] {
  const endpoints = [...described, contract.getApiReference, contract.getOpenApi, contract.getOpenApiAtOldPath];
  const documentAt = keep((url: string) => toOpenApi(endpoints, { version, url }));
  const jsonAt = keep(
    (url: string) => new ReadyText(JSON.stringify(documentAt(url)), "application/json; charset=utf-8"),
  );
  const pageAt = keep((url: string) =>
    keep((theme: Theme) => {
      const frame = { theme, viewer: anonymous, path: contract.getApiReference.path };
      const content = <Reference document={documentAt(url)} />;
      return new ReadyText(renderPage({ title: "API reference", description, content }, frame), pageType);
    }),
  );

  const sendJson = route(contract.getOpenApi, async ({ request, reply }, { config }) =>
    jsonAt(config.http.url).send(request, reply),
  );
  return [
    route(contract.getApiReference, async ({ request, reply }, { config }) =>
      pageAt(config.http.url)(themeOf(request)).send(request, reply.headers(pageHeaders)),
    ),
    sendJson,
    { ...sendJson, endpoint: contract.getOpenApiAtOldPath },
  ];
}

const description = "Every route of the Modshelf API: parameters, answers, access rules and examples.";

/** Remembers what was made for each key; there are as many as sites in this process, or themes. */
function keep<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key)!;
  };
}
