// Data about the page for search engines. It is not executed, but its content must be escaped like that of a script.
import { rawHtml } from "#lib/jsx-runtime.js";

/** An object in the vocabulary of schema.org. */
export type Described = Record<string, unknown>;

/** One block for all objects of a page. */
export const JsonLd = ({ things }: { things: readonly Described[] }) => {
  const [first, ...others] = things;
  const data = others.length === 0 ? first : { "@graph": things };
  const json = JSON.stringify({ "@context": "https://schema.org", ...data }).replaceAll("<", "\\u003c");
  return <script type="application/ld+json">{rawHtml(json)}</script>;
};

/** The path to a page as names and paths, the page itself last. */
export const toBreadcrumbs = (siteUrl: string, way: readonly (readonly [name: string, path: string])[]): Described => ({
  "@type": "BreadcrumbList",
  itemListElement: way.map(([name, path], at) => ({
    "@type": "ListItem",
    position: at + 1,
    name,
    item: `${siteUrl}${path}`,
  })),
});
