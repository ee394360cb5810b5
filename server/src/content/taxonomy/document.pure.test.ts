import { describe, expect, test } from "vitest";
import { parseTaxonomy, type TaxonomyDocument } from "./document.js";
import { readDefaultTaxonomy, readDefaultTaxonomyText } from "./taxonomy.js";

function problemsOf(text: string) {
  const parsed = parseTaxonomy(text, "shelf.yaml");
  return parsed.ok ? [] : parsed.problems.map((problem) => ({ ...problem, message: `${problem.message}` }));
}

function documentOf(text: string): TaxonomyDocument {
  const parsed = parseTaxonomy(text, "shelf.yaml");
  if (!parsed.ok) throw new Error(parsed.report);
  return parsed.document;
}

/** A valid file with one section replaced (it then starts on line 2) or added (line 3). */
function fileWith(section: string): string {
  const key = section.slice(0, section.indexOf(":") + 1);
  const rest = ["projectTypes: [mod, world]", "gameVersions: [1.1, 1.0]"].filter((line) => !line.startsWith(key));
  return `${rest.join("\n")}\n${section}\n`;
}

describe("the default taxonomy", () => {
  test("is valid", () => {
    expect(problemsOf(readDefaultTaxonomyText())).toEqual([]);
  });

  test("is stored as JSON too, which every start reads (`npm run docs` writes it)", () => {
    const document = documentOf(readDefaultTaxonomyText());
    // As text: the order of keys counts, because the digest of a taxonomy is made of it.
    expect(JSON.stringify(readDefaultTaxonomy())).toBe(JSON.stringify(document));
  });

  test("holds every type, loader, category, license and version of the game", () => {
    const document = documentOf(readDefaultTaxonomyText());
    const countOf = (kind: string) => document.categories.filter((category) => category.kind === kind).length;
    expect({
      projectTypes: document.projectTypes.length,
      combinations: document.combinations.length,
      loaders: document.loaders.length,
      categories: ["category", "feature", "resolution", "performance_impact"].map(countOf),
      gameVersions: document.gameVersions.length,
      featured: document.licenses.featured.length,
    }).toEqual({
      projectTypes: 7,
      combinations: 3,
      loaders: 5,
      categories: [49, 18, 8, 5],
      gameVersions: 140,
      featured: 17,
    });
  });
});

describe("the taxonomy file of an operator", () => {
  test("needs only a name and a version; everything else has a default", () => {
    expect(documentOf("projectTypes: [mod]\ngameVersions: [1.0]\n")).toEqual({
      projectTypes: [
        {
          name: "mod",
          primaryFileTypes: ["jar", "zip", "7z", "gz", "tar"],
          clientSide: "chosen",
          serverSide: "chosen",
        },
      ],
      combinations: [],
      loaders: [],
      categories: [],
      defaultReleaseType: "release",
      gameVersions: [{ value: "1.0", major: false }],
      licenses: { spdx: true, featured: [], additional: [] },
    });
  });

  test("keeps every digit of version numbers without quotes", () => {
    const document = documentOf(fileWith("gameVersions: [1.20, 1.2, 1, 0x10, 1e3, 2024.10]"));
    expect(document.gameVersions.map(({ value }) => value)).toEqual(["1.20", "1.2", "1", "0x10", "1e3", "2024.10"]);
  });

  test("may be JSON", () => {
    const value = { projectTypes: ["mod"], gameVersions: ["1.0"], loaders: [{ name: "quilt", projectTypes: ["mod"] }] };
    const pretty = JSON.stringify(value, null, 2);
    expect(documentOf(pretty)).toEqual(documentOf(JSON.stringify(value)));
    const wrong = pretty.replace('"quilt"', '"Quilt!"');
    expect(problemsOf(wrong)).toMatchObject([{ line: 10, column: 15 }]);
  });

  test.each(["8x-", "512x+", "puzzle_loader", "a.b", "7", "n".repeat(32)])("may use the name %s", (name) => {
    const document = documentOf(fileWith(`categories: [{ name: ${name}, projectTypes: [mod] }]`));
    expect(document.categories[0]?.name).toBe(name);
  });

  test("may have Windows line ends and a byte order mark", () => {
    const text = `\ufeff${fileWith("loaders: [{ name: quilt, projectTypes: [mod, pack] }]")}`.replaceAll("\n", "\r\n");
    expect(problemsOf(text)).toMatchObject([{ line: 3, column: 46 }]);
  });

  test("may replace the SPDX list with its own license", () => {
    const document = documentOf(
      fileWith("licenses: { spdx: false, featured: [MIT], additional: [{ id: MIT, name: Ours }] }"),
    );
    expect(document.licenses).toEqual({ spdx: false, featured: ["MIT"], additional: [{ id: "MIT", name: "Ours" }] });
  });
});

