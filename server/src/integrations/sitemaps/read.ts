// Splits the rows into pages, and builds one page at a time: memory holds one page, never all of them.

import { getTaxonomy } from "#content/taxonomy/read.js";
import { guideNames, guidePath } from "#lib/guides.js";
import { element, textElement, xmlHead } from "#lib/xml.js";
import { perServer } from "#platform/changes/server-memory.js";
import type { Resources } from "#platform/http/resources.js";
import { type IdRange, type Link, type SitemapKind, sitemapKinds } from "./kinds.js";

const namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
export const maxLinks = 25_000;
/** Rows per statement, so that other requests get their turn at the database. */
const rowsAtOnce = 2000;
/** The estimated size of a page's name and range. */
const rangeBytes = 500;

const cacheOf = perServer(({ memory }: Resources) =>
  // The ranges say nothing about visibility, so they may be a little out of date.
  memory.createCache<Map<string, IdRange>>({ name: "sitemapRanges", bytes: 4 * 1024 * 1024, ageMs: 10 * 60_000 }),
);

/** Ranges by the name of their page, such as "projects-1"; pages without listed rows are left out. */
const cutPages = (resources: Resources): Promise<Map<string, IdRange>> =>
  cacheOf(resources).load(
    "",
    () => findPages(resources),
    ({ size }) => size * rangeBytes,
  );

async function findPages({ db, config }: Resources): Promise<Map<string, IdRange>> {
  const pages = new Map<string, IdRange>();
  for (const kind of sitemapKinds) {
    let after = "";
    for (let number = 1; ; number++) {
      const upTo = await kind.findBoundary(db, after, kind.rowsPerPage);
      const isUsed = (await kind.listRows(db, config.http.url, { after, upTo }, 1)).length > 0;
      if (isUsed) pages.set(`${kind.name}-${number}`, { after, upTo });
      if (upTo === undefined) break;
      after = upTo;
    }
  }
  return pages;
}

export async function makeIndex(resources: Resources): Promise<string> {
  const names = ["pages-1", ...(await cutPages(resources)).keys()];
  const { url } = resources.config.http;
  const entries = names.map((name) => element("sitemap", {}, [textElement("loc", `${url}/sitemaps/${name}.xml`)]));
  return `${xmlHead}${element("sitemapindex", { xmlns: namespace }, entries)}\n`;
}

/** By file name; undefined if there is no such page. */
export async function makeSitemap(resources: Resources, file: string): Promise<string | undefined> {
  const [, name, kindName] = /^(([a-z]+)-[1-9]\d{0,6})\.xml$/.exec(file) ?? [];
  if (name === undefined) return undefined;
  if (name === "pages-1") return toUrlSet((await listOwnPages(resources)).map(toUrl));
  const range = (await cutPages(resources)).get(name);
  const kind = sitemapKinds.find((each) => each.name === kindName);
  return range && kind && toUrlSet(await listUrls(resources, kind, range));
}

/** Pages that exist independently of the content. */
async function listOwnPages(resources: Resources): Promise<Link[]> {
  const { projectTypes, findProjectType } = await getTaxonomy(resources);
  const lists = projectTypes.map((type) => `/${findProjectType(type)!.path}`);
  const paths = ["/", "/projects", ...lists, "/api/docs", "/docs", ...guideNames.map(guidePath)];
  return paths.map((path) => ({ url: `${resources.config.http.url}${path}` }));
}

async function listUrls({ db, config }: Resources, kind: SitemapKind, range: IdRange): Promise<string[]> {
  const urls: string[] = [];
  for (let { after } = range; ; ) {
    const rows = await kind.listRows(db, config.http.url, { ...range, after }, rowsAtOnce);
    for (const { links } of rows) {
      if (urls.length + links.length > maxLinks) return urls;
      urls.push(...links.map(toUrl));
    }
    if (rows.length < rowsAtOnce) return urls;
    after = rows.at(-1)!.id;
  }
}

const toUrl = ({ url, lastChange }: Link): string =>
  element("url", {}, [textElement("loc", url), ...(lastChange ? [textElement("lastmod", lastChange)] : [])]);

const toUrlSet = (urls: readonly string[]): string => `${xmlHead}${element("urlset", { xmlns: namespace }, urls)}\n`;
