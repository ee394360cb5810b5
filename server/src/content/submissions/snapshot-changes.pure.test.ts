// The changes that moderators see: all of them, and nothing else.
import { describe, expect, test } from "vitest";
import type { Snapshot } from "./snapshot.js";
import { findChanges, isUnchanged } from "./snapshot-changes.js";

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

  test("shows the changed lines of the description", () => {
    const { description } = findChanges(plain, { ...plain, description: "a\nB\nc" });
    expect(description.map(({ kind, text }) => [kind, text])).toEqual([
      ["same", "a"],
      ["removed", "b"],
      ["added", "B"],
      ["same", "c"],
    ]);
  });
});
