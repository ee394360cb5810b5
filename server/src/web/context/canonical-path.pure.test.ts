import { describe, expect, test } from "vitest";
import { canonicalPath } from "./canonical-path.js";

describe("the canonical path", () => {
  test.each([
    ["/mods/", "/mods"],
    ["/mods///?q=a", "/mods?q=a"],
    ["/Mods", "/mods"],
    ["/project/better-grass/Versions", "/project/better-grass/versions"],
    ["/Collection/kX3vQ9aB", "/collection/kX3vQ9aB"],
    ["/project/better-grass/version", "/project/better-grass/versions"],
    ["/collection/kX3vQ9aB/", "/collection/kX3vQ9aB"],
  ])("%s becomes %s", (given, wanted) => {
    expect(canonicalPath(given)).toBe(wanted);
  });

  test.each(["/mods", "/project/better-grass", "/", "/search?q=Mods/", "/projects?sort=Updated"])(
    "%s is canonical already",
    (path) => {
      expect(canonicalPath(path)).toBeUndefined();
    },
  );

  test.each(["//evil.example/", "/%3Cscript%3E/", "/\\evil.example/", "http://evil.example/", "/a b/", "/é/"])(
    "%s is not a path of this site",
    (path) => {
      expect(canonicalPath(path)).toBeUndefined();
    },
  );

  test("never leads to another site, and never repeats characters that would break a header", () => {
    for (const path of ["///", "////evil.example//", "/.//", "/..//"]) {
      const moved = canonicalPath(path);
      expect(moved === undefined || /^\/(?!\/)/.test(moved), `${path} → ${moved}`).toBe(true);
    }
    expect(canonicalPath("/mods/?q=a\r\nset-cookie: b")).toBe("/mods");
  });
});
