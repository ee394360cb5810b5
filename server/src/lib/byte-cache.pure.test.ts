import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { ByteCache } from "./byte-cache.js";

describe("a cache that is bounded by bytes", () => {
  test("evicts the oldest entry when it is full", () => {
    const cache = new ByteCache<number>({ limit: () => 5000, longestKey: 10 });
    for (let n = 0; n < 100; n++) cache.set(`key ${n}`, n, 1000 - 150 - 2 * `key ${n}`.length);
    expect([cache.size, cache.get("key 94"), cache.get("key 95"), cache.get("key 99")]).toEqual([5, undefined, 95, 99]);
  });

  test("passes over entries that were used since they were added", () => {
    const cache = new ByteCache<number>({ limit: () => 5000, longestKey: 10 });
    for (let n = 0; n < 5; n++) cache.set(`key ${n}`, n, 1000 - 150 - 10);
    cache.get("key 0");
    cache.set("key 5", 5, 1000 - 150 - 10);
    cache.set("key 6", 6, 1000 - 150 - 10);
    expect([0, 1, 2, 3].map((n) => cache.get(`key ${n}`))).toEqual([0, undefined, undefined, 3]);
  });

  test("evicts entries even if all of them are used all the time", () => {
    const cache = new ByteCache<number>({ limit: () => 50_000, longestKey: 10 });
    for (let n = 0; n < 1000; n++) {
      cache.set(`key ${n}`, n, 500);
      for (let used = 0; used <= n; used++) cache.get(`key ${used}`);
    }
    expect(cache.bytes).toBeLessThanOrEqual(50_000);
    expect(cache.get("key 999")).toBe(999);
  });

  test("no longer counts a value that is replaced or deleted", () => {
    const cache = new ByteCache<string>({ limit: () => 4000, longestKey: 10 });
    for (let n = 0; n < 100; n++) cache.set("same", String(n), 500);
    cache.set("other", "x", 500);
    expect([cache.size, cache.get("same")]).toEqual([2, "99"]);
    for (let n = 0; n < 100; n++) {
      cache.set("gone", "x", 500);
      cache.delete("gone");
      cache.delete("gone");
    }
    expect([cache.size, cache.get("same"), cache.get("other")]).toEqual([2, "99", "x"]);
    cache.clear();
    expect([cache.size, cache.get("same")]).toEqual([0, undefined]);
  });

  test("holds no value that was replaced, deleted or cleared, even if it never evicts one", async () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    const cache = new ByteCache<object>({ limit: () => 10_000_000, longestKey: 10 });
    const made: WeakRef<object>[] = [];
    const add = (key: string) => {
      const value = { key };
      made.push(new WeakRef(value));
      cache.set(key, value, 1);
    };
    for (let n = 0; n < 2000; n++) add(`key ${n % 10}`);
    for (let n = 0; n < 2000; n++) {
      add(`gone ${n}`);
      cache.delete(`gone ${n}`);
    }
    for (let round = 0; round < 200; round++) {
      for (let n = 0; n < 10; n++) add(`key ${n}`);
      if (round < 199) cache.clear();
    }
    // A weak reference holds its value until the running task ends.
    await new Promise((resolve) => setTimeout(resolve));
    collectGarbage();
    expect(cache.size).toBe(10);
    expect(made.filter((each) => each.deref()).length).toBeLessThanOrEqual(30);
  });

  test("stores no entry with a long key or a very large value", () => {
    const cache = new ByteCache<number>({ limit: () => 10_000, longestKey: 10 });
    cache.set("here", 1, 100);
    cache.set("x".repeat(11), 2, 1);
    cache.set("large", 3, 2500);
    expect([cache.size, cache.get("here"), cache.get("large")]).toEqual([1, 1, undefined]);
  });

  test("counts the bytes of keys: many tiny values with long keys are bounded too", () => {
    const cache = new ByteCache<number>({ limit: () => 100_000, longestKey: 1000 });
    for (let n = 0; n < 10_000; n++) cache.set(`${n}`.padEnd(1000, "x"), n, 0);
    expect(cache.size).toBe(46);
  });

  test("makes room by evicting entries that are worth less, and none that is worth more", () => {
    const cache = new ByteCache<number>({ limit: () => 4000, longestKey: 10 });
    const worth: Record<string, number> = { a: 3, b: 1, c: 2, d: 2, e: 2, large: 9 };
    const offer = (key: string, bytes: number): boolean => {
      if (!cache.makeRoom(key, bytes, (other) => worth[other]! >= worth[key]!)) return false;
      cache.set(key, worth[key]!, bytes);
      return true;
    };
    for (const key of ["a", "b", "c", "d"]) expect(offer(key, 800)).toBe(true);
    // The oldest entry is worth more. At the second try it is the turn of the next one.
    expect([offer("e", 800), offer("e", 800)]).toEqual([false, true]);
    expect([...cache.entries()].map(([key]) => key).sort()).toEqual(["a", "c", "d", "e"]);
    expect([offer("large", 1000), offer("large", 800)]).toEqual([false, true]);
    expect(cache.bytes).toBeLessThanOrEqual(4000);
    expect(cache.makeRoom("x".repeat(11), 1, () => false)).toBe(false);
  });

  test("lets values grow only while there is room, without evictions", () => {
    const cache = new ByteCache<string>({ limit: () => 4000, longestKey: 10 });
    for (const key of ["a", "b"]) cache.set(key, key, 500);
    expect([cache.grow("a", 1000), cache.grow("b", 1000), cache.grow("c", 1)]).toEqual([true, false, false]);
    expect([cache.get("a"), cache.get("b"), cache.hasRoom(1000)]).toEqual(["a", "b", false]);
    cache.delete("a");
    expect([cache.hasRoom(1000), cache.bytes < 1000]).toEqual([true, true]);
  });
});
