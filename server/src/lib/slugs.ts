// The grammar of slugs and the words that none may be (decisions §2). Ids carry an upper-case letter, so that no slug can
// be read as one.

/** Two to 64 characters, of which the first is a letter or digit. */
export const slugPattern = "^[a-z0-9][a-z0-9._+-]{1,63}$";

/**
 * First segments of this site's addresses (a law compares them with the routes), and words that mean something else where
 * a slug could stand.
 */
const reserved: ReadonlySet<string> = new Set(
  `about admin api assets auth authors badge cdn check collection collections dashboard data docs favicon.ico feed feeds
   healthz icon latest legal login logo look manifest.json maven me metrics moderation new notifications oembed og opensearch.xml organization organizations
   project projects random readyz report reports robots.txt search settings setup signup site.webmanifest sitemap.xml sitemaps staff status tags team
   teams tools unsubscribe user users version versions well-known mod mods modpack modpacks shader shaders resource-pack
   resource-packs datamod datamods plugin plugins world worlds`.split(/\s+/),
);

export const isReservedSlug = (slug: string): boolean => reserved.has(slug);
