// The cache that all features share.
import { describe, expect, test } from "vitest";
import { Cache, type CacheOptions } from "./cache.js";

function make(options: Partial<CacheOptions> = {}) {
  const around = { time: 0, isFollowing: true };
  const clock = { now: () => around.time };
  const changeLog = {
    get isFollowing() {
      return around.isFollowing;
    },
  };
  return { around, keep: new Cache<string>({ clock, changeLog }, { name: "pages", limit: () => 10_000, ...options }) };
}

describe("a cache", () => {
  test("drops everything when its edition changes", () => {
    let edition = 1;
    const { keep } = make({ edition: () => edition });
    keep.set("a", "one", 10);
    expect(keep.get("a")).toBe("one");
    edition = 2;
    expect([keep.get("a"), keep.figures().entries, keep.figures().bytes]).toEqual([undefined, 0, 0]);
  });

  test("drops only the values that are too old", () => {
    const { keep, around } = make({ ageMs: 100 });
    keep.set("a", "one", 10);
    around.time = 60;
    keep.set("b", "two", 10);
    around.time = 100;
    expect([keep.get("a"), keep.get("b"), keep.figures().entries]).toEqual([undefined, "two", 1]);
  });

  test("caches nothing by edition while the change log is not followed", async () => {
    const { keep, around } = make({ edition: () => 1 });
    keep.set("a", "one", 10);
    around.isFollowing = false;
    keep.set("b", "two", 10);
    expect([keep.get("a"), keep.get("b")]).toEqual([undefined, undefined]);
    expect(
      await keep.load(
        "a",
        async () => "new",
        () => 1,
      ),
    ).toBe("new");
  });

  test("stays within its bytes, and reports its figures", () => {
    const { keep } = make({ limit: () => 2000 });
    for (let n = 0; n < 100; n++) keep.set(`key ${n}`, "x", 200);
    expect(keep.get("key 99")).toBe("x");
    expect(keep.get("key 0")).toBeUndefined();
    const { bytes, ...figures } = keep.figures();
    expect(figures).toEqual({ name: "pages", limit: 2000, entries: 5, hits: 1, misses: 1 });
    expect(bytes).toBeLessThanOrEqual(2000);
  });
});

describe("loading a value", () => {
  test("happens once for concurrent callers, and again after a failure or undefined", async () => {
    const { keep } = make();
    let loads = 0;
    const results: (string | undefined)[] = [undefined, "here"];
    const load = async () => {
      loads++;
      if (loads === 1) throw new Error("not now");
      return results[loads - 2];
    };
    const ask = () => keep.load("a", load, () => 1);
    await expect(ask()).rejects.toThrow("not now");
    expect(await Promise.all([ask(), ask()])).toEqual([undefined, undefined]);
    expect(await Promise.all([ask(), ask()])).toEqual(["here", "here"]);
    expect([await ask(), loads]).toEqual(["here", 3]);
  });

  test("does not cache a value if the edition changed while it was loaded", async () => {
    let edition = 1;
    const { keep } = make({ edition: () => edition });
    const gate = Promise.withResolvers<string>();
    const old = keep.load(
      "a",
      () => gate.promise,
      () => 1,
    );
    edition = 2;
    expect(
      await keep.load(
        "a",
        async () => "new",
        () => 1,
      ),
    ).toBe("new");
    gate.resolve("old");
    expect([await old, keep.get("a")]).toEqual(["old", "new"]);
  });
});
