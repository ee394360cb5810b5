// The allow-list for texts of authors: elements, attributes and URLs that cannot run, load or imitate anything.
import sanitizeHtml from "sanitize-html";
import { callouts } from "./callouts.js";
import { anchorOf, withHeadings } from "./headings.js";
import { findVideo, withVideoCards } from "./videos.js";

const prose = [
  ...["p", "br", "hr", "blockquote", "pre", "code", "kbd", "samp", "var", "em", "strong", "b", "i", "u", "s", "del"],
  ...["ins", "mark", "small", "sub", "sup", "abbr", "q", "cite", "dfn", "ul", "ol", "li", "dl", "dt", "dd"],
  ...["h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tfoot", "tr", "th", "td", "caption"],
  ...["details", "summary", "a", "img", "span", "div", "center", "figure", "figcaption", "ruby", "rt", "rp"],
];

const headings = ["h1", "h2", "h3", "h4", "h5", "h6"];
/** Further pictures of a text, and those with longer URLs, are links. */
const mostRemotePictures = 200;
const longestPictureUrl = 1500;

const linkRel = "ugc nofollow noopener";

/**
 * Icons, avatars and gallery pictures. All of them were encoded by this service, so their size is limited. The files of
 * versions on the same host are stored as they were uploaded and are never shown as pictures.
 */
const ownPicture =
  /^\/cdn\/data\/(?:user|organization|collection|project)\/[\w-]+\/(?:gallery\/)?[\w-]+\.(?:webp|png)$/;

/** The URL of such a picture in its checked form; undefined if it is anything else. */
function findOwnPicture(address: string, cdnUrl: string): string | undefined {
  const url = URL.parse(address);
  const isOwn = url?.origin === new URL(cdnUrl).origin && ownPicture.test(url.pathname);
  return isOwn ? url.origin + url.pathname : undefined;
}

/**
 * An absolute URL, a path on this site, or an anchor in the same text. Other links are removed, because their target is
 * unclear.
 */
const isLink = (address: string): boolean => /^(?:https?:\/\/|mailto:|\/(?!\/)|#)/i.test(address);

/** Changes "#features", as an author writes it, to the anchor that the heading has here. */
const withOwnAnchor = (address: string): string =>
  address.startsWith("#") && !address.startsWith("#h-") ? `#${anchorOf(decoded(address.slice(1)))}` : address;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The text contains a percent sign that is not an escape.
    return text;
  }
}

/** Markdown tables, and descriptions from other sites, align with a style attribute, which is not allowed. */
const withAlignment = (tagName: string, { style = "", align = "", ...attribs }: sanitizeHtml.Attributes) => {
  const side =
    /(?:^|;)\s*text-align:\s*(left|right|center)\b/.exec(style)?.[1] ?? /^(?:left|right|center)$/.exec(align)?.[0];
  return { tagName, attribs: { ...attribs, ...(side && { align: side }) } };
};

/** Old tags that descriptions from other sites have. */
const renamed = { strike: "s", tt: "code", big: "span", font: "span" };

/** Pixels, or a part of the column. */
const toLength = (text: string): string | undefined => /^(\d{1,4}|\d{1,2}%|100%)(?:px)?$/.exec(text.trim())?.[1];

export function sanitize(html: string, cdnUrl: string): string {
  let remotePictures = 0;
  const toPicture = (_tagName: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag => {
    const { src = "", alt = "", title = "", width = "", height = "", align = "" } = attribs;
    const shown = {
      ...(title && { title }),
      ...(toLength(width) && { width: toLength(width)! }),
      ...(toLength(height) && { height: toLength(height)! }),
      ...(/^(?:left|right)$/.test(align) && { align }),
    };
    const own = findOwnPicture(src, cdnUrl);
    if (own) return { tagName: "img", attribs: { src: own, alt, ...shown, loading: "lazy" } };
    const url = /^https?:\/\//i.test(src) ? URL.parse(src) : null;
    if (url?.username !== "" || url.password !== "") return { tagName: "span", attribs: {}, text: alt };
    url.hash = "";
    remotePictures++;
    const isElsewhere = url.origin !== new URL(cdnUrl).origin;
    if (isElsewhere && remotePictures <= mostRemotePictures && url.href.length <= longestPictureUrl)
      return { tagName: "img", attribs: { "data-remote": url.href, alt, ...shown } };
    return {
      tagName: "a",
      attribs: { href: url.href, rel: linkRel, class: "remote-image" },
      text: alt === "" ? url.host : `${alt} (${url.host})`,
    };
  };
  const clean = sanitizeHtml(html, {
    allowedTags: prose,
    allowedAttributes: {
      a: ["href", "title", "rel", "class"],
      img: ["src", "data-remote", "alt", "title", "width", "height", "align", "loading"],
      span: ["class"],
      code: ["class"],
      li: ["class"],
      th: ["align", "colspan", "rowspan", "scope"],
      td: ["align", "colspan", "rowspan"],
      ol: ["start"],
      details: ["open"],
      abbr: ["title"],
      p: ["align", "class"],
      div: ["align", "class"],
      ...Object.fromEntries(headings.map((heading) => [heading, ["align"]])),
    },
    allowedClasses: {
      span: ["hljs-*"],
      code: ["language-*"],
      li: ["task"],
      a: ["remote-image", "video"],
      p: ["callout-title"],
      div: ["callout", ...Object.keys(callouts)],
    },
    allowedSchemes: ["http", "https", "mailto"],
    allowedSchemesAppliedToAttributes: ["href", "src"],
    allowProtocolRelative: false,
    disallowedTagsMode: "discard",
    nestingLimit: 60,
    transformTags: {
      ...Object.fromEntries(
        Object.entries(renamed).map(([from, to]) => [from, sanitizeHtml.simpleTransform(to, {}, false)]),
      ),
      ...Object.fromEntries([...headings, "p", "div", "th", "td"].map((tag) => [tag, withAlignment])),
      a: (tagName, attribs) => ({
        tagName,
        attribs: {
          ...(attribs.href && isLink(attribs.href) && { href: withOwnAnchor(attribs.href) }),
          ...(attribs.title && { title: attribs.title }),
          rel: linkRel,
        },
      }),
      img: toPicture,
      // Players of videos become links, and all other frames are removed.
      iframe: (tagName, { src = "" }): sanitizeHtml.Tag => {
        const video = findVideo(src.replace(/^\/\//, "https://"));
        if (!video) return { tagName, attribs: {} };
        return { tagName: "a", attribs: { href: video.page, rel: linkRel, class: "video" }, text: video.page };
      },
    },
  });
  return withHeadings(withVideoCards(clean));
}
