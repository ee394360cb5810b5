// After an import, also after one that was killed several times, every read route of the interface answers the same on
// both registries.
import { expect, test } from "vitest";
import { armFailPoint, type FailPoint } from "#lib/fail-points.js";
import { sampleOf } from "#test/setup/long.js";
import { hiddenSlugs, importInto, makeImportWorld, siteOnPort } from "#test/worlds/import-world.js";
import { type IsDifferent, readRoutes, walkReads } from "#test/worlds/read-walk.js";

const isShown = (slug: string) => !hiddenSlugs.includes(slug);

/** All differences; docs/moving.md lists the same. Ids are compared by what they name. */
const differences: ReadonlySet<string> = new Set([
  ...["downloads", "color", "importedFrom", "dateJoined"],
  // These differ between any two answers.
  ...["requestId", "processingTimeMs"],
]);
const isDifferent: IsDifferent = (field, object) =>
  differences.has(field) || (field === "created" && "username" in object);

/** Requests after which the import is killed, and places in a publication. */
const moments: readonly (number | FailPoint)[] = [
  ...[3, 17, 19],
  ...(["upload: blobs kept", "publish: before commit", "publish: after commit"] as const),
  19,
];

const kills = sampleOf(moments, { step: 2, turn: 1 });

test.each([
  ["our own interface, killed several times", "crmm", { isPlain: false }, kills],
  ["Modrinth's API v2, for what it can show", "modrinth", { isPlain: true }, []],
] as const)("every read route answers the same after an import through %s", async (_what, kind, content, ends) => {
  const { site } = await makeImportWorld(content);
  const { url } = site.config.http;
  const target = await siteOnPort();
  const keeper = await target.make.user({ userName: "keeper" });
  for (const moment of ends) {
    const isRequest = typeof moment === "number";
    if (!isRequest)
      armFailPoint(moment, () => {
        throw new Error("The test ends the import.");
      });
    const ended = importInto(target, keeper, url, isRequest ? { kind, endAt: moment } : { kind });
    await expect(ended).rejects.toThrow("The test ends the import.");
    armFailPoint("publish: after commit", () => {});
  }
  const report = await importInto(target, keeper, url, { kind });
  expect(report).toMatchObject({ kind, refused: [], notes: [], unmappedMembers: [], unresolvedDependencies: [] });
  const there = await walkReads(site, isShown, isDifferent);
  const here = await walkReads(target, isShown, isDifferent);
  expect(Object.fromEntries(here)).toEqual(Object.fromEntries(there));
  // The walk has seen content.
  const found = [...there.values()].filter((answer) => (answer as { status: number }).status === 200);
  expect(found.length).toBeGreaterThan(200);
  expect(readRoutes.length).toBeGreaterThan(70);
  await Promise.all([site.stop(), target.stop()]);
});
