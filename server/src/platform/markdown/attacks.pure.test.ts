// Reliability W-1 without a browser: of every attack only allow-listed HTML is left, checked character by character.
// test/browser/markdown-safety.test.ts runs the same attacks in a real browser.
import { expect, test } from "vitest";
import { attacks } from "#test/browser/markdown-corpus.js";
import type { SafeHtml } from "./render.js";
import { showHtml } from "./show.js";
import { toHtml } from "./to-html.js";

const cdnUrl = "https://cdn.example";
const tag = /^<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*) ?\/?>$/;
const elements = new Set(
  `a abbr b blockquote br caption center cite code dd del details dfn div dl dt em figcaption figure h2 h3 h4 h5 h6 hr i img
   ins kbd li mark ol p pre q rp rt ruby s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var`.split(
    /\s+/,
  ),
);
const attributes: Record<string, RegExp> = {
  href: /^(?:https?:\/\/|mailto:|\/(?!\/)|#)/i,
  src: /^https:\/\/cdn\.example\/cdn\/(?:remote\/[\w%.!~*'()-]+|data\/(?:user|organization|collection|project)\/\w+\/(?:gallery\/)?\w+\.(?:webp|png))$/,
  class:
    /^(?:hljs-\S+(?: [\w-]+)*|language-\S+|task|video|video-card|video-title|remote-image|callout|callout-title|(?:callout )?(?:note|tip|important|warning|caution))$/,
  "data-video": /^(?:youtube|vimeo|bilibili)\/[\w-]{5,12}$/,
  id: /^h-/,
  rel: /^ugc nofollow noopener$/,
  align: /^\w*$/,
};

/** Elements, attributes and URLs that the allow-list forbids. */
function findTrouble(html: string): string[] {
  const trouble: string[] = [];
  for (const [whole] of html.matchAll(/<[^>]*>?/g)) {
    const [, , name, rest = ""] = tag.exec(whole) ?? [];
    if (!name || !elements.has(name)) trouble.push(whole);
    for (const [, attribute, value = ""] of rest.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)) {
      const isKnown =
        /^(?:href|title|rel|class|src|alt|width|height|loading|align|colspan|rowspan|scope|start|open|id|data-video)$/;
      if (!isKnown.test(attribute!) || !(attributes[attribute!]?.test(value) ?? true)) trouble.push(whole);
    }
  }
  return trouble;
}

test("the check finds forbidden HTML", () => {
  for (const html of [
    "<script>",
    "<p onclick=x>",
    '<a href="javascript:x">',
    '<img src="https://evil.example/x">',
    "<p",
  ])
    expect(findTrouble(html), html).not.toEqual([]);
});

const pictureUrl = (url: string) => `${cdnUrl}/cdn/remote/${encodeURIComponent(url)}`;
const titles = { note: "a", tip: "b", important: "c", warning: "d", caution: "e" };
const toShown = (text: string) => showHtml(toHtml(text, cdnUrl) as SafeHtml, { pictureUrl, calloutTitles: titles });

test("2000 attacks leave only HTML on the allow-list", () => {
  const all = attacks(2000);
  expect(all.length).toBeGreaterThanOrEqual(1500);
  const found = all.flatMap((text) => findTrouble(toShown(text)).map((trouble) => ({ text, trouble })));
  expect(found).toEqual([]);
});
