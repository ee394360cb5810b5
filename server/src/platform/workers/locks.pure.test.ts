import { describe, expect, test } from "vitest";
import { Locks, Places } from "./locks.js";

describe("locks", () => {
  test("are given to one owner after the other, in the order of their requests", async () => {
    const wanted: string[] = [];
    const locks = new Locks<string>((holder, key) => wanted.push(`${holder} ${key}`));
    const order: string[] = [];
    await locks.acquire("a", "k");
    const b = locks.acquire("b", "k").then(() => order.push("b"));
    const c = locks.acquire("c", "k").then(() => order.push("c"));
    await locks.acquire("c", "other");
    expect(wanted).toEqual(["a k"]);
    locks.release("b", "k");
    await Promise.resolve();
    expect(order).toEqual([]);
    locks.release("a", "k");
    await b;
    expect(wanted).toEqual(["a k", "b k"]);
    locks.release("b", "k");
    await c;
    locks.release("c", "k");
    await locks.acquire("a", "k");
    expect(order).toEqual(["b", "c"]);
  });

  test("are released when their owner has ended, which then waits for none", async () => {
    const locks = new Locks<string>();
    await locks.acquire("dead", "k");
    let isGranted = false;
    void locks.acquire("waiting", "k").then(() => {
      isGranted = true;
    });
    const last = locks.acquire("last", "k");
    locks.forget("waiting");
    locks.forget("dead");
    await last;
    expect(isGranted).toBe(false);
  });
});

test("places are limited for all owners together, and those of an owner that has ended are free", () => {
  const places = new Places<string>();
  const take = (owner: string) => places.take(owner, "k", 3);
  expect([take("a"), take("b"), take("b"), take("a")]).toEqual([true, true, true, false]);
  places.giveBack("c", "k");
  expect(take("a")).toBe(false);
  places.giveBack("a", "k");
  expect([take("a"), take("a")]).toEqual([true, false]);
  places.forget("b");
  expect([take("a"), take("a"), take("a")]).toEqual([true, true, false]);
  expect(places.take("a", "another", 1)).toBe(true);
});
