// Writes a feed as Atom (RFC 4287).
import { element, textElement, xmlHead } from "#lib/xml.js";
import { addressOf, type Feed, type FeedEntry } from "./feed.js";

const instant = (time: number): string => new Date(time).toISOString();

export function toAtom(feed: Feed, siteUrl: string, siteName: string): string {
  const links = [
    { rel: "self", type: "application/atom+xml", href: addressOf(feed, siteUrl, "atom") },
    { rel: "alternate", type: "text/html", href: feed.pageUrl },
    { rel: "alternate", type: "application/feed+json", href: addressOf(feed, siteUrl, "json") },
  ];
  const children = [
    textElement("id", feed.id),
    textElement("title", feed.title),
    textElement("subtitle", feed.description),
    textElement("updated", instant(feed.time)),
    ...links.map((link) => element("link", link)),
    ...(feed.image ? [textElement("icon", feed.image)] : []),
    // For entries without an author.
    element("author", {}, [textElement("name", siteName), textElement("uri", siteUrl)]),
    textElement("generator", "Modshelf"),
    ...feed.entries.map(toEntry),
  ];
  return `${xmlHead}${element("feed", { xmlns: "http://www.w3.org/2005/Atom" }, children)}\n`;
}

const toEntry = ({ id, title, url, time, author, tags, file, text }: FeedEntry): string =>
  element("entry", {}, [
    textElement("id", id),
    textElement("title", title),
    textElement("published", instant(time)),
    textElement("updated", instant(time)),
    element("link", { rel: "alternate", type: "text/html", href: url }),
    ...(file
      ? [element("link", { rel: "enclosure", type: file.type, length: file.size, title: file.name, href: file.url })]
      : []),
    ...(author ? [element("author", {}, [textElement("name", author.name), textElement("uri", author.url)])] : []),
    ...tags.map((term) => element("category", { term })),
    ...(text === "" ? [textElement("content", title)] : [textElement("content", text, { type: "text" })]),
  ]);
