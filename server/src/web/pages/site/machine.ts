// Files that browsers ask for: how to search here, and what the site is as an app.
import { open } from "../../../http/access.js";
import { sendText } from "../../../http/answers.js";
import { endpoint, type Route, route } from "../../../http/endpoint.js";
import { escapeXml } from "../../../lib/xml.js";
import { assetPath } from "../../assets.js";

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

const getWebManifest = endpoint({
  ...shared,
  id: "getWebManifest",
  path: "/site.webmanifest",
  summary: "The site as an app",
  answer: { raw: "application/manifest+json", description: "A web app manifest" },
});

export const machineRoutes: Route[] = [
  route(getOpenSearch, ({ request, reply }, { config }) => {
    const url = escapeXml(config.http.url);
    return sendText(
      request,
      reply.type("application/opensearchdescription+xml; charset=utf-8"),
      `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>Modshelf</ShortName>
  <Description>Mods, shaders and other add-ons for games</Description>
  <InputEncoding>UTF-8</InputEncoding>
  <Image width="16" height="16" type="image/svg+xml">${url}${assetPath("mark.svg")}</Image>
  <Url type="text/html" method="get" template="${url}/search?q={searchTerms}"/>
</OpenSearchDescription>
`,
    );
  }),

  route(getWebManifest, ({ request, reply }) =>
    sendText(
      request,
      reply.type("application/manifest+json; charset=utf-8"),
      JSON.stringify({
        name: "Modshelf",
        short_name: "Modshelf",
        id: "/",
        start_url: "/",
        display: "minimal-ui",
        background_color: "#f6f5f1",
        theme_color: "#0b6b63",
        icons: [{ src: assetPath("mark.svg"), sizes: "any", type: "image/svg+xml" }],
      }),
    ),
  ),
];
