import { describe, expect, test } from "vitest";
import { toJson } from "./json.js";
import { deskDefaults, findKeyFaults, readShortcuts, toKey } from "./shortcuts.js";

const keys = { ...deskDefaults } as Record<keyof typeof deskDefaults, string>;

describe("keys of the desk", () => {
  test("are valid by default and when one is empty", () => {
    expect(findKeyFaults(keys)).toEqual({});
    expect(findKeyFaults({ ...keys, skip: "", undo: "" })).toEqual({});
  });

  test.each(["ab", " ", "\n", "\0", "👍🏽"])("are one character each, not %j", (key) => {
    expect(findKeyFaults({ ...keys, skip: key })).toEqual({ skip: { kind: "notOne" } });
  });

  test("must differ from the search key and from each other", () => {
    expect(findKeyFaults({ ...keys, undo: "/" })).toEqual({ undo: { kind: "site" } });
    expect(findKeyFaults({ ...keys, undo: "a" })).toEqual({ undo: { kind: "taken", by: "approved" } });
    expect(findKeyFaults({ ...keys, approved: "r", draft: "a" })).toEqual({});
  });

  test("are case-insensitive", () => {
    expect(toKey(" Ü ")).toBe("ü");
  });

  test("are the defaults if the user has chosen nothing", () => {
    expect(readShortcuts(null)).toEqual({ isOn: true, desk: keys });
    expect(readShortcuts(toJson({ isOn: false }))).toEqual({ isOn: false, desk: keys });
  });
});
