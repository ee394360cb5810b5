// Law: comments, messages, test titles and documents are in plain English (docs/glossary.md has the words).
import { describe, expect, test } from "vitest";
import { type Prose, proseOf } from "./prose.js";
import { listFiles, readText } from "./source-code.js";

interface Banned {
  what: string;
  form: RegExp;
  instead: string;
  /** Every kind of text, unless it is said. */
  kinds?: readonly Prose["kind"][];
  caught: string[];
  passed: string[];
}

/** A sentence ends before the next one starts with a capital letter. */
const sentenceStart = (words: string): RegExp =>
  new RegExp(String.raw`(?:^|[.!?:]["”)]?\s+)(?:${words})\b[^?]*?(?:[.!;]|$)`);

const sentences = ["comment", "string", "title", "paragraph"] as const;

const banned: Banned[] = [
  {
    what: "he, his, him",
    form: /\b(?:he|his|him|himself|she|hers|herself)\b/i,
    instead: "the user, the caller, they",
    caught: ["The token belongs to the user and to his project.", "until he signs in"],
    passed: ["the user and their project", "this history", "The caches", "hear, hero, hint"],
  },
  {
    what: "whoever",
    form: /\b(?:whoever|whosoever|whomever)\b/i,
    instead: "anyone who, the caller that",
    caught: ["whoever holds the lock"],
    passed: ["anyone who holds the lock"],
  },
  {
    what: "nobody",
    form: /(?<!")\bnobody\b/i,
    instead: "no user, no one",
    caught: ["a file that nobody can read"],
    passed: ["a file that no one can read", 'the user "nobody" of the system'],
  },
  { what: "anew", form: /\banew\b/i, instead: "again, new", caught: ["It is built anew."], passed: ["a new one"] },
  {
    what: "for good",
    form: /\bfor good\b(?! (?:measure|reasons?)\b)/i,
    instead: "permanently",
    caught: ["The account is gone for good."],
    passed: ["for good reason", "for goods"],
  },
  {
    what: "in hand",
    form: /\bin (?:his |your |their |no )?hands?\b/i,
    instead: "claimed, held, available",
    caught: ["what you have in hand", "The project is in your hands."],
    passed: ["by hand", "in handy form"],
  },
  {
    what: "meanwhile",
    form: /\b(?:meanwhile|in the meantime)\b/i,
    instead: "while this ran, since then, at the same time",
    caught: ["The row was deleted meanwhile."],
    passed: ["The row was deleted while this ran."],
  },
  {
    what: "of theirs",
    form: /\bof (?:theirs|hers)\b/i,
    instead: "their",
    caught: ["a project of theirs"],
    passed: ["of their projects"],
  },
  {
    what: '"who" as a subject',
    form: sentenceStart("Who|Whom|Whose"),
    kinds: sentences,
    instead: "A user who …, The caller that …",
    caught: ["Who signs in gets a cookie.", "It waits. Who comes later gets the same."],
    passed: ["Who may read this?", "Users who sign in get a cookie.", "It is open: WhoIs answers."],
  },
  {
    what: '"what" as a subject',
    form: sentenceStart("What|Whatever"),
    kinds: sentences,
    instead: "the noun itself: The settings that …",
    caught: ["What is not asked for is not sent.", "It ends. What was written stays."],
    passed: ["What is this?", "This says what is sent.", "Whatsoever"],
  },
  {
    what: '"of" as a beginning',
    form: sentenceStart("Of(?! course)"),
    kinds: sentences,
    instead: "a subject first: Each user has …",
    caught: ["Of each user, the newest.", "Of two the older wins."],
    passed: ["Of course it fails.", "The newest of each user.", "Often"],
  },
  {
    what: '"those" as a subject',
    form: sentenceStart("Those(?! are\\b)"),
    kinds: sentences,
    instead: "the noun itself: The versions that …",
    caught: ["Those that were deleted.", "Those of the user."],
    passed: ["The versions that were deleted.", "It waits for those."],
  },
  {
    what: "a title that starts with who, what, of or those",
    form: /^(?:(?:who|of|those|whose)\b|what (?!\w+ (?:do|does|is|are)\b.*\?))/i,
    kinds: ["title"],
    instead: "the subject first: a user who …, a file that …",
    caught: ["who signs in gets a cookie", "what is deleted stays deleted", "of two the older wins"],
    passed: ["a user who signs in gets a cookie", "often"],
  },
];

/** Files that are the table above, or data and not sentences of this project. */
const data: Record<string, string> = {
  "test/laws/plain-english.test.ts": "the banned words themselves",
  "test/examples/content.ts": "made-up projects of the examples in the reference",
  "test/worlds/search-corpus.ts": "made-up projects that are searched",
  "bench/search-corpus.mjs": "made-up projects that are searched",
};

/** Their words are not English. */
const otherLanguages = /^server\/src\/words\/(?!en\/)\w+\//;

const findBreaches = (prose: readonly Prose[]) =>
  prose.flatMap(({ line, text, kind }) => {
    const words = text.replace(/\s+/g, " ");
    return banned
      .filter(({ kinds }) => kinds?.includes(kind) ?? true)
      .flatMap(({ what, form, instead }) => {
        const match = form.exec(words);
        return match ? [{ line, what, instead, match: match[0].slice(0, 60) }] : [];
      });
  });

const breaches = [
  ...["server/src", "packages/client/src", "test", "scripts", "bench"].flatMap((folder) =>
    listFiles(folder, [".ts", ".tsx", ".mjs", ".md"]),
  ),
  ...listFiles("docs", [".md"]),
  ...["ARCHITECTURE", "CHANGELOG", "CONTRIBUTING", "README", "SECURITY"].map((name) => `${name}.md`),
  "vitest.config.ts",
]
  .filter((path) => !(path in data) && !otherLanguages.test(path))
  .flatMap((path) => findBreaches(proseOf(path, readText(path))).map((breach) => ({ path, ...breach })));

test("comments, messages, test titles and documents are in plain English", () => {
  expect(breaches.map(({ path, line, match, instead }) => `${path}:${line} "${match}": write ${instead}`)).toEqual([]);
});

describe("the law itself", () => {
  const isCaught = ({ form }: Banned, text: string): boolean => form.test(text);

  test.each(banned)("catches $what", (row) => {
    expect(row.caught.filter((text) => !isCaught(row, text))).toEqual([]);
    expect(row.passed.filter((text) => isCaught(row, text))).toEqual([]);
  });

  test("reads comments, strings and titles of a program, but no patterns, names and values", () => {
    const program = [
      "// The first line of a comment",
      "// continues here.",
      'const kind = "anew"; const form = /he and his/;',
      "const text = `The user $" + "{name} signs in`;",
      'test.each(rows)("a title of a test", () => {});',
    ].join("\n");
    expect(proseOf("a.ts", program)).toEqual([
      { line: 1, text: "The first line of a comment continues here.", kind: "comment" },
      { line: 4, text: "The user ", kind: "string" },
      { line: 4, text: " signs in", kind: "string" },
      { line: 5, text: "a title of a test", kind: "title" },
    ]);
  });

  test("reads paragraphs, items and cells of a document, but no code", () => {
    const document = "# Title\n\nOne\nparagraph with `his code`.\n\n```\nhe\n```\n- An item\n- Another\n\n| A | B |\n";
    expect(proseOf("a.md", document)).toEqual([
      { line: 1, text: "Title", kind: "heading" },
      { line: 3, text: "One\nparagraph with `code`.", kind: "paragraph" },
      { line: 9, text: "An item", kind: "paragraph" },
      { line: 10, text: "Another", kind: "paragraph" },
      { line: 12, text: "A", kind: "paragraph" },
      { line: 12, text: "B", kind: "paragraph" },
    ]);
  });
});
