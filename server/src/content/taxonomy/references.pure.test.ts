import { describe, expect, test } from "vitest";
import { parseTaxonomy } from "./document.js";

function problemsOf(file: string) {
  const parsed = parseTaxonomy(file, "shelf.yaml");
  return parsed.ok ? [] : parsed.problems.map((problem) => ({ ...problem, message: `${problem.message}` }));
}

/** A valid file with one section replaced (it then starts on line 2) or added (line 3). */
function fileWith(section: string): string {
  const key = section.slice(0, section.indexOf(":") + 1);
  const rest = ["projectTypes: [mod, world]", "gameVersions: [1.1, 1.0]"].filter((line) => !line.startsWith(key));
  return `${rest.join("\n")}\n${section}\n`;
}

const mistakes: { what: string; file: string; line: number; column?: number; message: RegExp }[] = [
  {
    what: "a loader for an unknown type",
    file: fileWith("loaders:\n  - name: quilt\n    projectTypes:\n      - mod\n      - wrld"),
    line: 7,
    column: 9,
    message: /no project type "wrld".*Did you mean "world"/,
  },
  {
    what: "a category for an unknown type",
    file: fileWith("categories:\n  - { name: a, projectTypes: [map] }"),
    line: 4,
    message: /no project type "map"/,
  },
  {
    what: "a combination with an unknown type",
    file: fileWith("combinations:\n  - [mod, pack]"),
    line: 4,
    column: 11,
    message: /no project type "pack"/,
  },
  { what: "a type twice", file: fileWith("projectTypes:\n  - mod\n  - name: mod"), line: 4, message: /on line 3/ },
  {
    what: "a version twice",
    file: fileWith("gameVersions:\n  - 1.0b\n  - 1.0B"),
    line: 4,
    message: /"1\.0B".*on line 3/,
  },
  {
    what: "a category twice, of two kinds",
    file: fileWith(
      "categories:\n  - { name: a, projectTypes: [mod] }\n  - { name: a, projectTypes: [world], kind: feature }",
    ),
    line: 5,
    message: /"a" is already named on line 4/,
  },
  {
    what: "a type named twice by a loader",
    file: fileWith("loaders:\n  - { name: a, projectTypes: [mod, world, mod] }"),
    line: 4,
    column: 43,
    message: /"mod" is already named/,
  },
  {
    what: "a deprecated featured licence",
    file: fileWith("licenses:\n  featured: [MIT, GPL-3.0]"),
    line: 4,
    column: 19,
    message: /no license "GPL-3\.0".*Did you mean "GPL-3\.0-only"/,
  },
  {
    what: "a featured licence in another case",
    file: fileWith("licenses: { featured: [mit] }"),
    line: 3,
    message: /"MIT"/,
  },
  {
    what: "a featured licence without the SPDX list",
    file: fileWith("licenses: { spdx: false, featured: [MIT] }"),
    line: 3,
    message: /no license "MIT"/,
  },
  {
    what: "a licence of one's own that SPDX has",
    file: fileWith("licenses:\n  additional: [{ id: mit, name: Mine }]"),
    line: 4,
    message: /on the SPDX list/,
  },
];

describe("a name that does not fit the rest of the file is reported with its line", () => {
  test.each(mistakes)("$what", ({ file, line, column, message }) => {
    const [first, ...others] = problemsOf(file);
    expect(first).toMatchObject({ line, message: expect.stringMatching(message) });
    if (column !== undefined) expect(first?.column).toBe(column);
    expect(others).toEqual([]);
  });

  test("a loader name that differs from another only in case is a duplicate, and is not a valid name", () => {
    const file = fileWith(
      "loaders:\n  - { name: quilt, projectTypes: [mod] }\n  - { name: QUILT, projectTypes: [world] }",
    );
    expect(problemsOf(file)).toMatchObject([
      { line: 5, column: 13, message: expect.stringContaining("lowercase") },
      { line: 5, column: 13, message: expect.stringContaining("already named on line 4") },
    ]);
  });
});
