// The terms that a taxonomy file can use. They are apart from its schema and parser (document.ts), which are large, and which
// the thread that prepares answers does not need.

/** The first parts of the site's own paths, which no list of a project type can have. A law compares them with the routes. */
export const reservedPaths: ReadonlySet<string> = new Set(
  (
    ".well-known about admin api assets auth badge cdn collection collections dashboard device docs favicon.ico feeds healthz legal login " +
    "logo look maven metrics moderation new oauth oembed og opensearch.xml organization organizations project projects readyz report " +
    "robots.txt search settings setup signup site.webmanifest sitemap.xml sitemaps status tools unsubscribe updates user v2"
  ).split(" "),
);

export const releaseTypes = ["release", "beta", "alpha", "pre-release", "snapshot"] as const;
export const categoryKinds = ["category", "feature", "resolution", "performance_impact"] as const;
/** From strongest to weakest: if a project has several types, the strongest rule for a side wins. */
export const sideRules = ["required", "chosen", "optional", "unsupported"] as const;
