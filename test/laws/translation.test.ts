// Law: every text of the site is in the catalogues of words, in every language, and every text there is used.
import { describe, expect, test } from "vitest";
import { routes } from "#app.js";
import * as messages from "#platform/mail/messages.js";
import { type Locale, locales, wordsIn } from "#words/languages.js";
import { Said, say, sayIn } from "#words/said.js";
import { serverFiles } from "./source-code.js";

type Tree = { readonly [key: string]: unknown };
const others = locales.filter((locale) => locale !== "en");

/** Every text of a catalogue with the keys that lead to it. */
function* textsOf(tree: Tree, path: readonly string[] = []): Generator<[readonly string[], unknown]> {
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === "object" && value !== null) yield* textsOf(value as Tree, [...path, key]);
    else yield [[...path, key], value];
  }
}

const english = [...textsOf(wordsIn("en"))];
const find = (locale: Locale, path: readonly string[]): unknown =>
  path.reduce<unknown>((tree, key) => (tree as Tree)[key], wordsIn(locale));

describe.each(others)("the catalogue of %s", (locale) => {
  test("has a text wherever English has one", () => {
    const wrong = english.filter(([path, text]) => {
      const twin = find(locale, path);
      return typeof twin !== typeof text || (typeof text === "string" && (text === "") !== (twin === ""));
    });
    expect(english.length).toBeGreaterThan(2000);
    expect(wrong.map(([path]) => path.join("."))).toEqual([]);
  });
});

test.each(locales)("a reason has the same name on every page in %s", (locale) => {
  const { dashboard, moderation, projectSettings, reports } = wordsIn(locale);
  expect(dashboard.overview.reportTypes).toEqual(reports.report.reasons);
  expect(moderation.desk.reportTypes).toEqual(reports.report.reasons);
  expect(projectSettings.moderation.reasons).toEqual(moderation.check.titles);
});

describe("a sentence", () => {
  test("is English for programs and has the language of the page for people, its parts included", () => {
    const said = say.refusals.imageUnusable(say.files.notDecoded);
    expect(JSON.stringify({ said })).toBe('{"said":"The picture cannot be used: it cannot be decoded."}');
    expect(said.in("de")).toBe("Das Bild lässt sich nicht verwenden: Es lässt sich nicht lesen.");
    expect(say.refusals.nameReserved("api").in("de")).toBe("Der Name „api“ ist reserviert. Wähle einen anderen.");
    expect(sayIn("de", "said by a library")).toBe("said by a library");
  });

  /** Sentences of schemas, wherever they are in one. */
  function* hintsIn(schema: unknown): Generator<unknown> {
    if (typeof schema !== "object" || schema === null || schema instanceof Said) return;
    const hint = (schema as Tree)["x-problem"];
    if (hint !== undefined) yield hint;
    for (const part of Object.values(schema)) yield* hintsIn(part);
  }

  test("in a schema has a code", () => {
    const hints = new Set(routes.flatMap(({ endpoint }) => [...hintsIn(endpoint.body), ...hintsIn(endpoint.query)]));
    expect(hints.size).toBeGreaterThan(10);
    expect([...hints].filter((hint) => !(hint instanceof Said))).toEqual([]);
  });

  test("in a feature is in the catalogues", () => {
    const literals = serverFiles()
      .filter(({ path }) => !/^server\/src\/(?:words|cli|config|operations\/(?:verification|demo))\//.test(path))
      .flatMap(({ path, code }) =>
        [
          ...code.matchAll(
            /(?:\bmessage: |\breason: |\bfail\.\w+\(\s*|IdentityRefused\(\s*)("[^"]+"|`[^`]+`|'[^']+')/g,
          ),
        ].map(([, literal]) => `${path}: ${literal}`),
      )
      .filter((text) => / .* /.test(text) && !notTranslated.some((path) => text.startsWith(path)));
    expect(literals).toEqual([]);
  });

  /** These speak English to operators and programs, or are the moderators' own words in a conversation. */
  const notTranslated = [
    "server/src/moderation/desk/reasons.ts",
    "server/src/web/docs/",
    "server/src/operations/health/routes.ts",
  ];
});

test("every action of the audit log has a sentence", () => {
  const actions = new Set(
    serverFiles().flatMap(({ code }) =>
      [...code.matchAll(/\.audit\(([^{]*)\{/g)].flatMap(([, before]) =>
        [...before!.matchAll(/"([a-z][\w.-]+\.[\w.-]+)"/g)].map(([, action]) => action!),
      ),
    ),
  );
  const sentences = wordsIn("en").audit.log.sentences;
  expect(actions.size).toBeGreaterThan(80);
  expect([...actions].filter((action) => !Object.hasOwn(sentences, action))).toEqual([]);
});

test("every text is used", () => {
  const code = serverFiles()
    .filter(({ path }) => !path.startsWith("server/src/words/"))
    .map(({ text }) => text)
    .join("\n");
  const named = new Set(code.match(/[\w$-]+/g));
  // Categories are named by the taxonomy, which is data.
  const chosenByName = new Set(["categories"]);
  for (const [, name] of code.matchAll(/\.(\w+)\)?(?:\s+as [^)]+\))?\??\.?\[/g)) chosenByName.add(name!);
  const unused = english.filter(
    ([path]) => !named.has(path.at(-1)!) && !path.slice(0, -1).some((key) => chosenByName.has(key)),
  );
  expect(unused.map(([path]) => path.join("."))).toEqual([]);
});

test.each(others)("every mail is in %s from the greeting to the end", (locale) => {
  const everything = {
    ...{ siteUrl: "https://mods.example", userName: "Qx", code: "Qx", validMinutes: 90, name: "Qx", invitedBy: "Qx" },
    ...{ browser: null, system: null, address: null, when: "Qx", daysLeft: 3, expires: "Qx", outcome: "other" },
    ...{ message: "", otherName: "Qy" },
  };
  for (const [name, make] of Object.entries(messages) as [string, (input: never) => messages.MailText][]) {
    const first = make(everything as never);
    const other = make({ ...everything, locale } as never);
    expect(make({ ...everything, locale: null } as never), name).toEqual(first);
    expect(other.subject, name).not.toBe(first.subject);
    const before = first.text.split("\n\n");
    for (const [at, paragraph] of other.text.split("\n\n").entries())
      if (!/^(?:https:\S+|-- \n.*)$/s.test(paragraph)) expect(paragraph, name).not.toBe(before[at]);
  }
});
