// Long computations take turns with each other and with the event loop.
import { describe, expect, test } from "vitest";
import { inSlices } from "./slices.js";

/** Takes a little more than that many slices. */
function* work(name: string, log: string[], slices: number): Generator<void, string> {
  for (let at = 0; at < slices; at++) {
    log.push(name);
    const end = performance.now() + 12;
    do yield;
    while (performance.now() < end);
  }
  return name;
}

describe("work in slices", () => {
  test("gives its result, and other work and the event loop get their turn in between", async () => {
    const log: string[] = [];
    const turn = () => {
      log.push("turn");
      if (log.length < 100) setImmediate(turn);
    };
    const results = Promise.all([inSlices(work("a", log, 3)), inSlices(work("b", log, 3))]);
    setImmediate(turn);
    expect(await results).toEqual(["a", "b"]);
    // Never two slices without a turn of the event loop.
    const between = log.slice(log.indexOf("turn"));
    for (const [at, entry] of between.entries()) if (entry !== "turn") expect(between[at + 1] ?? "turn").toBe("turn");
    expect(log.indexOf("b")).toBeLessThan(log.lastIndexOf("a"));
  });

  test("that fails lets the others go on", async () => {
    const failing = inSlices(
      // biome-ignore lint/correctness/useYield: it fails before.
      (function* () {
        throw new Error("no");
      })(),
    );
    await expect(failing).rejects.toThrow("no");
    expect(await inSlices(work("c", [], 1))).toBe("c");
  });
});
