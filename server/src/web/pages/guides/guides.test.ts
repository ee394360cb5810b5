// The documentation as pages: every link leads somewhere, the search finds sections, and questions do no harm.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { guideNames, guidePath } from "#lib/guides.js";
import { guideFile } from "#lib/own-files.js";
import { heading, readPage } from "#test/callers/page-forms.js";
import { testApp } from "#test/server/harness.js";
import { countStatements } from "#test/server/statement-count.js";

const { as, make, resources } = await testApp();
const pages = new Map<string, string>();
for (const path of ["/docs", ...guideNames.map(guidePath)]) pages.set(path, (await readPage(as.anyone, path)).text);

const linksIn = (html: string): string[] => [...html.matchAll(/ href="([^"]*)"/g)].map(([, href]) => href!);
const articleOf = (html: string): string => /<article.*<\/article>/s.exec(html)?.[0] ?? "";
const find = async (question: string) => readPage(as.anyone, `/docs?q=${encodeURIComponent(question)}`);
const foundBy = async (question: string): Promise<string[]> =>
  linksIn(/<ul class="stack guide-results".*?<\/ul>/s.exec((await find(question)).text)?.[0] ?? "");

describe("getDocsPage", () => {
  test("lists every guide once with its title, by its readers, and links to the API reference", () => {
    const home = pages.get("/docs")!;
    const links = linksIn(home);
    for (const name of guideNames)
      expect(
        links.filter((link) => link === guidePath(name)),
        name,
      ).toHaveLength(1);
    for (const text of ["For players", "For authors", "For launcher developers", "For operators"])
      expect(home).toContain(`<h2>${text}</h2>`);
    expect(home).toContain("Ten minutes to your own registry");
    expect(links).toContain("/api/docs");
    expect(home).not.toMatch(/<p>\s*<\/p>/);
  });

  test("finds sections by their words, the best first", async () => {
    expect((await foundBy("game versions facets"))[0]).toMatch(/^\/docs\/(?:modrinth|search)/);
    expect((await foundBy("minotaur"))[0]).toBe("/docs/publishing-from-ci#h-minotaur");
    expect(await foundBy("trusted publishing")).toContain("/docs/trusted-publishing");
    for (const link of await foundBy("token")) expect(pages.has(link.split("#")[0]!), link).toBe(true);
    const page = await find("minotaur");
    expect(page.text).toContain("› Minotaur</a>");
    expect(page.text).toContain('<meta name="robots" content="noindex"');
  });

  test.each([
    ["a question of signs", ".*+?^$()|[]{}\\", false],
    ["markup", '"><script>alert(1)</script>', false],
    ["a pattern that is slow to match", "(a+)+$ (.*)*", true],
    ["a very long question", "registry ".repeat(500), true],
    ["many words", Array.from({ length: 300 }, (_, at) => `w${at}`).join(" "), false],
    ["words that are nowhere", "zzzz qqqq", false],
    ["another writing system", "如何发布", false],
  ])("is harmless with %s", async (_what, question, isFound) => {
    const page = await find(question);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain("<script>alert");
    expect(page.text.includes("No section contains all of these words.")).toBe(!isFound);
  });

  test("takes the first of several questions", async () => {
    expect((await readPage(as.anyone, "/docs?q=minotaur&q=zzzz")).text).toContain("h-minotaur");
    expect(heading(await readPage(as.anyone, "/docs?q="))).toBe("Documentation");
  });
});

