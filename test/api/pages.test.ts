// Law: every page exists for its audience, uses the requested language, and protects its forms.
import { describe, expect, test } from "vitest";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { version } from "#lib/version.js";
import { write } from "#platform/changes/write.js";
import type { Reply } from "#test/callers/actors.js";
import { testApp } from "#test/server/harness.js";
import { sampleForEngine } from "#test/setup/long.js";
import { type SitePage, siteWorld, userWord, type Who } from "#test/worlds/site-world.js";
import { categoryName } from "#web/context/category-names.js";
import { needsToken } from "#web/context/form-token.js";
import { tagName } from "#web/context/tag-names.js";
import { shapes } from "#web/icons/shapes.js";
import { languages, locales, wordsIn } from "#words/languages.js";

const world = await testApp();
const { people, pages } = await siteWorld(world);
const actorOf = (who: Who) => (who === "guest" ? world.as.anyone : world.as.user(people[who]));

const look = ({ path, who }: SitePage, locale = "en"): Promise<Reply> =>
  actorOf(who).get(path, { headers: { accept: "text/html", "accept-language": locale } });

test.each(pages)("$id ($path) exists", async (page) => {
  const reply = await look(page);
  expect(reply.status).toBe(page.status);
  expect(reply.text.match(/<h1[ >]/g)).toHaveLength(1);
  expect(reply.text).toMatch(/<html lang="en"/);
  const policy = reply.headers.get("content-security-policy")!.split("; ");
  for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "base-uri 'none'"])
    expect(policy).toContain(rule);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy.join()).not.toMatch(/unsafe|\*/);
  expect(reply.text).not.toMatch(
    /<[^>]* (?:style|on\w+)="|<script(?! type="(?:module" src="\/assets\/|application\/ld\+json"))/,
  );
  for (const [tag, action, inside] of reply.text.matchAll(
    /<form(?=[^>]* method="post")[^>]* action="([^"]*)"[^>]*>(.{0,80})/gs,
  ))
    expect(inside!.startsWith('<input type="hidden" name="form-token"') || !needsToken(action!), tag).toBe(true);
});

/** The visible texts of a page; without code, times, users' texts and texts with their own language. */
function visibleTexts(html: string): string[] {
  const body = html
    .slice(html.indexOf("<body"))
    .replace(/<(code|pre|time|script|kbd|samp|textarea)[ >].*?<\/\1>/gs, " ")
    // A place where a line may break does not end a text.
    .replace(/<wbr[^>]*>/g, "")
    .replace(/\n/g, " ");
  const withoutForeign = body.replace(/<(section|ul|article|div|td|dd) [^>]*lang="en"[^>]*>.*?<\/\1>/gs, " ");
  const labels = [...withoutForeign.matchAll(/ (?:aria-label|title|placeholder|alt)="([^"]+)"/g)].map(
    ([, text]) => text!,
  );
  const texts = withoutForeign.replace(/<[^>]*>/g, "\n").split("\n");
  return [...texts, ...labels].map((text) => decode(text).trim()).filter((text) => /\p{L}{2}/u.test(text));
}
const decode = (text: string): string =>
  text
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, "&");

/** Names that are the same in every language: of the taxonomy, of custom roles, of programs, of audit targets, of units. */
const names = new Set([
  ...["Owner", "Member", "UTC", "jar", "Modshelf", `Modshelf ${version}`],
  ...["GitHub Actions", "GitLab.com", "GitLab", "Discord", "Google", "taxonomy", "KiB", "MiB", "GiB", "TiB"],
  // Icons are named as in the taxonomy's document.
  ...Object.keys(shapes),
  ...locales.map((locale) => languages[locale].name),
]);
const taxonomy = await getTaxonomy(world.resources);
for (const list of ["loaders", "categories", "licenses/featured"])
  for (const { name } of (await world.as.anyone.get(`/api/tags/${list}`)).body)
    for (const form of [
      name,
      tagName(name),
      taxonomy.loaderLabel(name),
      ...locales.map((each) => categoryName(name, each)),
    ])
      names.add(form);

for (const { name, licenseId } of taxonomy.ownLicenses) for (const form of [name, licenseId]) names.add(form);

type Words = { readonly [key: string]: unknown };

