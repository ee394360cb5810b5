import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "#test/callers/any-character.js";
import {
  fold,
  toIndexedWords,
  toKey,
  toNameWords,
  toQueryWords,
  toTextWords,
  toWordList,
  toWordText,
} from "./words.js";

const asked = (text: string) => toQueryWords(text).map((word) => word.text);
const indexed = (text: string) => [...new Set(toIndexedWords(text))];

describe("a query", () => {
  test.each([
    ["Better  Grass", ["better", "grass"]],
    ["better-grass_blocks.v2", ["better", "grass", "blocks", "v2"]],
    ["Grass GRASS grass", ["grass"]],
    ["Café DÉCOR", ["cafe", "decor"]],
    ["Größe Straße", ["grosse", "strasse"]],
    ["ŁÓDŹ Ærø", ["lodz", "aero"]],
    ["İstanbul ıssız", ["istanbul", "issiz"]],
    ["ΟΔΟΣ οδος", ["οδοσ"]],
    ["Звёздный", ["звездныи"]],
    ["ﬁne Ｆｕｌｌ ①", ["fine", "full", "1"]],
    ["don't l’eau", ["dont", "leau"]],
    ["512x+ C++ #1", ["512x", "c", "1"]],
    ['a*b? "c" (d) e:f ^g ~h {i} [j] \\k |l', [..."abcdefghijkl"]],
    ["AND OR NOT NEAR", ["and", "or", "not", "near"]],
    ["🔥 hot 🔥", ["🔥", "hot"]],
    ["x".repeat(64), ["x".repeat(40)]],
    ["中", ["中"]],
    ["中文", ["中文"]],
    ["中文说明", ["中文说", "文说明"]],
    ["Sodium中文版2", ["sodium", "中文版", "2"]],
    ["サクラ", ["サクラ"]],
    ["ｻｸﾗ", ["サクラ"]],
    ["한국어", ["한국어"]],
    ["ตลาด", ["ตลา", "ลาด"]],
    ["𠮷野家", ["𠮷野家"]],
    ["   \t\n", []],
    ["!?…-_*\"'`%\0", []],
    ["\ud800 lone \udfff", ["lone"]],
  ])("%j is the words %j", (text, words) => {
    expect(asked(text)).toEqual(words);
  });

  test("distinguishes pieces of unspaced writing from words", () => {
    expect(toQueryWords("Mod 模组")).toEqual([
      { text: "mod", isPiece: false },
      { text: "模组", isPiece: true },
    ]);
  });
});

describe("indexed text", () => {
  test("is found by every part of unspaced writing", () => {
    const text = "让画面更流畅的光影材质";
    const words = new Set(indexed(text));
    for (let start = 0; start < text.length; start++)
      for (let end = start + 1; end <= text.length; end++)
        expect([...words], text.slice(start, end)).toEqual(expect.arrayContaining(asked(text.slice(start, end))));
  });

  test("has a contraction as one word and as two", () => {
    expect(indexed("Xaero's Map")).toEqual(["xaero", "s", "map", "xaeros"]);
  });

  test("is found by any of its words, in any spelling", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        const words = new Set(toIndexedWords(text));
        for (const { text: word } of toQueryWords(text)) expect(words, JSON.stringify(text)).toContain(word);
      }),
    );
  });

  test("contains only letters, digits and signs, and nothing that a query language interprets", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
        for (const word of [...toIndexedWords(text), ...asked(text)])
          expect(word).toMatch(/^[\p{L}\p{N}\p{M}\p{So}]+$/u);
      }),
    );
  });

  test("is the same on the fast path for plain text and on the general path", () => {
    const plain = fc.string({ unit: fc.constantFrom(..."aZ09 -_.,!?()\n"), maxLength: 40 });
    fc.assert(
      fc.property(plain, (text) => {
        // An accent forces the general path, where it is removed.
        expect(indexed(`${text} e`)).toEqual(indexed(`${text} é`));
        expect(toQueryWords(`${text} e`)).toEqual(toQueryWords(`${text} é`));
        expect(toKey(`${text}e`)).toBe(toKey(`${text}é`));
      }),
    );
  });
});