// Each file has exactly one mistake; `line` is its line.
const mistakes: { what: string; file: string; line: number; column?: number; message: RegExp }[] = [
  // Not YAML
  { what: "an unclosed bracket", file: "gameVersions: [1.0\nprojectTypes: [mod]\n", line: 2, message: /bracket/ },
  { what: "an unclosed quote", file: 'projectTypes: ["mod]\n', line: 2, message: /quote/ },
  { what: "a key after a value", file: "projectTypes: [mod]\n  gameVersions: [1]\n", line: 2, message: /./ },
  { what: "tab indentation", file: "projectTypes:\n\t- mod\n", line: 2, column: 1, message: /tab.*spaces/i },
  { what: "two documents", file: fileWith("---\nloaders: []"), line: 3, message: /second document/ },
  { what: "a foreign tag", file: fileWith("loaders: !ruby []"), line: 3, message: /tag/ },
  { what: "a list as a key", file: fileWith("? [a]\n: b"), line: 3, message: /key must be plain text/ },
  { what: "a repeated key", file: fileWith("gameVersions: [2]\ngameVersions: [3]"), line: 3, message: /line 2/ },
  { what: "an alias", file: fileWith("loaders: &l []\ncategories: *l"), line: 4, column: 13, message: /"\*l"/ },
  { what: "an unknown alias", file: fileWith("loaders: *nowhere"), line: 3, message: /nowhere/ },
  { what: "no text at all", file: "", line: 1, column: 1, message: /found nothing/ },
  { what: "only a comment", file: "# later\n", line: 1, message: /found nothing/ },
  { what: "a bare word", file: "mod", line: 1, message: /Expected keys with values.*"mod"/ },
  { what: "a list instead of keys", file: "\n- mod\n", line: 2, message: /Expected keys with values.*a list/ },
  { what: "a NUL byte", file: fileWith("loaders: \0[]"), line: 3, column: 10, message: /UTF-8/ },
  { what: "bytes that are not UTF-8", file: Buffer.from([0xff, 0xfe, 0x41]).toString(), line: 1, message: /UTF-8/ },
  { what: "2 MiB", file: `# ${"x".repeat(2 * 1024 * 1024)}`, line: 1, column: 1, message: /2\.0 MiB.*1 MiB/ },
  { what: "endless nesting", file: `projectTypes: [mod]\nloaders: ${"[".repeat(20_000)}`, line: 2, message: /nested/ },
  // Not the schema
  { what: "a missing section", file: "gameVersions: [1.0]\n", line: 1, message: /"projectTypes" is missing/ },
  {
    what: "an unknown key",
    file: fileWith("loadres: []"),
    line: 3,
    column: 1,
    message: /"loadres".*Did you mean "loaders"/,
  },
  {
    what: "an unknown key inside an entry",
    file: fileWith("loaders:\n  - name: quilt\n    projectTypes: [mod]\n    lable: Quilt"),
    line: 6,
    column: 5,
    message: /"lable".*Did you mean "label"/,
  },
  { what: "a key like nothing known", file: fileWith("zzzzzz: 1"), line: 3, message: /Choose from: projectTypes/ },
  { what: "a key of every object", file: fileWith("__proto__: {}"), line: 3, message: /"__proto__" is not a known/ },
  { what: "a merge key", file: fileWith("<<: {}"), line: 3, message: /"<<" is not a known key/ },
  { what: "text for a list", file: fileWith("loaders: quilt"), line: 3, column: 10, message: /a list.*found "quilt"/ },
  {
    what: "a list for text",
    file: fileWith("loaders:\n  - name: [a]\n    projectTypes: [mod]"),
    line: 4,
    message: /text/,
  },
  { what: "nothing for text", file: fileWith("gameVersions:\n  - value: 1\n    label:"), line: 4, message: /nothing/ },
  { what: "true for text", file: fileWith("projectTypes: [mod, true]"), line: 2, column: 21, message: /./ },
  {
    what: "text for a switch",
    file: fileWith("licenses: { spdx: yes }"),
    line: 3,
    column: 19,
    message: /true or false/,
  },
  { what: "an empty label", file: fileWith('gameVersions: [{ value: 1, label: "" }]'), line: 2, message: /empty/ },
  {
    what: "a long label",
    file: fileWith(`gameVersions: [{ value: 1, label: ${"x".repeat(65)} }]`),
    line: 2,
    message: /64/,
  },
  { what: "no game version", file: fileWith("gameVersions: []"), line: 2, column: 15, message: /at least one/ },
  { what: "no project type", file: "projectTypes: []\ngameVersions: [1]", line: 1, message: /at least one/ },
  { what: "a combination of one", file: fileWith("combinations: [[mod]]"), line: 3, message: /at least 2/ },
  { what: "a loader for nothing", file: fileWith("loaders: [{ name: a, projectTypes: [] }]"), line: 3, message: /one/ },
  {
    what: "a name with a capital",
    file: "gameVersions: [1]\nprojectTypes:\n  - Mod\n",
    line: 3,
    column: 5,
    message: /lowercase/,
  },
  { what: "a name of 33", file: fileWith(`projectTypes: [${"n".repeat(33)}]`), line: 2, message: /at most 32/ },
  { what: "a name with a slash", file: fileWith("projectTypes: [a/b]"), line: 2, message: /"a\/b"/ },
  { what: "a version with a quote", file: fileWith(`gameVersions: ['1"0']`), line: 2, message: /cannot be used/ },
  {
    what: "an unknown release type",
    file: fileWith("defaultReleaseType: alfa"),
    line: 3,
    message: /"alfa".*Did you mean "alpha"/,
  },
  {
    what: "an unknown file type",
    file: fileWith("projectTypes:\n  - name: mod\n    primaryFileTypes:\n      - jar\n      - jpg"),
    line: 6,
    column: 9,
    message: /"jpg".*Did you mean "jpeg"/,
  },
  {
    what: "an unknown kind",
    file: fileWith("categories: [{ name: a, projectTypes: [mod], kind: feat }]"),
    line: 3,
    message: /Did you mean "feature"/,
  },
  {
    what: "a licence address that runs code",
    file: fileWith("licenses: { additional: [{ id: a, name: A, url: 'javascript:alert(1)' }] }"),
    line: 3,
    message: /http/,
  },
];

