// Section 2: every field of every resource is there under its name, with its type, null where it may be and is unset, and
// with the values that were seen.
import { describe, expect, test } from "vitest";
import { addedFields, conditionalFields, fieldRows, resources } from "./fields.js";
import { collectSamples } from "./samples.js";
import { fits, isNullable, observedIn } from "./shape-check.js";
import { fieldId, fieldQuote } from "./statements.js";
import { conformanceWorld } from "./world.js";

const samples = await collectSamples(await conformanceWorld());

describe.each(resources)("2. %s", (resource) => {
  const given = samples[resource];
  const conditional = conditionalFields[resource] ?? [];

  test("was seen, bare and full", () => {
    expect(given.length).toBeGreaterThan(1);
  });

  test.each(
    fieldRows(resource).map(
      ([field, type]) => [fieldId(resource, field), fieldQuote(field, type), field, type] as const,
    ),
  )('%s "%s"', (_id, _quote, field, type) => {
    const holders = given.filter((sample) => field in sample);
    if (conditional.includes(field)) expect(holders.length).toBeGreaterThan(0);
    else expect(holders).toHaveLength(given.length);
    const values = holders.map((sample) => sample[field]);
    expect(values.filter((value) => !fits(type, value))).toEqual([]);
    expect(values.some((value) => value !== null)).toBe(true);
    // Without a sample of both, the "or null" would not have been tested.
    expect(values.includes(null)).toBe(isNullable(type));
    for (const observed of observedIn(type)) expect(values.flat()).toContain(observed);
  });

  test("has no field that is not written down", () => {
    const known = [...fieldRows(resource).map(([field]) => field), ...(addedFields[resource] ?? [])];
    expect([...new Set(given.flatMap((sample) => Object.keys(sample)))].filter((key) => !known.includes(key))).toEqual(
      [],
    );
  });
});