function* pairsOf(english: Words, other: Words): Generator<[string, string]> {
  for (const [key, value] of Object.entries(english)) {
    const twin = other[key];
    if (typeof value === "string") yield [value, String(twin)];
    else if (typeof value === "object" && value !== null) yield* pairsOf(value as Words, twin as Words);
  }
}

describe.each(locales.filter((locale) => locale !== "en"))("in %s", (locale) => {
  const pairs = [...pairsOf(wordsIn("en"), wordsIn(locale))];
  const others = new Set(pairs.map(([, text]) => text));
  const onlyEnglish = new Set(pairs.map(([text]) => text).filter((text) => !others.has(text)));

  test("catalogues are complete", () => {
    expect(onlyEnglish.size).toBeGreaterThan(1000);
    for (const [english, text] of pairs) expect(text.trim() === "", english).toBe(english.trim() === "");
  });

  test.each(sampleForEngine(pages))("$id ($path) has no English sentence", async (page) => {
    const reply = await look(page, locale);
    expect(reply.text).toContain(`<html lang="${languages[locale].tag}"`);
    const texts = visibleTexts(reply.text).filter((text) => !names.has(text));
    expect(texts.filter((text) => onlyEnglish.has(text))).toEqual([]);
  });
});

describe("every visible word", () => {
  const marked = (text: string) => `⟦${text}⟧`;

  /** The German words of the whole site in brackets, while the test runs. */
  function mark(words: Record<string, unknown>): () => void {
    const undo = Object.entries(words).map(([key, value]) => {
      if (typeof value === "string") words[key] = marked(value);
      else if (typeof value === "function")
        words[key] = (...parts: unknown[]) => {
          const made = value(...parts);
          return typeof made === "string" ? marked(made) : made;
        };
      else if (typeof value === "object" && value !== null) return mark(value as Record<string, unknown>);
      return () => {
        words[key] = value;
      };
    });
    return () => {
      for (const step of undo) step();
    };
  }

  /** Parts that depend only on the taxonomy are rendered once. */
  const renderAgain = () =>
    write(world.resources, { credential: "test" }, async (tx) => tx.changed("taxonomy", "other words"));

  test("comes from a catalogue, unless a user wrote it", async () => {
    const undo = mark(wordsIn("de") as unknown as Record<string, unknown>);
    await renderAgain();
    const found: string[] = [];
    try {
      for (const page of sampleForEngine(pages).filter(({ id }) => !otherwiseKnown.has(id))) {
        const reply = await look(page, "de");
        // A sentence with links in it is one text.
        const joined = reply.text.replace(/⟦[^⟦⟧]*⟧/g, (sentence) => sentence.replace(/<[^>]*>/g, ""));
        for (const text of visibleTexts(joined)) {
          if (/\p{L}{3}/u.test(unmarked(text))) found.push(`${page.id}: ${text}`);
        }
      }
    } finally {
      undo();
      await renderAgain();
    }
    expect([...new Set(found)]).toEqual([]);
  });

  /** Their words come from rendered Markdown, from lists of SPDX, or from test/laws/translation.test.ts. */
  const otherwiseKnown = new Set([
    ...["getLegalPage", "getMarkdownPage", "getLicenseSettingsPage", "getApiReference", "getScanPage"],
    ...["getAdminPage", "getAdminCheckPage", "getAdminTaxonomyPage", "getAdminAuditPage"],
  ]);

  /** Removes texts that need no translation: names of a loader, a file, a scope, a URL. */
  function unmarked(text: string): string {
    let rest = text;
    for (let before = ""; before !== rest; ) {
      before = rest;
      rest = rest.replace(/⟦[^⟦⟧]*⟧/g, " ");
    }
    if (names.has(rest.trim())) return "";
    // Dates and lists that Intl formats.
    return rest
      .replace(/\d+\. \p{L}+ \d{4}( um)?|\bund\b/gu, " ")
      .split(/[\s,()]+/)
      .filter((word) => !word.toLowerCase().startsWith(userWord.toLowerCase()) && !isName(word))
      .join(" ");
  }

  const isName = (word: string): boolean =>
    /[\d_@/]/.test(word) ||
    names.has(word) ||
    [...names].some((name) => name.includes(" ") && name.split(" ").includes(word));
});
