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
  sets.reserve(50_000);
  expect([sets.generation === before, sets.find("1")]).toEqual([false, undefined]);
  expect(results(sets.add("2", [["forge"], []]), sets.add("1", [["quilt"], []]))).toEqual([false, true]);
});

test("a project may have more sets than are kept", () => {
  const sets = new OfferedSets();
  sets.reserve(60_000);
  const numbers = Array.from({ length: 60_000 }, (_, n) => sets.add(`${n}`, [[`loader ${n}`], []]));
  const filter = new SetFilter(1, ({ loaders }) => loaders.has("loader 59999"));
  filter.begin(sets);
  expect(numbers.filter((number) => filter.matches(sets, number))).toEqual([59_999]);
  expect(filter.matches(sets, 59_999)).toBe(true);
});

test("a filter keeps its results when sets are added", () => {
  const sets = new OfferedSets();
  let compared = 0;
  const filter = new SetFilter(1, ({ loaders }) => {
    compared++;
    return loaders.has("quilt");
  });
  for (let n = 0; n < 3000; n++) {
    const number = sets.add(`${n}`, [[n % 2 ? "quilt" : "forge"], []]);
    filter.begin(sets);
    expect([filter.matches(sets, number), filter.matches(sets, 1 - (number === 0 ? 1 : 0))]).toEqual([
      n % 2 === 1,
      number > 0,
    ]);
  }
  expect(compared).toBe(3000);
});
