// Game versions in manifests: each notation of a range, and texts that are none.
import { expect, test } from "vitest";
import { gameVersionsIn } from "./manifest-game-versions.js";

const known = ["1.1", "1.0", "0.5.1", "0.5.0", "0.4.8", "0.4.7", "0.4.0", "0.3.26"];

test.each([
  [">=0.4.7", ["1.1", "1.0", "0.5.1", "0.5.0", "0.4.8", "0.4.7"]],
  [">=0.4.0 <0.5.0", ["0.4.8", "0.4.7", "0.4.0"]],
  ["^0.4.7", ["0.4.8", "0.4.7"]],
  ["^1.0", ["1.1", "1.0"]],
  ["~0.5.0", ["0.5.1", "0.5.0"]],
  ["0.4.x", ["0.4.8", "0.4.7", "0.4.0"]],
  ["0.4.8", ["0.4.8"]],
  ["=0.4.8", ["0.4.8"]],
  ["0.5", ["0.5.0"]],
  ["[0.4.7,0.5.0)", ["0.4.8", "0.4.7"]],
  ["(,0.4.0]", ["0.4.0", "0.3.26"]],
  ["0.4.8 || 0.5.1", ["0.5.1", "0.4.8"]],
  ["*", []],
  ["", []],
  [null, []],
  ["whatever the player has", []],
  ["^", []],
  ["[,", []],
  ["[".repeat(200), []],
])("%j means %j", (range, expected) => {
  expect(gameVersionsIn(range, known)).toEqual(expected);
});
