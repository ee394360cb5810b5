// Reliability W-1: no text of an author runs in a real browser, loads from another site, or has an attribute that is
// not on the list. MARKDOWN_ATTACKS=20000 tests more of them (`npm run test:markdown`).
import { describe, expect, test } from "vitest";
import { renderMarkdown } from "#platform/markdown/render.js";
import { showHtml } from "#platform/markdown/show.js";
import { openPage } from "./browser.js";
import { attacks } from "./markdown-corpus.js";

const count = Number(process.env.MARKDOWN_ATTACKS ?? 800);
const atOnce = 200;
const cdnUrl = "https://cdn.example";
const siteUrl = "https://site.example/";
const all = attacks(count);
const shown = {
  pictureUrl: (url: string) => `${cdnUrl}/cdn/remote/x?url=${encodeURIComponent(url)}`,
  calloutTitles: { note: "a", tip: "b", important: "c", warning: "d", caution: "e" },
};

const allowed: Record<string, string[]> = {
  a: ["href", "title", "rel", "class", "data-video"],
  img: ["src", "alt", "title", "width", "height", "align", "loading"],
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
  ...Object.fromEntries(["h2", "h3", "h4", "h5", "h6"].map((heading) => [heading, ["align", "id"]])),
  ...Object.fromEntries(
    `br hr blockquote pre kbd samp var em strong b i u s del ins mark small sub sup q cite dfn ul dl dt dd table thead tbody
     tfoot tr caption summary center figure figcaption ruby rt rp`
      .split(/\s+/)
      .map((name) => [name, []]),
  ),
};

/** Everything in the page's own containers that should not be there. Runs in the browser. */
function findTrouble(rules: Record<string, string[]>): string[] {
  const trouble: string[] = [];
  const doc = (globalThis as never as { document: never }).document as {
    querySelectorAll(selector: string): Iterable<{
      localName: string;
      namespaceURI: string;
      attributes: Iterable<{ name: string; value: string }>;
      outerHTML: string;
      href?: string;
      src?: string;
      id: string;
      closest(selector: string): { getAttribute(name: string): string } | null;
    }>;
  };
  for (const element of doc.querySelectorAll("[data-at] *")) {
    const at = element.closest("[data-at]")?.getAttribute("data-at");
    const names = rules[element.localName];
    if (!names || element.namespaceURI !== "http://www.w3.org/1999/xhtml") {
      trouble.push(`${at}: element ${element.outerHTML.slice(0, 200)}`);
      continue;
    }
    for (const { name } of element.attributes)
      if (!names.includes(name)) trouble.push(`${at}: attribute ${name} in ${element.outerHTML.slice(0, 200)}`);
    if (element.id !== "" && !element.id.startsWith("h-")) trouble.push(`${at}: id ${element.id}`);
    for (const address of [element.href, element.src])
      if (address && !/^(?:https?|mailto):/.test(address)) trouble.push(`${at}: address ${address.slice(0, 200)}`);
  }
  return trouble;
}

const groups = Array.from({ length: Math.ceil(all.length / atOnce) }, (_, at) => at);

describe(`${all.length} attacks in markdown`, () => {
  test("have the requested number, and some contain script", () => {
    expect(all.length).toBeGreaterThanOrEqual(Math.min(count, 500));
  });

  test("the check itself detects script, unknown attributes and unknown URLs", async () => {
    const page = await openPage();
    await page.setContent(
      `<div data-at="0"><p onclick="x">a</p><svg></svg><a href="javascript:x">b</a><b id="main">c</b>
       <img src="x" onerror="window.pwned = 1"></div>`,
    );
    expect((await page.evaluate(findTrouble, allowed)).length).toBeGreaterThanOrEqual(4);
    await expect.poll(() => page.evaluate("window.pwned")).toBe(1);
    await page.context().close();
  });

  test.each(groups)("group %i has no effect in a browser", async (group) => {
    const texts = all.slice(group * atOnce, (group + 1) * atOnce);
    const rendered = await Promise.all(
      texts.map(async (text) => showHtml(await renderMarkdown(text, { cdnUrl }), shown)),
    );
    const html = rendered.map((one, at) => `<div data-at="${group * atOnce + at}">${one}</div>`).join("\n");
    const page = await openPage();
    const asked: string[] = [];
    await page.route("**/*", (route) => {
      asked.push(route.request().url());
      const body = `<!doctype html><html><body><main>${html}</main></body></html>`;
      return route.fulfill({ status: 200, contentType: "text/html; charset=utf-8", body });
    });
    // As the server sends it: parsed with the document, which would run scripts.
    await page.goto(siteUrl);
    expect(await page.evaluate(findTrouble, allowed)).toEqual([]);
    // Serialized and parsed again, because parsers may then read it differently.
    await page.evaluate(`document.body.innerHTML = document.body.innerHTML`);
    await page.evaluate(`for (const one of document.querySelectorAll("[data-at]")) one.innerHTML = one.innerHTML`);
    expect(await page.evaluate(findTrouble, allowed)).toEqual([]);
    expect(await page.evaluate("window.pwned")).toBeUndefined();
    expect(
      asked.filter((url) => url !== siteUrl && !/^https:\/\/cdn\.example\/cdn\/(?:data|remote)\//.test(url)),
    ).toEqual([]);
    // Every container still exists: none was closed from inside.
    expect(await page.evaluate(`document.querySelectorAll("main > [data-at]").length`)).toBe(texts.length);
    await page.context().close();
  });
});
