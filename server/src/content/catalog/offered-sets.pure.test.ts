import { expect, test } from "vitest";
import { OfferedSets, SetFilter } from "./offered-sets.js";

test("a filter gives the right results when the sets have got new numbers", () => {
  const sets = new OfferedSets();
  let compared = 0;
  const filter = new SetFilter(1, ({ loaders }) => {
    compared++;
    return loaders.has("quilt");
  });
  const results = (...numbers: number[]) => {
    filter.begin(sets);
    return numbers.map((number) => filter.matches(sets, number));
  };
  const [quilt, forge] = [sets.add("1", [["quilt"], []]), sets.add("2", [["forge"], []])];
  expect([...results(quilt, forge), ...results(quilt, forge)]).toEqual([true, false, true, false]);
  expect(compared).toBe(2);
  const before = sets.generation;
  sets.reserve(10);
  expect(sets.generation).toBe(before);
  sets.reserve(5000);
  expect([sets.generation === before, sets.find("1")]).toEqual([false, undefined]);
  expect(results(sets.add("2", [["forge"], []]), sets.add("1", [["quilt"], []]))).toEqual([false, true]);
});

test("a project may have more sets than are kept", () => {
  const sets = new OfferedSets();
  sets.reserve(6000);
  const numbers = Array.from({ length: 6000 }, (_, n) => sets.add(`${n}`, [[`loader ${n}`], []]));
  const filter = new SetFilter(1, ({ loaders }) => loaders.has("loader 5999"));
  filter.begin(sets);
  expect(numbers.filter((number) => filter.matches(sets, number))).toEqual([5999]);
  expect(filter.matches(sets, 5999)).toBe(true);
});
