// Files that browsers ask for: how to search here, and what the site is as an app.

import { escapeXml } from "#lib/xml.js";
import { open } from "#platform/http/access.js";
import { sendText } from "#platform/http/answers.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";
import { assetPath } from "#web/assets/assets.js";

const shared = {
  method: "GET",
  access: open,
  rate: "read",
  tag: "Website",
  cacheControl: "public, max-age=3600",
  internal: true,
} as const;

const getOpenSearch = endpoint({
  ...shared,
  id: "getOpenSearch",
  path: "/opensearch.xml",
  summary: "How browsers search here",
  answer: { raw: "application/opensearchdescription+xml", description: "OpenSearch 1.1" },
});

/** What browsers ask for that have not read the page, and tools that never do. */
const getFavicon = endpoint({
  ...shared,
  id: "getFavicon",
  path: "/favicon.ico",
  summary: "Leads to the site's icon",
  answer: { raw: "image/svg+xml", description: "A redirect" },
});

const getWebManifest = endpoint({
  ...shared,
  id: "getWebManifest",
  path: "/site.webmanifest",
  summary: "The site as an app",
  answer: { raw: "application/manifest+json", description: "A web app manifest" },
});

/** Letters that the format allows. */
const shortName = 16;

export const machineRoutes: Route[] = [
  route(getOpenSearch, ({ request, reply }, { config }) => {
    const url = escapeXml(config.http.url);
    return sendText(
      request,
      reply.type("application/opensearchdescription+xml; charset=utf-8"),
      `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>${escapeXml(config.look.name.slice(0, shortName))}</ShortName>
  <Description>Mods, shaders and other add-ons for games</Description>
  <InputEncoding>UTF-8</InputEncoding>
  <Image width="16" height="16" type="image/svg+xml">${url}${assetPath("mark.svg")}</Image>
  <Url type="text/html" method="get" template="${url}/search?q={searchTerms}"/>
</OpenSearchDescription>
`,
    );
  }),

  route(getFavicon, async ({ reply }) => reply.redirect(assetPath("mark.svg"), 302)),

  route(getWebManifest, ({ request, reply }, { config: { look } }) =>
    sendText(
      request,
      reply.type("application/manifest+json; charset=utf-8"),
      JSON.stringify({
        name: look.name,
        short_name: look.name,
        id: "/",
        start_url: "/",
        display: "minimal-ui",
        background_color: "#f6f5f1",
        theme_color: look.accent || "#0b6b63",
        icons: [{ src: assetPath("mark.svg"), sizes: "any", type: "image/svg+xml" }],
      }),
    ),
  ),
];
