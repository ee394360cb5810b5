// The grammar of slugs and the reserved words (decisions §2). Ids contain an upper-case letter, so no slug can be
// mistaken for one.

/** Two to 64 characters; the first is a letter or digit. */
export const slugPattern = "^[a-z0-9][a-z0-9._+-]{1,63}$";

/**
 * First segments of this site's URLs (a law compares them with the routes), and words that have another meaning where a
 * slug could be.
 */
const reserved: ReadonlySet<string> = new Set(
  `about admin api assets auth authors badge cdn check collection collections dashboard device data docs favicon.ico feed feeds
   healthz icon latest legal login logo look manifest.json maven me metrics moderation new notifications oauth oembed og opensearch.xml organization organizations
   project projects random readyz report reports robots.txt search settings setup signup site.webmanifest sitemap.xml sitemaps staff status tags team
   teams tools unsubscribe updates user users v2 version versions well-known mod mods modpack modpacks shader shaders resource-pack
   resource-packs datamod datamods plugin plugins world worlds`.split(/\s+/),
);

export const isReservedSlug = (slug: string): boolean => reserved.has(slug);
