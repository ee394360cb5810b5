// After a change only the versions that it touched are read again; answers are the same as if all of them were.
import { truncateSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { preparedOf } from "#content/catalog/prepared-catalog.js";
import { rowContext } from "#content/projects/entries.js";
import { segmentPath } from "#content/records/journal.js";
import { publishTo } from "#test/callers/uploads.js";
import { testApp } from "#test/server/harness.js";
import { listStatements } from "#test/server/statement-count.js";
import { addMember, makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { loadTouched } from "./partial-load.js";

const world = await testApp({ preparesInThread: true });
const { as, make, resources } = world;
const author = await make.user();
const owner = as.user(author);
// Not made later: while a user is made, projects are prepared twice, because any of them may name the user.
const reader = as.user(await make.user());
afterEach(() => vi.restoreAllMocks());

/** The same from prepared answers and from the rows: signed-in callers get the latter. */
async function expectSame(id: string): Promise<void> {
  for (const path of [`/api/project/${id}/version`, `/api/project/${id}`, `/api/projects?ids=${id}`])
    expect((await as.anyone.get(path)).body).toEqual((await reader.get(path)).body);
}

/** The versions that the next preparing of the project is told to read, after these changes. */
async function touchedBy(
  id: string,
  change: () => Promise<unknown>,
  changes = 1,
): Promise<readonly string[] | undefined> {
  await expectSame(id);
  const prepare = vi.spyOn(preparedOf(resources).tasks!, "prepare");
  await change();
  await expectSame(id);
  const inputs = prepare.mock.calls.map(([input]) => input).filter(({ ids }) => ids.includes(id));
  prepare.mockRestore();
  // On a busy machine a change may be prepared before the next one is made.
  expect(inputs.length).toBeGreaterThanOrEqual(1);
  expect(inputs.length).toBeLessThanOrEqual(changes);
  expect(inputs[0]!.before[inputs[0]!.ids.indexOf(id)]).toBeDefined();
  return inputs[0]!.touched[inputs[0]!.ids.indexOf(id)];
}

describe("after a change of a project with versions", () => {
  test("only the versions that look different are read again", async () => {
    const { id } = await makeProject(world, author);
    const versions = [];
    for (const changelog of ["one", "two", "three"]) versions.push(await makeVersion(world, author, id, { changelog }));
    const [first, second, third] = versions.map((version) => version.id) as [string, string, string];
    const path = (version: string) => `/api/project/${id}/version/${version}`;

    expect(
      await touchedBy(id, async () => {
        expect(await publishTo(owner, id, { versionNumber: "9.0", changelog: "three" })).toSucceed();
      }),
    ).toHaveLength(1);
    const { data } = (await as.anyone.get(`/api/project/${id}/version`)).body;
    expect(data[0]).toMatchObject({ versionNumber: "9.0", isDuplicate: true });

    const edit = (version: string, changelog: string) => async () =>
      expect(await owner.patch(path(version), { changelog })).toSucceed();
    // The newer version has the same changelog now, and says so.
    expect(await touchedBy(id, edit(first, "two"))).toEqual([first]);
    expect(await touchedBy(id, edit(second, "three"))).toEqual([second]);

    const yank = async () =>
      expect(await owner.post(`${path(first)}/yank`, { reason: "broken", replacement: third })).toSucceed();
    expect(await touchedBy(id, yank)).toEqual([first]);
    // Its neighbour is read, and still names its replacement.
    expect(await touchedBy(id, edit(second, "four"))).toEqual([second]);
    expect(await touchedBy(id, edit(first, "five"))).toEqual([first]);
    const unyank = async () => expect(await owner.delete(`${path(first)}/yank`)).toSucceed();
    expect(await touchedBy(id, unyank)).toEqual([first]);

    const follow = async () => expect(await owner.post(`/api/project/${id}/follow`)).toSucceed();
    expect(await touchedBy(id, follow)).toEqual([]);
    const rename = async () => expect(await owner.patch(`/api/project/${id}`, { name: "Another name" })).toSucceed();
    expect(await touchedBy(id, rename)).toEqual([]);
  });

  test("all of them are read again if any of them may look different, or is gone", async () => {
    const { id, teamId } = await makeProject(world, author);
    const bytes = Buffer.from("the same file");
    const older = await makeVersion(world, author, id, { bytes });
    const newer = await makeVersion(world, author, id, { bytes });
    const remove = async () => expect(await owner.delete(`/api/project/${id}/version/${newer.id}`)).toSucceed();
    expect(await touchedBy(id, remove)).toBeUndefined();
    const found = await as.anyone.post("/api/version-files", { hashes: [older.sha512] });
    expect(found.body[older.sha512].id).toBe(older.id);
    const member = await make.user();
    expect(await touchedBy(id, () => addMember(world, teamId, member))).toBeUndefined();
    // A change of the project that leaves its versions alone does not hide an earlier one that does not.
    const both = async () => {
      expect(await owner.delete(`/api/project/${id}/version/${older.id}`)).toSucceed();
      expect(await publishTo(owner, id, { versionNumber: "3.0" })).toSucceed();
    };
    expect(await touchedBy(id, both, 2)).toBeUndefined();
  });
});

test("versions that are missing in the file of the record are read again", async () => {
  const { id } = await makeProject(world, author);
  const versions: { id: string }[] = [];
  for (let index = 0; index < 3; index++) versions.push(await makeVersion(world, author, id));
  const edit = async () => {
    const { places, folder } = preparedOf(resources);
    const { segment, offset, length } = places.any(id)!;
    truncateSync(segmentPath(folder!, segment), offset + length - 16);
    expect(
      await owner.patch(`/api/project/${id}/version/${versions[2]!.id}`, { changelog: "Another text" }),
    ).toSucceed();
  };
  expect(await touchedBy(id, edit)).toEqual([versions[2]!.id]);
});

test("three versions are read completely, whatever their number", async () => {
  const { id } = await makeProject(world, author);
  const made: string[] = [];
  for (let index = 0; index < 30; index++) made.push((await makeVersion(world, author, id)).id);
  const context = await rowContext(resources);
  const load = (known: readonly string[], touched: string[]) =>
    loadTouched(context, [{ projectId: id, known, touched }]);
  // The server does other things in the background, which end some time.
  await expect
    .poll(async () => {
      const statements = await listStatements(resources.db, () => load(made, [made[10]!]));
      const own = statements.filter(({ query }) =>
        /^select [^;]*from "(versions|version_files|dependencies)"/.test(query.sql),
      );
      return own.map(({ rows }) => rows).toSorted((a, b) => a - b);
    })
    .toEqual([0, 3, 3, 30]);
  // A version that is not known is read too.
  const versions = (await load(made.slice(0, -1), [])).get(id)!;
  expect(versions).toHaveLength(30);
  expect(versions.filter((version) => "own" in version).map((version) => version.id)).toEqual([made[29]]);
  // A version is gone: nothing of the project is kept.
  expect((await load([...made, "Gone0000"], [])).has(id)).toBe(false);
});
