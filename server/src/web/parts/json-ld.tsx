// Data about the page for search engines. It is data, not script, but the browser finds its end by the same letters.

/** A thing as schema.org describes it. */
export type Described = Record<string, unknown>;

/** One block, however many things a page is about. */
export const JsonLd = ({ things }: { things: readonly Described[] }) => {
  const [first, ...others] = things;
  const data = others.length === 0 ? first : { "@graph": things };
  return (
    <script
      type="application/ld+json"
      dangerouslySetInnerHTML={{
        __html: JSON.stringify({ "@context": "https://schema.org", ...data }).replaceAll("<", "\\u003c"),
      }}
    />
  );
};

/** The way to a page from above, the page itself last: names and paths. */
export const toBreadcrumbs = (siteUrl: string, way: readonly (readonly [name: string, path: string])[]): Described => ({
  "@type": "BreadcrumbList",
  itemListElement: way.map(([name, path], at) => ({
    "@type": "ListItem",
    position: at + 1,
    name,
    item: `${siteUrl}${path}`,
  })),
});