describe("a name", () => {
  test("is found by the parts of a word with capitals inside", () => {
    expect([...new Set(toNameWords("IronFurnaces HDTextures"))]).toEqual([
      "ironfurnaces",
      "hdtextures",
      "iron",
      "furnaces",
      "hd",
      "textures",
    ]);
  });

  test.each([
    ["Better Grass", "bettergrass"],
    ["better-grass", "bettergrass"],
    ["BetterGrass!", "bettergrass"],
    ["Xaero's Map", "xaerosmap"],
    ["光影 优化包", "光影优化包"],
    ["***", ""],
  ])("%j as one word is %j", (name, key) => {
    expect(toKey(name)).toBe(key);
  });
});

describe("a description", () => {
  test("is its text, without URLs and tags", () => {
    const markdown =
      '# Title\n<img src="https://i.example/secret1.png" alt="x">\nSee [the wiki](https://example.com/secret2 "tip") or https://example.com/secret3 **now**.';
    const words = toTextWords(markdown);
    expect([...words]).toEqual(expect.arrayContaining(["title", "see", "the", "wiki", "or", "now"]));
    expect([...words].filter((word) => word.includes("secret"))).toEqual([]);
  });

  test("is the same as a text for an engine that splits ASCII texts at everything but letters and digits", () => {
    const word = fc.stringMatching(/^[A-Za-z0-9]{1,60}$/);
    const texts = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string(),
      word,
      fc.constantFrom("don't", "_", "\n", "é"),
    );
    fc.assert(
      fc.property(fc.array(texts), fc.constantFrom("", " ", "-"), (parts, between) => {
        const markdown = parts.join(between);
        // As the tokenizer "ascii" of FTS5.
        const found =
          toWordText(markdown)
            .toLowerCase()
            .match(/[a-z0-9\u0080-\u{10ffff}]+/gu) ?? [];
        expect(new Set(found)).toEqual(toTextWords(markdown));
      }),
    );
  });

  test("has each word of a plain text once, of whatever length the text is", () => {
    const word = fc.stringMatching(/^[A-Za-z0-9]{1,45}$/);
    const texts = fc.array(fc.oneof(word, fc.constantFrom("the", "The", "THE", "a", "x9")), { maxLength: 3000 });
    fc.assert(
      fc.property(texts, fc.constantFrom(" ", ", ", "\n", "\u00a0", "\u3000", "_"), (words, between) => {
        const text = words.join(between);
        expect([...toTextWords(text)]).toEqual(indexed(text));
        expect(new Set(toWordList(text).split(" ").filter(Boolean))).toEqual(new Set(indexed(text)));
      }),
      { numRuns: 50 },
    );
    expect(toWordList("Grass, grass and GRASS! 2x2")).toBe("grass and 2x2");
    expect([toWordList(""), toWordList(" - ")]).toEqual(["", ""]);
    const numbers = Array.from({ length: 9000 }, (_, n) => n.toString(36));
    expect([...toTextWords([...numbers, ...numbers].join(" "))].sort()).toEqual(numbers.toSorted());
  });

  test("from any input stays below a database's limit for one document", () => {
    const letters = Array.from({ length: 65_256 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000)));
    const words = [...toTextWords(letters.join(""))];
    expect(words.length).toBeGreaterThan(10_000);
    expect(words.reduce((sum, word) => sum + Buffer.byteLength(word), 0)).toBeLessThan(400_000);
  });

  test.each(["<".repeat(60_000), "](".repeat(30_000), "<a ".repeat(20_000), "[x](".repeat(15_000), "ﷺ".repeat(60_000)])(
    "with only opening brackets and tags is fast: %#",
    (hostile) => {
      expect(toTextWords(hostile).size).toBeLessThan(40_000);
    },
  );
});

test("folding a folded text changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(fold(fold(text))).toBe(fold(text));
    }),
  );
});
