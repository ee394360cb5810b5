// The last step before rendered markdown is shown, which depends on the site, the page and the reader: the addresses of
// pictures on other sites, the levels of headings, and the titles of call-outs. It is not part of the prepared HTML, so that a changed setting takes
// effect at once.
import { type CalloutKind, callouts } from "./callouts.js";
import type { SafeHtml } from "./render.js";

export interface Showing {
  /** Where visitors get a picture of another site; undefined if it is not shown. */
  pictureUrl: (url: string) => string | undefined;
  calloutTitles: Record<CalloutKind, string>;
  /** The level of the page's heading above the text, whose own headings start below it; 1 if absent. */
  below?: number | undefined;
}

const tags = /<a [^<>]*>|<\/a>|<img data-remote="([^"<>]*)" alt="([^"<>]*)"([^<>]*?) ?\/>/g;
const title = /(<p class="callout-title">)(Note|Tip|Important|Warning|Caution)(?=<\/p>)/g;
const kinds = new Map(Object.entries(callouts).map(([kind, text]) => [text as string, kind as CalloutKind]));

/** The input has passed the allow-list: tags are well-formed, text is escaped. */
export function showHtml(html: SafeHtml, { pictureUrl, calloutTitles, below = 1 }: Showing): SafeHtml {
  const levelled =
    below === 1
      ? html
      : html.replace(
          /<(\/?)h([2-6])(?=[ >])/g,
          (_whole, slash, level) => `<${slash}h${Math.min(Number(level) + below - 1, 6)}`,
        );
  const titled = levelled.replace(
    title,
    (_whole, start: string, text: string) => start + calloutTitles[kinds.get(text)!],
  );
  if (!titled.includes("<img data-remote=")) return titled as SafeHtml;
  let isInLink = false;
  const shown = titled.replace(tags, (tag, url: string | undefined, alt = "", rest = "") => {
    if (url === undefined) {
      isInLink = tag !== "</a>";
      return tag;
    }
    const source = pictureUrl(url.replaceAll("&amp;", "&"));
    const inner =
      source === undefined ? describe(url, alt) : `<img src="${source}" alt="${alt}"${rest} loading="lazy" />`;
    // If the picture cannot be loaded, its text is a link to it.
    return isInLink ? inner : `<a href="${url}" rel="ugc nofollow noopener" class="remote-image">${inner}</a>`;
  });
  return shown as SafeHtml;
}

/** Pictures of videos have no text. */
const describe = (url: string, alt: string): string => {
  const { host = "" } = URL.parse(url) ?? {};
  if (alt === "" && host === "i.ytimg.com") return "";
  return alt === "" ? host : `${alt} (${host})`;
};
