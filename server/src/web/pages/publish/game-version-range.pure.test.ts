// Ranges of game versions that the form ticks as a whole.
import { expect, test } from "vitest";
import { withRange } from "./game-version-range.js";

const known = ["1.1", "1.0", "0.5.1", "0.5.0", "0.4.8", "0.4.7", "0.4.0", "0.3.26"];

test.each([
  ["0.4.7", "0.5.0", ["0.5.0", "0.4.8", "0.4.7"]],
  ["0.5.0", "0.4.7", ["0.5.0", "0.4.8", "0.4.7"]],
  ["0.4.8", "0.4.8", ["0.4.8"]],
  ["0.5.1", "", ["1.1", "1.0", "0.5.1"]],
  ["", "0.5.1", []],
  // Refused by their names.
  ["9.9", "0.5.1", ["9.9", "0.5.1"]],
  ["0.5.1", "9.9", ["0.5.1", "9.9"]],
])("a range from %j to %j adds %j", (from, to, expected) => {
  expect(withRange(["0.3.26"], from, to, known)).toEqual(["0.3.26", ...expected]);
});
