// The changes that moderators see: all of them, and nothing else.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Snapshot } from "./snapshot.js";
import { compareLines, findChanges, isUnchanged } from "./snapshot-changes.js";

const fields = {
  name: "Lamps",
  slug: "lamps",
  summary: "Light",
  types: "mod",
  categories: "decoration",
  sides: "required / optional",
  licence: "MIT",
  issueTracker: "",
  source: "",
  wiki: "",
  discord: "",
  donations: "",
  disclosures: "",
  icon: "",
};
const plain: Snapshot = { fields, description: "a\nb\nc", gallery: [], files: [] };
const file = { version: "1.0", name: "lamps.jar", sha512: "ab".repeat(64) };

describe("findChanges", () => {
  test("finds no changes between equal snapshots", () => {
    expect(isUnchanged(findChanges(plain, structuredClone(plain)))).toBe(true);
  });

  test("takes a field that an old snapshot lacks as empty", () => {
    const { disclosures: _later, ...before } = fields;
    const old = { ...plain, fields: before } as Snapshot;
    expect(isUnchanged(findChanges(old, plain))).toBe(true);
    const after = { ...plain, fields: { ...fields, disclosures: "AI: code" } };
    expect(findChanges(old, after).fields).toEqual([{ field: "disclosures", before: "", after: "AI: code" }]);
  });

  test("finds each field, picture and file that is new, changed or removed", () => {
    const after: Snapshot = {
      fields: { ...fields, licence: "GPL-3.0-only" },
      description: plain.description,
      gallery: [{ id: "p1", name: "At night" }],
      files: [{ ...file, sha512: "cd".repeat(64) }],
    };
    const changes = findChanges({ ...plain, files: [file] }, after);
    expect(changes.fields).toEqual([{ field: "licence", before: "MIT", after: "GPL-3.0-only" }]);
    expect(changes.addedPictures).toEqual(["At night"]);
    expect(changes.addedFiles).toHaveLength(1);
    expect(changes.removedFiles).toEqual([file]);
    expect(isUnchanged(changes)).toBe(false);
  });
});

describe("compareLines", () => {
  test("keeps two lines around a difference and leaves out the rest", () => {
    const before = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    const after = before.with(10, "another");
    expect(compareLines(before.join("\n"), after.join("\n"))).toEqual([
      { kind: "same", text: "line 8" },
      { kind: "same", text: "line 9" },
      { kind: "removed", text: "line 10" },
      { kind: "added", text: "another" },
      { kind: "same", text: "line 11" },
      { kind: "same", text: "line 12" },
    ]);
  });

  test("says of every line whether it is in the old text, the new text or both", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = compareLines(before, after);
        const count = (list: readonly string[], line: string) => list.filter((each) => each === line).length;
        for (const line of ["a", "b", "c", ""]) {
          const more = count(after.split("\n"), line) - count(before.split("\n"), line);
          const added = lines.filter(({ kind, text: each }) => kind === "added" && each === line).length;
          const removed = lines.filter(({ kind, text: each }) => kind === "removed" && each === line).length;
          expect(added - removed).toBe(more);
        }
      }),
    );
  });

  test("shows both texts completely if comparing would take too long", () => {
    const many = (word: string) => Array.from({ length: 3000 }, (_, at) => `${word} ${at}`).join("\n");
    const lines = compareLines(many("old"), many("new"));
    expect(lines).toHaveLength(6000);
  });
});
