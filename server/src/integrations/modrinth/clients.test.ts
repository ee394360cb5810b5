// Programs that were written for Modrinth, as npm has them, against this server. Only the base URL is another.
import { type AuthConfig, AuthFeature, GenericModrinthClient } from "@modrinth/api-client";
import { ModrinthV2Client } from "@xmcl/modrinth";
import { Facet, FacetGroup, FacetOperation, FacetType, Modrinth, SearchFacets, SearchIndex, TagType } from "typerinth";
import { describe, expect, test } from "vitest";
import { readPreset } from "#content/taxonomy/presets.js";
import { setTaxonomy } from "#content/taxonomy/write.js";
import { assignableScopes } from "#lib/scopes.js";
import { write } from "#platform/changes/write.js";
import { jar } from "#test/callers/uploads.js";
import { drawPicture } from "#test/files/pictures.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { make, clock, resources, origin } = world;
await write(resources, { credential: "test" }, (tx) => setTaxonomy(tx, readPreset("minecraft"), "test"));
const author = await make.user({ userName: "ada" });
// Without "Bearer": Modrinth's clients send the token alone.
const { value: authorization } = await make.token(author, { scopes: assignableScopes });
const project = await makeProject(world, author, { slug: "lamps", name: "Lamps" });
const fits = { loaders: ["fabric"], gameVersions: ["1.20.1"] };
const old = await makeVersion(world, author, project.id, { ...fits, versionNumber: "1.0", featured: true });
clock.advance(1000);
const newest = await makeVersion(world, author, project.id, { ...fits, versionNumber: "1.1" });

describe("@xmcl/modrinth", () => {
  const client = new ModrinthV2Client({ baseUrl: origin, headers: { authorization } });

  test("searches, and reads projects, versions, members and tags", async () => {
    const facets = '[["categories:fabric"],["versions:1.20.1"],["project_type:mod"]]';
    const { hits, total_hits } = await client.searchProjects({ query: "lamps", facets, index: "downloads", limit: 5 });
    expect([total_hits, hits[0]?.project_id]).toEqual([1, project.id]);
    expect((await client.getProject("lamps")).id).toBe(project.id);
    expect(await client.getProjects([project.id, "none"])).toHaveLength(1);
    const listed = await client.getProjectVersions("lamps", { loaders: ["fabric"], gameVersions: ["1.20.1"] });
    expect(listed.map(({ id }) => id)).toEqual([newest.id, old.id]);
    expect(await client.getProjectVersions("lamps", { featured: true })).toHaveLength(1);
    expect((await client.getProjectVersion(old.id)).version_number).toBe("1.0");
    expect(await client.getProjectVersionsById([old.id, newest.id])).toHaveLength(2);
    expect((await client.getProjectTeamMembers("lamps"))[0]?.user.username).toBe("ada");
    expect((await client.getLoaderTags()).map(({ name }) => name)).toContain("fabric");
    expect((await client.getGameVersionTags())[0]?.version).toBe("26.3");
    expect(await client.getCategoryTags()).not.toEqual([]);
    expect(await client.getLicenseTags()).not.toEqual([]);
  });

  test("finds files and their updates by hash", async () => {
    expect((await client.getProjectVersionByHash(old.sha1, { algorithm: "sha1" })).id).toBe(old.id);
    expect((await client.getProjectVersionsByHash([old.sha512], "sha512"))[old.sha512]?.id).toBe(old.id);
    const filter = { algorithm: "sha1", loaders: ["fabric"], gameVersions: ["1.20.1"] };
    expect((await client.getLatestProjectVersion(old.sha1, filter)).id).toBe(newest.id);
    expect((await client.getLatestVersionsFromHashes([old.sha1], filter))[old.sha1]?.id).toBe(newest.id);
  });

  test("publishes and edits, follows, and reads the account", async () => {
    const made = await client.createVersion(
      {
        ...{ name: "Lamps 2.0", version_number: "2.0", changelog: "New", version_type: "release" },
        ...{ game_versions: ["1.21"], loaders: ["fabric"], project_id: project.id },
      },
      [{ partName: "file-0", fileName: "lamps-2.0.jar", data: new Blob([jar() as BlobPart]) }],
      "file-0",
    );
    expect(made.files[0]).toMatchObject({ filename: "lamps-2.0.jar", primary: true });
    await client.updateVersion(made.id, { name: "Lamps 2.0.0", status: "listed" });
    expect((await client.getProjectVersion(made.id)).name).toBe("Lamps 2.0.0");
    await client.updateProject("lamps", { title: "Bright lamps", body: "# Lamps" });
    await client.updateProjectIcon("lamps", await drawPicture(), "png");
    expect(await client.getProject("lamps")).toMatchObject({ title: "Bright lamps", icon_url: expect.any(String) });
    expect((await client.getAuthenticatedUser()).username).toBe("ada");
    expect(await client.getUserProjects("ada")).toHaveLength(1);
    await client.followProject(project.id);
    expect(await client.getUserFollowedProjects("ada")).toHaveLength(1);
    await client.unfollowProject(project.id);
  });

  test("learns what is wrong", async () => {
    await expect(client.getProject("none")).rejects.toMatchObject({ status: 404 });
    await expect(client.searchProjects({ facets: "nonsense" })).rejects.toMatchObject({
      ...{ status: 400, body: expect.stringContaining("facets") },
    });
  });
});

