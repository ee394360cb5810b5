import { describe, expect, test } from "vitest";
import { isReservedName } from "#accounts/users/policy.js";
import { canBeUserName, landingPages, toUserName, withSuffix } from "./policy.js";

const grammar = /^[A-Za-z0-9_-]{2,32}$/;

describe("a provider's name becomes a username", () => {
  test.each([
    ["octocat", "octocat"],
    ["Octo-Cat_9", "Octo-Cat_9"],
    ["Jane Doe", "Jane-Doe"],
    ["  Jane \t Doe  ", "Jane-Doe"],
    ["José Ñandú", "Jose-Nandu"],
    ["ﬁne", "fine"],
    ["dotted.name", "dotted-name"],
    ["__under__", "__under__"],
    ["--dash--", "dash"],
    ["<script>alert(1)</script>", "script-alert-1-script"],
    ["../../etc/passwd", "etc-passwd"],
    ["a\0b", "a-b"],
    ["李雷", ""],
    ["", ""],
    ["x".repeat(40), "x".repeat(32)],
    [`${"x".repeat(31)} y`, "x".repeat(31)],
    ["-".repeat(1_000_000), ""],
    [`${"\u0301".repeat(300)}late`, ""],
  ])("%j → %j", (name, userName) => {
    expect(toUserName(name)).toBe(userName);
  });

  test("with a suffix it always matches the grammar", () => {
    for (const name of ["", "x", "admin", "x".repeat(32), "ab-"]) {
      const named = withSuffix(toUserName(name), "a1b2c");
      expect(named).toMatch(grammar);
      expect(isReservedName(named)).toBe(false);
    }
  });

  test("names that are too short or reserved are changed", () => {
    expect(["", "x", "admin", "ADMIN", "deleted_user"].filter(canBeUserName)).toEqual([]);
    expect(["ab", "admins"].filter(canBeUserName)).toEqual(["ab", "admins"]);
  });
});

test("every sign-in ends on a page of this site", () => {
  for (const page of Object.values(landingPages)) expect(page).toMatch(/^\/(?![/\\])/);
});
