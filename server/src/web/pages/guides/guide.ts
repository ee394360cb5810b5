// The guides as the site shows them: read from docs/, rendered once for each server, and kept. Their number and size are
// fixed by the release.
import { readFile } from "node:fs/promises";
import { guides, type Reader, readers } from "#lib/guides.js";
import { guideFile } from "#lib/own-files.js";
import { Busy } from "#lib/queue.js";
import { perServer } from "#platform/changes/server-memory.js";
import { exampleUrl } from "#platform/http/openapi-examples.js";
import type { Resources } from "#platform/http/resources.js";
import { toPlainHtml } from "#platform/markdown/plain.js";
import { renderMarkdown, type SafeHtml } from "#platform/markdown/render.js";
import { withSiteLinks } from "./links.js";

export interface Guide {
  name: string;
  reader: Reader;
  title: string;
  /** The first sentence. */
  summary: string;
  html: SafeHtml;
  /** The first is the text before the first heading. */
  sections: Section[];
}

export interface Section {
  /** Its anchor; empty for the beginning of the page. */
  id: string;
  title: string;
  level: number;
  text: string;
}

type Guides = ReadonlyMap<string, Guide>;

/** `addLinks`: the last step of the HTML of each guide. */
export function guideShelf(addLinks: (html: string) => string): (resources: Resources) => Promise<Guides> {
  const shelfOf = perServer((_resources: Resources): { kept?: Promise<Guides> } => ({}));
  return (resources) => {
    const shelf = shelfOf(resources);
    if (shelf.kept) return shelf.kept;
    const made = readGuides(resources, addLinks);
    shelf.kept = made;
    // The next request tries again.
    made.catch(() => delete shelf.kept);
    return made;
  };
}

async function readGuides({ config }: Resources, addLinks: (html: string) => string): Promise<Guides> {
  const places = readers.flatMap((reader) => guides[reader].map((name) => ({ name, reader })));
  const sources = await Promise.all(
    places.map(async ({ name }) => [name, await readFile(guideFile(name), "utf8")] as const),
  );
  const all = new Map(sources);
  const made = await Promise.all(
    places.map(async ({ name, reader }): Promise<Guide> => {
      const [first = "", ...lines] = withSiteLinks(name, all).split("\n");
      // Examples can be copied as they are; those for operators are about a site of their own.
      const address = reader === "operators" ? exampleUrl : config.http.url;
      const text = lines.join("\n").replaceAll(exampleUrl, () => address);
      const html = await renderMarkdown(text, config.http);
      // The text as it was typed, because it could not be rendered in time.
      if (html === toPlainHtml(text)) throw new Busy();
      // Links of authors are marked for search engines; these are the site's own.
      const own = addLinks(html.replaceAll(' rel="ugc nofollow noopener"', ""));
      const title = first.replace(/^# /, "");
      return { name, reader, title, summary: summaryOf(own), html: own as SafeHtml, sections: sectionsOf(own, title) };
    }),
  );
  return new Map(made.map((guide) => [guide.name, guide]));
}

function summaryOf(html: string): string {
  const text = toText(html.slice(html.indexOf("<p>"), html.indexOf("</p>")));
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;
}

const sectionsOf = (html: string, title: string): Section[] =>
  html.split(/(?=<h[2-6] id=")/).map((part): Section => {
    const [head, level, id, inner] = /^<h([2-6]) id="([^"]*)">(.*?)<\/h[2-6]>/.exec(part) ?? [];
    return head === undefined
      ? { id: "", title, level: 1, text: toText(part) }
      : { id: id!, title: toText(inner!), level: Number(level), text: toText(part.slice(head.length)) };
  });

const entities: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };

/** The input has passed the allow-list: tags are well-formed, text is escaped. */
const toText = (html: string): string =>
  html
    .replace(/<\/?(?:a|code|em|strong|span)(?: [^<>]*)?>/g, "")
    .replace(/<[^<>]*>/g, " ")
    .replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity]!)
    .replace(/\s+/g, " ")
    .trim();
