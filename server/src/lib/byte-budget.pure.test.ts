import { describe, expect, test } from "vitest";
import { ByteBudget } from "./byte-budget.js";
import { Busy } from "./queue.js";

describe("a budget of bytes", () => {
  test("is shared by all requests and given back when the work ends or fails", async () => {
    const budget = new ByteBudget(100);
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = budget.share(async (take) => {
      take(50);
      take(30);
      await promise;
      throw new Error("over");
    });
    const ask = (bytes: number) => budget.share(async (take) => take(bytes));
    await expect(ask(21)).rejects.toThrow(Busy);
    await ask(20);
    await ask(20);
    resolve();
    await expect(first).rejects.toThrow("over");
    await ask(100);
  });

  test("does not limit a request that runs alone", async () => {
    const budget = new ByteBudget(100);
    await budget.share(async (take) => {
      take(90);
      take(90);
      await expect(budget.share(async (takeMore) => takeMore(1))).rejects.toThrow(Busy);
    });
  });
});