describe("a mistake is named with its line", () => {
  test.each(mistakes)("$what", ({ file, line, column, message }) => {
    const [first, ...others] = problemsOf(file);
    expect(first).toMatchObject({ line, message: expect.stringMatching(message) });
    if (column !== undefined) expect(first?.column).toBe(column);
    expect(others).toEqual([]);
  });

  test("an alias bomb is refused before it is expanded", () => {
    const levels = Array.from({ length: 30 }, (_, level) => {
      return `l${level + 1}: &l${level + 1} [${Array(10).fill(`*l${level}`).join(", ")}]`;
    });
    const problems = problemsOf(`l0: &l0 [x]\n${levels.join("\n")}\n`);
    expect(problems[0]).toMatchObject({ line: 2, column: 10, message: expect.stringContaining('"*l0"') });
  });

  test("a file full of mistakes is refused with a readable number of problems", () => {
    const files = [
      fileWith(`licenses: { featured: [${"wrong-id, ".repeat(2_000)}] }`),
      fileWith(Array.from({ length: 2_000 }, (_, index) => `k${index}: 1`).join("\n")),
      "a: @\n".repeat(2_000),
    ];
    for (const file of files) {
      const parsed = parseTaxonomy(file, "shelf.yaml");
      expect(parsed.ok ? [] : parsed.problems).toHaveLength(100);
      expect(parsed.ok || parsed.report).toContain("Only the first 100");
    }
  });
});

describe("several mistakes", () => {
  const file = [
    "projectTypes: [mod, Mod]", //                                line 1: a bad name that is a duplicate too
    "gameVersions:", //                                           line 2
    "  - value: 1.0", //                                          line 3
    "    releaseTyp: beta", //                                    line 4: unknown key
    "  - 1.0", //                                                 line 5: duplicate
    "loaders: [{ name: quilt, projectTypes: [mods] }]", //        line 6: unknown type
    "categories: none", //                                        line 7: not a list
    "licenses: { featured: [Nothing-Like-It] }", //               line 8: unknown licence
  ].join("\n");

  test("are all reported together, in the order of the file", () => {
    expect(problemsOf(file).map(({ line }) => line)).toEqual([1, 1, 4, 5, 6, 7, 8]);
  });

  test("make a report that names the file and every line", () => {
    const parsed = parseTaxonomy(file, "/etc/modshelf/taxonomy.yaml");
    const report = parsed.ok ? "" : parsed.report;
    expect(report).toContain("/etc/modshelf/taxonomy.yaml");
    expect(report).toContain('line 4, column 5: "releaseTyp" is not a known key. Did you mean "releaseType"?');
    expect(report.split("\n")).toHaveLength(8);
  });

  test("in the syntax are reported together too", () => {
    expect(problemsOf("a: @x\nb: [1\nc: `d`\n").map(({ line }) => line)).toEqual([1, 3]);
  });

  test("are reported without the control characters of the file", () => {
    const [problem] = problemsOf(fileWith('"\\e[31mred": 1'));
    expect(problem?.message).toContain("\\u001b[31mred");
  });
});
