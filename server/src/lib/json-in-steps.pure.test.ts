import { expect, test } from "vitest";
import { jsonInSteps } from "./json-in-steps.js";

test("JSON that is written in steps equals JSON.stringify, and no step is large", () => {
  const entries = Array.from({ length: 100 }, (_, at) => [
    `k"${at}`,
    { get: { list: [at, null], text: "x".repeat(500) } },
  ]);
  const value = {
    a: 1,
    none: undefined,
    nothing: null,
    list: [{ a: 1 }],
    empty: {},
    paths: Object.fromEntries(entries),
  };
  const work = jsonInSteps(value, 3);
  const steps: number[] = [];
  let step = work.next();
  for (; !step.done; step = work.next()) steps.push(step.value);
  expect(step.value).toBe(JSON.stringify(value));
  expect(steps.length).toBeGreaterThan(100);
  expect(Math.max(...steps)).toBeLessThan(20);
});