describe("getGuidePage", () => {
  test.each(guideNames)("shows %s in English with its title and its contents", async (name) => {
    const html = pages.get(guidePath(name))!;
    const [title] = (await readFile(guideFile(name), "utf8")).split("\n");
    expect(html).toContain(`<h1>${title!.slice(2)}</h1>`);
    expect(html).toContain('<article lang="en"');
    expect(html).toMatch(/<meta name="description" content="[^"]{10,}"/);
    expect(html).toMatch(/aria-current="page"[^>]*>/);
    for (const [, id] of html.matchAll(/<h2 id="(h-[^"]*)"/g))
      if (html.includes("guide-contents")) expect(linksIn(html)).toContain(`#${id}`);
  });

  test("has no link that leads nowhere", async () => {
    const dead: string[] = [];
    for (const [path, html] of pages) {
      expect(articleOf(html)).not.toMatch(/<a [^>]*>\s*<a |<a>/);
      for (const link of linksIn(articleOf(html)).filter((each) => !/^(?:https?|mailto):/.test(each))) {
        const [target, anchor] = link.split("#");
        const address = target === "" ? path : target!;
        if (!pages.has(address)) {
          const reply = await as.anyone.get(address, { headers: { accept: "text/html" } });
          pages.set(address, reply.status === 200 ? reply.text : "");
        }
        const there = pages.get(address)!;
        if (there === "" || (anchor && !there.includes(` id="${anchor}"`))) dead.push(`${path}: ${link}`);
      }
    }
    expect(dead).toEqual([]);
  });

  test("comes from a document whose links to other files exist", async () => {
    const missing: string[] = [];
    for (const name of guideNames) {
      const text = await readFile(guideFile(name), "utf8");
      for (const [, target] of text.matchAll(/\]\(([^()\s#]+)[^()\s]*\)/g))
        if (!/^(?:https?:|mailto:|\/)/.test(target!) && !existsSync(new URL(target!, guideFile(name))))
          missing.push(`${name}: ${target}`);
    }
    expect(missing).toEqual([]);
  });

  test("links to other guides, to their parts and to the API reference, with the address of this site", () => {
    const ci = pages.get("/docs/publishing-from-ci")!;
    expect(ci).toContain('<a href="/docs/command-line#h-shelf-json"><code>shelf.json</code></a>');
    expect(ci).toContain(resources.config.http.url);
    expect(ci).not.toContain("https://mods.example.org");
    expect(linksIn(articleOf(pages.get("/docs/statistics")!))).toContain("/api/docs/statistics#getStatistics");
    // Operators read about a site of their own.
    expect(pages.get("/docs/ten-minutes")).toContain("MODSHELF_URL=https://mods.example.org");
    // The design is not served.
    const search = linksIn(articleOf(pages.get("/docs/search")!));
    expect(search.filter((link) => link.includes("design"))).toEqual([]);
    expect(search).toContain("/api/docs#searchProjects");
  });

  test.each(["nonsense", "glossary", "translating", "..%2FREADME", "decisions", "command-line.md", "constructor"])(
    "answers 404 to %s",
    async (name) => {
      const page = await readPage(as.anyone, `/docs/${name}`);
      expect([page.status, /<h1[ >]/.test(page.text)]).toEqual([404, true]);
    },
  );

  test("is sent to guests without a database statement, and as 304 to those who have it", async () => {
    const first = await as.anyone.get("/docs/search", { headers: { accept: "text/html" } });
    const headers = { accept: "text/html", "if-none-match": first.headers.get("etag")! };
    let again = first;
    const ask = async () => {
      again = await as.anyone.get("/docs/search", { headers });
    };
    expect(await countStatements(resources.db, ask)).toBe(0);
    expect([again.status, again.text]).toEqual([304, ""]);
  });

  test("has a frame in the language of the visitor, for members too", async () => {
    const german = await as.user(await make.user()).get("/docs/search", {
      headers: { accept: "text/html", "accept-language": "de" },
    });
    for (const text of ["Auf dieser Seite", "Für Betreiber", "Diese Seiten sind auf Englisch."])
      expect(german.text).toContain(text);
    expect(pages.get("/docs/search")).toContain('<a href="/docs">Documentation</a>');
  });
});

test("the sitemap lists the documentation", async () => {
  const { text } = await as.anyone.get("/sitemaps/pages-1.xml");
  for (const path of ["/docs", ...guideNames.map(guidePath)])
    expect(text).toContain(`<loc>${resources.config.http.url}${path}</loc>`);
});
