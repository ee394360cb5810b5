// The allow-list for texts of authors: elements, attributes and URLs that cannot run, load or imitate anything.
import sanitizeHtml from "sanitize-html";

const prose = [
  ...["p", "br", "hr", "blockquote", "pre", "code", "kbd", "samp", "var", "em", "strong", "b", "i", "u", "s", "del"],
  ...["ins", "mark", "small", "sub", "sup", "abbr", "q", "cite", "dfn", "ul", "ol", "li", "dl", "dt", "dd"],
  ...["h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tfoot", "tr", "th", "td", "caption"],
  ...["details", "summary", "a", "img", "span", "div", "center", "figure", "figcaption"],
];

/** The page's own heading is h1, so headings of authors start at h2. */
const lower: Record<string, string> = { h1: "h2", h2: "h3", h3: "h4", h4: "h5", h5: "h6" };

const linkRel = "ugc nofollow noopener";

/** Hosts of videos; a link to them is shown as a card, never as a frame. */
const videoHosts = /^(?:www\.|m\.)?(?:youtube\.com|youtu\.be|vimeo\.com|odysee\.com|bilibili\.com)$/;

const hostOf = (address: string | undefined): string => URL.parse(address ?? "")?.host ?? "";

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

/** The same text gives the same anchor. The prefix keeps it from colliding with ids of the page. */
const anchorOf = (text: string): string =>
  `h-${text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60)}`;

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

/** Markdown tables align columns with a style attribute, which is not allowed. */
const withAlignment = (tagName: string, { style = "", align = "", ...attribs }: sanitizeHtml.Attributes) => {
  const side = /^text-align:(left|right|center)$/.exec(style)?.[1] ?? /^(?:left|right|center)$/.exec(align)?.[0];
  return { tagName, attribs: { ...attribs, ...(side && { align: side }) } };
};

export function sanitize(html: string, cdnUrl: string): string {
  const clean = sanitizeHtml(html, {
    allowedTags: prose,
    allowedAttributes: {
      a: ["href", "title", "rel", "class"],
      img: ["src", "alt", "title", "width", "height", "loading"],
      span: ["class"],
      code: ["class"],
      li: ["class"],
      th: ["align", "colspan", "rowspan", "scope"],
      td: ["align", "colspan", "rowspan"],
      ol: ["start"],
      details: ["open"],
      abbr: ["title"],
      p: ["align"],
      div: ["align"],
    },
    allowedClasses: {
      span: ["hljs-*"],
      code: ["language-*"],
      li: ["task"],
      a: ["remote-image", "video"],
    },
    allowedSchemes: ["http", "https", "mailto"],
    allowedSchemesAppliedToAttributes: ["href", "src"],
    allowProtocolRelative: false,
    disallowedTagsMode: "discard",
    nestingLimit: 60,
    transformTags: {
      ...Object.fromEntries(Object.entries(lower).map(([from, to]) => [from, sanitizeHtml.simpleTransform(to, {})])),
      a: (tagName, attribs) => ({
        tagName,
        attribs: {
          ...(attribs.href && isLink(attribs.href) && { href: withOwnAnchor(attribs.href) }),
          ...(attribs.title && { title: attribs.title }),
          rel: linkRel,
          ...(videoHosts.test(hostOf(attribs.href)) && { class: "video" }),
        },
      }),
      img: (_tagName, attribs): sanitizeHtml.Tag => {
        const { src = "", alt = "", title = "", width = "", height = "" } = attribs;
        const own = findOwnPicture(src, cdnUrl);
        if (own)
          return {
            tagName: "img",
            attribs: {
              ...{ src: own, alt, loading: "lazy" },
              ...(title && { title }),
              ...(/^\d{1,4}$/.test(width) && { width }),
              ...(/^\d{1,4}$/.test(height) && { height }),
            },
          };
        const host = hostOf(src);
        if (!/^https?:/i.test(src) || host === "") return { tagName: "span", attribs: {}, text: alt };
        return {
          tagName: "a",
          attribs: { href: src, rel: linkRel, class: "remote-image" },
          text: alt === "" ? host : `${alt} (${host})`,
        };
      },
      th: withAlignment,
      td: withAlignment,
    },
  });
  return withAnchors(clean);
}

/** Adds ids to headings. The input has passed the allow-list: tags are well-formed, text is escaped. */
function withAnchors(html: string): string {
  const used = new Map<string, number>();
  return html.replace(/<(h[2-6])>(.*?)<\/\1>/gs, (_whole, tag: string, inner: string) => {
    const words = anchorOf(inner.replace(/<[^<>]*>|&\w+;/g, " "));
    const times = used.get(words) ?? 0;
    used.set(words, times + 1);
    return `<${tag} id="${times === 0 ? words : `${words}-${times}`}">${inner}</${tag}>`;
  });
}
