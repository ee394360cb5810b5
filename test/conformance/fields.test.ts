// Section 2: every field of every resource exists under its name, with its type, null if it may be and is unset, and
// with the observed values.
import { describe, expect, test } from "vitest";
import { conforms } from "./conforms.js";
import { addedFields, conditionalFields, fieldRows, resources } from "./fields.js";
import { collectSamples } from "./samples.js";
import { fits, isNullable, isTimestamp, observedIn } from "./shape-check.js";
import { fieldId, fieldQuote } from "./statements.js";
import { cdnUrl, conformanceWorld, createProject, good } from "./world.js";

const world = await conformanceWorld();
const samples = await collectSamples(world);

describe.each(resources)("2. %s", (resource) => {
  const given = samples[resource];
  const conditional = conditionalFields[resource] ?? [];

  test("was seen with and without optional fields", () => {
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
    // Without a sample of both, "or null" would not be tested.
    expect(values.includes(null)).toBe(isNullable(type));
    for (const observed of observedIn(type)) expect(values.flat()).toContain(observed);
  });

  test("has no undocumented field", () => {
    const known = [...fieldRows(resource).map(([field]) => field), ...(addedFields[resource] ?? [])];
    expect([...new Set(given.flatMap((sample) => Object.keys(sample)))].filter((key) => !known.includes(key))).toEqual(
      [],
    );
  });
});

/** Every key and value of all samples, at any depth. */
function entriesOf(value: unknown): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(entriesOf);
  return Object.entries(value).flatMap(([key, item]) => [[key, item] as [string, unknown], ...entriesOf(item)]);
}
const entries = entriesOf(samples);

describe("the conventions", () => {
  conforms({ "2.ids": "all identifiers (id, projectId, teamId, userId and so on) are opaque strings." }, () => {
    const ids = entries.filter(([key, value]) => /^id$|Id$/.test(key) && key !== "licenseId" && value !== null);
    for (const key of ["id", "projectId", "teamId", "userId", "orgId", "versionId"])
      expect(ids.map(([name]) => name)).toContain(key);
    expect(ids.filter(([, value]) => typeof value !== "string" || value === "")).toEqual([]);
  });

  conforms({ "2.dates": "All dates are ISO 8601 timestamps in UTC, for example <timestamp>." }, () => {
    const dates = entries.filter(([key, value]) => key.startsWith("date") && value !== null);
    expect(dates.length).toBeGreaterThan(20);
    expect(dates.filter(([, value]) => !isTimestamp(value))).toEqual([]);
  });

  conforms({ "2.nullable": "Nullable means the field is present with a null value when unset." }, async () => {
    const owner = world.as.user(await world.make.user());
    const { id } = await createProject(owner, { type: ["mod"] });
    const { project } = good(await owner.get(`/api/project/${id}`));
    const nullable = fieldRows("Project").filter(([, type]) => isNullable(type));
    expect(nullable.length).toBe(8);
    for (const [field] of nullable) expect(project, field).toHaveProperty(field, null);
  });

  conforms(
    { "0.cdn": "File and image addresses in responses point to a separate content host, written {cdn_url}." },
    async () => {
      const addresses = new Set(
        entries
          .filter(([key]) => /^(?:icon|image|imageThumbnail|avatar|url|featured_gallery|profilePageBg)$/.test(key))
          .flatMap(([, value]) => (typeof value === "string" ? [value] : [])),
      );
      expect(addresses.size).toBeGreaterThan(8);
      for (const address of addresses) {
        expect(address.startsWith(`${cdnUrl}/cdn/data/`), address).toBe(true);
        expect(await world.as.anyone.get(address.slice(cdnUrl.length))).toSucceed();
      }
    },
  );
});
