// Long computations share the main thread with each other and with the event loop.
import { describe, expect, test } from "vitest";
import { inSlices } from "./slices.js";

/** Takes this many slices and ends in the last one. */
function* work(name: string, log: string[], slices: number): Generator<number, string> {
  for (let at = 0; at < slices; at++) {
    log.push(name);
    yield 1_000_000;
  }
  return name;
}

describe("work in slices", () => {
  test("returns its result, and other work and the event loop run in between", async () => {
    const log: string[] = [];
    let isOver = false;
    const turn = () => {
      log.push("turn");
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const results = await Promise.all([inSlices(work("a", log, 3)), inSlices(work("b", log, 3))]);
    isOver = true;
    expect(results).toEqual(["a", "b"]);
    expect(log.slice(0, 11)).toEqual(["a", "turn", "b", "turn", "a", "turn", "b", "turn", "a", "turn", "b"]);
  });

  test("continues within a slice until the slice is used up", async () => {
    const log: string[] = [];
    setImmediate(() => log.push("turn"));
    await inSlices(
      (function* () {
        for (let at = 0; at < 100; at++) yield 10;
        log.push("done");
      })(),
    );
    expect(log).toEqual(["done"]);
  });

  test("that fails does not stop the others", async () => {
    const failing = inSlices(
      (function* () {
        yield 1;
        throw new Error("no");
      })(),
    );
    await expect(failing).rejects.toThrow("no");
    expect(await inSlices(work("c", [], 1))).toBe("c");
  });
});
