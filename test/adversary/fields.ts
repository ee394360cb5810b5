// Values for one field or parameter, by its schema: as long as the body, as long as the schema allows, and the largest
// valid value. The last get furthest into the server.
import { type AnySchema, fitting, type Hints } from "#test/api/fitting-values.js";
import { bait, mix, runNames } from "./bait.js";
import { mostBytes } from "./bodies.js";

export type Schema = AnySchema & { maxLength?: number; maxItems?: number; pattern?: string };

/** The schema of a field without null. */
export function present(schema: Schema): Schema {
  const choices = schema.anyOf as Schema[] | undefined;
  if (!choices) return schema;
  return present(choices.find(({ type }) => type === "array") ?? choices.find(({ type }) => type !== "null") ?? schema);
}

const items = <T>(count: number, item: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => item(at));

/** The largest valid value. Meaningful values (hints) take precedence over long ones. */
export function largest(schema: Schema, hints: Hints, name: string, salt: number): unknown {
  const { type, maxLength = 0, maxItems = 100, properties, items: each, enum: allowed } = present(schema);
  if (type === "array") {
    const known = hints[name] ?? [];
    return items(Math.min(maxItems, 2000), (at) =>
      known.length > 0 ? known[at % known.length] : largest((each ?? {}) as Schema, hints, name, salt + at),
    );
  }
  if (type === "object" && properties)
    return Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [key, largest(value as Schema, hints, key, salt)]),
    );
  if (type !== "string" || allowed || hints[name]) return fitting(schema, undefined, hints, name);
  const text = `${salt} ${"word ".repeat(Math.min(maxLength, 100_000) / 5)}`;
  return maxLength > 0 ? text.slice(0, maxLength).trim() : fitting(schema, undefined, hints, name);
}

export type MakeValue = (salt: number) => unknown;

const listAttacks: readonly [name: string, make: MakeValue][] = [
  ["a list of numbers", () => items(60_000, () => 0)],
  ["a list of objects", (salt) => items(12_000, (at) => ({ a: at + salt }))],
  ["a list of texts", (salt) => items(15_000, (at) => `${at + salt}`)],
  ["a list of lists", () => items(30_000, () => [])],
];

/** A hostile value for the field; `at` chooses among those for its type. */
export function hostileFor(schema: Schema, at: number): readonly [name: string, make: MakeValue] {
  const { type, maxLength = 0, maxItems = 1000 } = present(schema);
  const turn = Math.floor(at / 2);
  const long: [string, MakeValue] = ["a mix of runs as long as the body", () => mix(turn, mostBytes / 2)];
  if (type === "array") {
    const many = () => items(maxItems, (index) => bait(runNames[index % runNames.length]!, 200));
    const all = [...listAttacks, ["as many long texts as allowed", many] as const, long];
    return all[at % all.length]!;
  }
  const run = runNames[turn % runNames.length]!;
  if (maxLength > 0 && at % 2 === 0) return [`${run} as long as allowed`, () => bait(run, maxLength)];
  return turn % 8 === 7 ? listAttacks[Math.floor(turn / 8) % listAttacks.length]! : long;
}
