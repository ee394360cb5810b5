// Law: what the service says in English, the pages and mails can say in German as well.
import { describe, expect, test } from "vitest";
import { routes } from "#app.js";
import { settings } from "#config/config.js";
import { archiveProblems, toMessage } from "#platform/archives/problems.js";
import { mailIn } from "#platform/mail/german.js";
import * as messages from "#platform/mail/messages.js";
import { refusalsDe } from "#web/translation/refusals-de.js";
import { refusalTemplates, sentenceIn, settingIn } from "#web/translation/sentences.js";
import { serverFiles } from "./source-code.js";

const placesIn = (text: string): string[] => [...new Set(text.match(/\{\d\}/g) ?? [])].sort();
const isTranslated = (text: string): boolean => sentenceIn("de", text) !== text;

describe("refusals", () => {
  test.each(refusalTemplates.filter(([code]) => code !== "wrongState"))("%s", (code, english) => {
    const german = refusalsDe[code];
    expect(german, `translation/refusals-de.ts lacks ${code}: ${english}`).toBeDefined();
    for (const place of placesIn(german!)) expect(placesIn(english)).toContain(place);
  });

  test("are found with their parts in place, and with the reason in German too", () => {
    expect(sentenceIn("de", 'The name "api" is reserved; choose another')).toBe(
      "Der Name „api“ ist reserviert; wähle einen anderen",
    );
    expect(sentenceIn("de", "The picture cannot be used: it cannot be decoded")).toBe(
      "Das Bild lässt sich nicht verwenden: Es lässt sich nicht lesen",
    );
    expect(sentenceIn("de", "Must be 2 to 32 letters, digits, _ or -")).toMatch(/^Muss aus 2 bis 32/);
    expect(sentenceIn("en", "is missing")).toBe("is missing");
    expect(sentenceIn("de", "something that nobody says")).toBe("something that nobody says");
  });
});

/** Sentences of schemas, wherever they are in one. */
function* hintsIn(schema: unknown): Generator<string> {
  if (typeof schema !== "object" || schema === null) return;
  const hint = (schema as Record<string, unknown>)["x-problem"];
  if (typeof hint === "string") yield hint;
  for (const part of Object.values(schema)) yield* hintsIn(part);
}

test("what schemas say of themselves", () => {
  const hints = new Set(routes.flatMap(({ endpoint }) => [...hintsIn(endpoint.body), ...hintsIn(endpoint.query)]));
  expect(hints.size).toBeGreaterThan(10);
  expect([...hints].filter((hint) => !isTranslated(hint))).toEqual([]);
});

test("what features say at fields and about states", () => {
  const said = serverFiles()
    .filter(({ path }) => !/^server\/src\/(?:words|web|cli|config|verification|demo|badges|operations)\//.test(path))
    .flatMap(({ path, text }) =>
      [
        ...text.matchAll(/(?:\bmessage: |wrongState\(\s*)("[^"]+"|`[^`]+`|'[^']+')/g),
        ...text.matchAll(/reason: ("[^"]+"|`[^`]+`)/g),
      ].map(([, literal]) => ({ path, text: literal!.slice(1, -1).replace(/\$\{[^}]*\}/g, "7") })),
    )
    .filter(({ path, text }) => / /.test(text) && !notForPages.has(path));
  expect(said.length).toBeGreaterThan(60);
  expect(said.filter(({ text }) => !isTranslated(text))).toEqual([]);
});

/** What they say is for programs, or goes into a conversation as the moderators' own words. */
const notForPages = new Set(["server/src/moderation/desk/reasons.ts"]);

test("what is wrong with an archive, with and without the place", () => {
  for (const problem of archiveProblems) {
    expect(isTranslated(toMessage(problem)), problem).toBe(true);
    expect(sentenceIn("de", toMessage(problem, "12 of 10", ["a.jar", "b.class"]))).toContain('"a.jar" → "b.class"');
  }
});

test.each(settings.map((setting) => [setting.name, setting] as const))("the setting %s", (_name, setting) => {
  expect(settingIn("de", setting)).not.toBe(setting.description);
  expect(settingIn("en", setting)).toBe(setting.description);
  expect(isTranslated(setting.group), setting.group).toBe(true);
});

test("every mail is German from the greeting to the end", () => {
  const everything = {
    ...{ siteUrl: "https://mods.example", userName: "Qx", code: "Qx", validMinutes: 90, name: "Qx", invitedBy: "Qx" },
    ...{ device: "Qx", address: "Qx", when: "Qx", daysLeft: 3, expires: "Qx", outcome: "other", message: "" },
  };
  for (const [name, make] of Object.entries(messages) as [string, (input: never) => messages.MailText][]) {
    const english = make(everything as never);
    const german = mailIn("de", english);
    expect(mailIn("en", english), name).toEqual(english);
    expect(mailIn(null, english), name).toEqual(english);
    expect(german.subject, name).not.toBe(english.subject);
    const before = english.text.split("\n\n");
    for (const [at, paragraph] of german.text.split("\n\n").entries())
      if (!/^(?:https:\S+|-- \n.*)$/s.test(paragraph)) expect(paragraph, name).not.toBe(before[at]);
  }
});
