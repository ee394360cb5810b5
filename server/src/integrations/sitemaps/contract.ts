// Endpoints of sitemaps, which list the pages for search engines.
import Type from "typebox";
import { open } from "#platform/http/access.js";
import { endpoint } from "#platform/http/endpoint.js";

const shared = {
  method: "GET",
  access: open,
  rate: "bulk",
  tag: "Website",
  cacheControl: "public, max-age=600",
} as const;

export const getSitemapIndex = endpoint({
  ...shared,
  id: "getSitemapIndex",
  path: "/sitemap.xml",
  summary: "The list of sitemaps",
  answer: { raw: "application/xml", description: "A sitemap index" },
});

/** At the URLs of the earlier service: sitemap.xml, sitemap-nav.xml, sitemap-projects-1.xml. */
export const getFormerSitemap = endpoint({
  ...shared,
  id: "getFormerSitemap",
  path: "/cdn/sitemap/:file",
  summary: "A sitemap at its former URL",
  params: Type.Object({
    file: Type.String({ minLength: 1, maxLength: 64, description: "File name", examples: ["sitemap.xml"] }),
  }),
  answer: { raw: "application/xml", description: "A sitemap, or the list of them" },
  errors: ["notFound"],
});

export const getSitemap = endpoint({
  ...shared,
  id: "getSitemap",
  path: "/sitemaps/:file",
  summary: "Get a sitemap with a part of the pages",
  params: Type.Object({
    file: Type.String({
      minLength: 1,
      maxLength: 64,
      description: "File name, as the list of sitemaps has it",
      examples: ["pages-1.xml"],
    }),
  }),
  answer: { raw: "application/xml", description: "A sitemap of at most 25,000 links" },
  errors: ["notFound"],
});
