import { describe, expect, test } from "vitest";
import { canonicalPath } from "./canonical-path.js";

describe("the one spelling of an address", () => {
  test.each([
    ["/mods/", "/mods"],
    ["/mods///?q=a", "/mods?q=a"],
    ["/Mods", "/mods"],
    ["/project/better-grass/Versions", "/project/better-grass/versions"],
    ["/Collection/kX3vQ9aB", "/collection/kX3vQ9aB"],
    ["/project/better-grass/version", "/project/better-grass/versions"],
    ["/mod", "/mods"],
    ["/resource-pack?q=a", "/resource-packs?q=a"],
    ["/collection/kX3vQ9aB/", "/collection/kX3vQ9aB"],
  ])("%s is %s", (given, wanted) => {
    expect(canonicalPath(given)).toBe(wanted);
  });

  test.each(["/mods", "/project/better-grass", "/", "/search?q=Mods/", "/projects?sort=Updated"])(
    "%s is spelled well",
    (path) => {
      expect(canonicalPath(path)).toBeUndefined();
    },
  );

  test.each(["//evil.example/", "/%3Cscript%3E/", "/\\evil.example/", "http://evil.example/", "/a b/", "/é/"])(
    "%s is none of ours",
    (path) => {
      expect(canonicalPath(path)).toBeUndefined();
    },
  );

  test("never leads to another site, and never repeats what breaks a header", () => {
    for (const path of ["///", "////evil.example//", "/.//", "/..//"]) {
      const moved = canonicalPath(path);
      expect(moved === undefined || /^\/(?!\/)/.test(moved), `${path} → ${moved}`).toBe(true);
    }
    expect(canonicalPath("/mods/?q=a\r\nset-cookie: b")).toBe("/mods");
  });
});
