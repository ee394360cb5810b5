// Every character that a string can contain, also halves of pairs, for random texts: `fc.string({ unit: anyCharacter })`.
// The unit "binary" of fast-check is the same, and fills tables of all of them first: 1.4 seconds of CPU time in every
// worker.
import fc from "fast-check";

export const anyCharacter = fc.nat({ max: 0x10ffff }).map((point) => String.fromCodePoint(point), toPoint);

/** With it, fast-check also tries names that are special in JavaScript, such as `__proto__`. */
function toPoint(character: unknown): number {
  const points = typeof character === "string" ? Array.from(character, (one) => one.codePointAt(0)) : [];
  if (points.length !== 1 || points[0] === undefined) throw new Error("This is not one character.");
  return points[0];
}