describe("typerinth", () => {
  const client = new Modrinth({
    baseUrl: origin,
    userAgent: "modshelf tests",
    authorization,
    cache: { useCache: false },
  });

  test("searches, and reads projects, versions, hashes, users, teams and tags", async () => {
    const facets = new SearchFacets(
      new FacetGroup(new Facet(FacetType.Categories, FacetOperation.Equals, "fabric")),
      new FacetGroup(new Facet(FacetType.Versions, FacetOperation.Equals, "1.20.1")),
    );
    const found = await client.search("lamps", { facets, index: SearchIndex.Newest, limit: 5 });
    expect(found.hits[0]?.slug).toBe("lamps");
    expect((await client.getProject("lamps")).id).toBe(project.id);
    expect(await client.getProjects([project.id])).toHaveLength(1);
    expect(await client.getRandomProjects(1)).toHaveLength(1);
    expect(await client.checkProjectValidity("lamps")).toBe(true);
    expect((await client.getProjectVersions("lamps", { loaders: ["fabric"] })).length).toBeGreaterThan(1);
    expect((await client.getVersion(old.id)).version_number).toBe("1.0");
    expect(await client.getVersions([old.id, newest.id])).toHaveLength(2);
    expect((await client.getVersionFromFileHash(old.sha1)).id).toBe(old.id);
    expect((await client.getUser("ada")).username).toBe("ada");
    expect(await client.getUsers([author.id])).toHaveLength(1);
    expect(await client.getUserProjects("ada")).toHaveLength(1);
    expect((await client.getAuthUser()).id).toBe(author.id);
    expect(await client.getProjectTeamMembers("lamps")).toHaveLength(1);
    expect(await client.getTeamMembers(project.teamId)).toHaveLength(1);
    for (const tag of Object.values(TagType)) expect(await client.getTag(tag), tag).not.toEqual([]);
    expect((await client.getLicense("MIT")).title).toBe("MIT License");
    expect((await client.getStatistics()).projects).toBeGreaterThan(0);
  });
});

// It has no function for a new version in v2.
describe("@modrinth/api-client, Modrinth's own", () => {
  const login: AuthConfig = { token: authorization };
  const features = [new AuthFeature(login)];
  const { labrinth } = new GenericModrinthClient({ labrinthBaseUrl: origin, userAgent: "test/1.0", features });
  const { projects_v2: projects, versions_v2: versions, users_v2: users, tags_v2: tags } = labrinth;

  test("searches, and reads projects, versions, hashes, users and tags", async () => {
    const { hits } = await projects.search({ query: "lamps", facets: [["categories:fabric"], ["versions:1.20.1"]] });
    expect(hits.map(({ project_id }) => project_id)).toEqual([project.id]);
    expect(await projects.check("lamps")).toEqual({ id: project.id });
    expect(await projects.getMultiple([project.id, "none"])).toHaveLength(1);
    expect(await projects.getRandom(1)).toHaveLength(1);
    expect(await projects.getDependencies("lamps")).toEqual({ projects: [], versions: [] });
    const listed = await versions.getProjectVersions("lamps", { loaders: ["fabric"], game_versions: ["1.20.1"] });
    expect(listed.map(({ id }) => id)).toEqual([newest.id, old.id]);
    expect(await versions.getVersionFromFileHash(old.sha1, "sha1")).toMatchObject({ id: old.id });
    expect(await versions.getVersionFromIdOrNumber("lamps", "1.1")).toMatchObject({ id: newest.id });
    expect(await versions.getVersions([old.id, newest.id])).toHaveLength(2);
    expect(await users.get("ada")).toMatchObject({ username: "ada" });
    expect(await users.getProjects("ada")).toHaveLength(1);
    expect(await tags.getLicenseText("MIT")).toMatchObject({ body: expect.any(String) });
  });

  test("edits a project, and deletes a version", async () => {
    await projects.edit("lamps", { title: "Dim lamps" });
    expect(await projects.get("lamps")).toMatchObject({ title: "Dim lamps" });
    await versions.deleteVersion(old.id);
    await expect(versions.getVersion(old.id)).rejects.toMatchObject({ statusCode: 404 });
  });
});
