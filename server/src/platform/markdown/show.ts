// The last step before rendered markdown is shown, which depends on the site, the page and the reader: the addresses of
// pictures on other sites, the sizes of all pictures, the levels of headings, and the titles of call-outs. It is not part
// of the prepared HTML, so that a changed setting and a newly known size take effect at once.
import type { Size } from "#platform/images/measure.js";
import { type CalloutKind, callouts } from "./callouts.js";
import type { SafeHtml } from "./render.js";

export interface Showing {
  /** Where visitors get a picture of another site; undefined if it is not shown. */
  pictureUrl: (url: string) => string | undefined;
  /** The size of a picture of another site or of this one; undefined if it is not known, or not yet. */
  pictureSize?: (url: string) => Size | undefined;
  calloutTitles: Record<CalloutKind, string>;
  /** The level of the page's heading above the text, whose own headings start below it; 1 if absent. */
  below?: number | undefined;
}

const tags = /<a [^<>]*>|<\/a>|<img (src|data-remote)="([^"<>]*)" alt="([^"<>]*)"([^<>]*?) ?\/>/g;
const title = /(<p class="callout-title">)(Note|Tip|Important|Warning|Caution)(?=<\/p>)/g;
const kinds = new Map(Object.entries(callouts).map(([kind, text]) => [text as string, kind as CalloutKind]));

/** The input has passed the allow-list: tags are well-formed, text is escaped. */
export function showHtml(html: SafeHtml, { pictureUrl, pictureSize, calloutTitles, below = 1 }: Showing): SafeHtml {
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
  if (!titled.includes("<img ")) return titled as SafeHtml;
  let isInLink = false;
  const shown = titled.replace(tags, (tag, kind: string | undefined, url = "", alt = "", rest = "") => {
    if (kind === undefined) {
      isInLink = tag !== "</a>";
      return tag;
    }
    const address = url.replaceAll("&amp;", "&");
    if (kind === "src") return `<img src="${url}" alt="${alt}"${withSize(rest, pictureSize?.(address))} />`;
    const source = pictureUrl(address);
    const inner =
      source === undefined
        ? describe(url, alt)
        : `<img src="${source}" alt="${alt}"${withSize(rest, pictureSize?.(address))} loading="lazy" />`;
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

/**
 * Browsers reserve the space of a picture by its width and height. The width or height that the author gave stays, with
 * the picture's own ratio, in which it is shown. A part of the column reserves nothing: it has no ratio.
 */
function withSize(attributes: string, size: Size | undefined): string {
  const given: { width?: string; height?: string } = {};
  const others = attributes.replace(/ ([a-z]+)="([^"]*)"/g, (whole, name: string, value: string) => {
    if (name !== "width" && name !== "height") return whole;
    given[name] = value;
    return "";
  });
  if (!size || given.width?.endsWith("%")) return attributes;
  const width = toPixels(given.width);
  const height = toPixels(given.height);
  const scale = width !== undefined ? width / size.width : height !== undefined ? height / size.height : 1;
  return `${others} width="${rounded(size.width * scale)}" height="${rounded(size.height * scale)}"`;
}

const toPixels = (given = "%"): number | undefined => (given.endsWith("%") ? undefined : Number(given));
/** Badges have parts of pixels. */
const rounded = (pixels: number): number => Math.round(pixels * 100) / 100;
