// Modrinth's own client against this server, in `npm run test:long` alone: its license (LGPL) does not allow us to depend on
// it, so it is installed for the test.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { readPreset } from "#content/taxonomy/presets.js";
import { setTaxonomy } from "#content/taxonomy/write.js";
import { assignableScopes } from "#lib/scopes.js";
import { write } from "#platform/changes/write.js";
import { testApp } from "#test/server/harness.js";
import { isLong } from "#test/setup/long.js";
import { run } from "#test/setup/packed.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const folder = mkdtempSync(join(tmpdir(), "modshelf-modrinth-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.runIf(isLong)("the official client searches, reads, edits, and finds files by hash", async () => {
  await run("npm", ["install", "--no-save", "--prefix", folder, "@modrinth/api-client@0.77.0"], folder);
  const entry = pathToFileURL(join(folder, "node_modules/@modrinth/api-client/dist/index.js")).href;
  const { AuthFeature, GenericModrinthClient } = await import(entry);

  const world = await testApp();
  const { make, clock, resources, origin } = world;
  await write(resources, { credential: "test" }, (tx) => setTaxonomy(tx, readPreset("minecraft"), "test"));
  const author = await make.user({ userName: "ada" });
  const { value: token } = await make.token(author, { scopes: assignableScopes });
  const { id } = await makeProject(world, author, { slug: "lamps", name: "Lamps" });
  const fits = { loaders: ["fabric"], gameVersions: ["1.20.1"] };
  const old = await makeVersion(world, author, id, { ...fits, versionNumber: "1.0" });
  clock.advance(1000);
  const newest = await makeVersion(world, author, id, { ...fits, versionNumber: "1.1" });

  const features = [new AuthFeature({ token })];
  const { labrinth } = new GenericModrinthClient({ labrinthBaseUrl: origin, userAgent: "test/1.0", features });
  const { projects_v2: projects, versions_v2: versions, users_v2: users, tags_v2: tags } = labrinth;
  const found = await projects.search({ query: "lamps", facets: [["categories:fabric"], ["versions:1.20.1"]] });
  expect(found.hits.map(({ project_id }: { project_id: string }) => project_id)).toEqual([id]);
  expect(await projects.check("lamps")).toEqual({ id });
  expect(await projects.getMultiple([id, "none"])).toHaveLength(1);
  expect(await projects.getRandom(1)).toHaveLength(1);
  const listed = await versions.getProjectVersions("lamps", { loaders: ["fabric"], game_versions: ["1.20.1"] });
  expect(listed.map((version: { id: string }) => version.id)).toEqual([newest.id, old.id]);
  expect(await versions.getVersionFromFileHash(old.sha1, "sha1")).toMatchObject({ id: old.id });
  expect(await versions.getVersionFromIdOrNumber("lamps", "1.1")).toMatchObject({ id: newest.id });
  expect(await versions.getVersions([old.id, newest.id])).toHaveLength(2);
  expect(await users.get("ada")).toMatchObject({ username: "ada" });
  expect(await users.getProjects("ada")).toHaveLength(1);
  expect(await tags.getLicenseText("MIT")).toMatchObject({ body: expect.any(String) });
  await projects.edit("lamps", { title: "Bright lamps" });
  expect(await projects.get("lamps")).toMatchObject({ title: "Bright lamps" });
  expect(await projects.getDependencies("lamps")).toEqual({ projects: [], versions: [] });
  await versions.deleteVersion(old.id);
  await expect(versions.getVersion(old.id)).rejects.toMatchObject({ statusCode: 404 });
});
