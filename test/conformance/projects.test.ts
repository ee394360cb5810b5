// Projects: the rows of section 4, the notes of their fields, and the limits that section 8 repeats.
import { describe, expect } from "vitest";
import { uniqueName } from "#test/server/harness.js";
import { addMember, makeOrg, makeProject } from "#test/worlds/content.js";
import { makeVersion, type VersionOptions } from "#test/worlds/versions.js";
import { conforms } from "./conforms.js";
import { approve, conformanceWorld, createProject, good, uploadVersion } from "./world.js";

const world = await conformanceWorld();
const { as, make, clock } = world;
const author = await make.user();
const owner = as.user(author);
const get = async (path: string) => good(await as.anyone.get(path));

/** A project with these versions, the last one is the newest. */
async function projectWith(...versions: VersionOptions[]) {
  const project = await makeProject(world, author);
  for (const version of versions) {
    await makeVersion(world, author, project.id, version);
    clock.advance(1000);
  }
  return project;
}
const many = (count: number, options: VersionOptions = {}): VersionOptions[] =>
  Array.from({ length: count }, () => options);
const idsOf = (items: { id: string }[]): string[] => items.map(({ id }) => id);

describe("getProject", () => {
  conforms(
    { "4.project.get": "GET | /api/project/{ID|slug}", "4.project.get.response": "wrapper with project (full)" },
    async () => {
      const project = await projectWith({});
      const bySlug = await get(`/api/project/${project.slug}`);
      expect(Object.keys(bySlug).sort()).toEqual(["project", "success"]);
      expect(bySlug.success).toBe(true);
      expect(bySlug.project).toMatchObject({ id: project.id, slug: project.slug, teamId: project.teamId });
      expect(await get(`/api/project/${project.id}`)).toEqual(bySlug);
    },
  );

  conforms(
    {
      "4.project.get.includeVersions":
        "query includeVersions (true or false, default false): adds a versions field to the project",
      "2.Project.versions.note": "present only when includeVersions=true",
    },
    async () => {
      const { id } = await projectWith({ versionNumber: "1.0" }, { versionNumber: "2.0" });
      const versionsOf = async (query: string) => (await get(`/api/project/${id}${query}`)).project.versions;
      for (const query of ["", "?includeVersions=false", "?featuredOnly=true", "?includeVersions="])
        expect(await versionsOf(query), query).toBeUndefined();
      const { data } = await get(`/api/project/${id}/version`);
      const withoutMark = data.map(({ isDuplicate: _, ...version }: { isDuplicate: boolean }) => version);
      expect(await versionsOf("?includeVersions=true")).toEqual(withoutMark);
      const empty = await projectWith();
      expect((await get(`/api/project/${empty.id}?includeVersions=true`)).project.versions).toEqual([]);
    },
  );

  conforms(
    {
      "4.project.get.featuredOnly":
        "query featuredOnly (true or false, default false): restricts the included versions to featured ones",
    },
    async () => {
      const { id } = await projectWith({ versionNumber: "1.0" }, { versionNumber: "2.0", featured: true });
      const numbers = async (query: string) =>
        (await get(`/api/project/${id}?includeVersions=true${query}`)).project.versions.map(
          (version: { versionNumber: string }) => version.versionNumber,
        );
      expect(await numbers("")).toEqual(["2.0", "1.0"]);
      expect(await numbers("&featuredOnly=false")).toEqual(["2.0", "1.0"]);
      expect(await numbers("&featuredOnly=true")).toEqual(["2.0"]);
    },
  );

  conforms(
    {
      "3.fields": "A project has a status field and a requestedStatus field (nullable), and a visibility field.",
      "3.observed": "Observed values are status approved and visibility listed.",
    },
    async () => {
      const { id } = await createProject(owner, { type: ["shader"] });
      const state = async () => {
        const { status, requestedStatus, visibility } = good(await owner.get(`/api/project/${id}`)).project;
        return { status, requestedStatus, visibility };
      };
      expect(await state()).toEqual({ status: "draft", requestedStatus: null, visibility: "listed" });
      await uploadVersion(owner, id);
      good(await owner.patch(`/api/project/${id}/description`, { description: "Text" }));
      good(await owner.patch(`/api/project/${id}/license`, { id: "MIT" }));
      good(await owner.post(`/api/project/${id}/submit-for-review`));
      expect(await state()).toEqual({ status: "processing", requestedStatus: "approved", visibility: "listed" });
      await approve(world, id);
      expect(await state()).toEqual({ status: "approved", requestedStatus: null, visibility: "listed" });
    },
  );

  conforms(
    { "2.Project.visibility.note": "listed, unlisted and archived are the publicly visible kinds" },
    async () => {
      for (const visibility of ["listed", "unlisted", "archived"] as const) {
        const { slug } = await makeProject(world, author, { visibility });
        expect((await get(`/api/project/${slug}`)).project.visibility).toBe(visibility);
      }
      const { slug } = await makeProject(world, author, { visibility: "private" });
      for (const actor of [as.anyone, as.user(await make.user())])
        expect(await actor.get(`/api/project/${slug}`)).toFail(404, "projectNotFound");
      expect(good(await owner.get(`/api/project/${slug}`)).project.visibility).toBe("private");
    },
  );
});

describe("getProjects", () => {
  conforms(
    {
      "4.projects.list": "GET | /api/projects?ids=ID1,ID2 | ids (string[], max 100)",
      "4.projects.list.response": "array of ProjectListItem",
      "8.ids": "ids on /api/organizations, /api/projects and the multiple-users lookup | max 100 entries",
    },
    async () => {
      const [a, b] = [await projectWith(), await projectWith()];
      const items = await get(`/api/projects?ids=${b.id},${a.id}`);
      expect(idsOf(items)).toEqual([b.id, a.id]);
      expect(items[0]).not.toHaveProperty("versions");
      const fill = (count: number) => Array.from({ length: count }, (_, n) => `none${n}`).join(",");
      for (const path of ["/api/organizations", "/api/projects", "/api/users"]) {
        expect(await get(`${path}?ids=${fill(100)}`)).toEqual([]);
        expect(await as.anyone.get(`${path}?ids=${fill(101)}`)).toFail(400, "invalidRequest");
        for (const query of ["", "?ids="]) expect(await as.anyone.get(path + query)).toFail(400, "invalidRequest");
      }
      expect(idsOf(await get(`/api/projects?ids=${fill(99)},${a.id}`))).toEqual([a.id]);
    },
  );

  conforms(
    {
      "4.projects.list.versionList": "include (string): version-list adds versions as a list of versionNumber values",
      "4.projects.list.versionSlug": "version-slug adds versions as a list of version slugs",
      "4.projects.list.versionInfo": "version-info adds versions as a list of ProjectVersionData",
      "2.ProjectListItem.versions.note":
        "only with the include parameter of the multiple-projects endpoint (section 4)",
    },
    async () => {
      const { id } = await projectWith({ versionNumber: "1.0-RC" }, { versionNumber: "2.0-RC" });
      const versions = async (query: string) => (await get(`/api/projects?ids=${id}${query}`))[0].versions;
      expect(await versions("")).toBeUndefined();
      expect(await versions("&include=version-list")).toEqual(["2.0-RC", "1.0-RC"]);
      expect(await versions("&include=version-slug")).toEqual(["2.0-rc", "1.0-rc"]);
      expect(await versions("&include=version-info")).toEqual((await get(`/api/projects/versions?ids=${id}`))[id]);
      for (const path of [`/api/user/${author.id}/projects`, "/api/projects/random"])
        for (const item of await get(`${path}?include=version-list`)) expect(item).not.toHaveProperty("versions");
    },
  );

  conforms(
    {
      "4.projects.list.versionInfoLimit": "version-info-limit (number, default 15) caps the count for version-info",
      "8.versionInfoLimit": "version-info-limit on /api/projects | default 15, applies with include=version-info",
    },
    async () => {
      const [a, b] = [await projectWith(...many(17)), await projectWith(...many(16))];
      const counts = async (query: string) =>
        (await get(`/api/projects?ids=${a.id},${b.id}&${query}`)).map(
          (item: { versions: unknown[] }) => item.versions.length,
        );
      expect(await counts("include=version-info")).toEqual([15, 15]);
      expect(await counts("include=version-info&version-info-limit=3")).toEqual([3, 3]);
      expect(await counts("include=version-info&version-info-limit=100")).toEqual([17, 16]);
      for (const include of ["version-list", "version-slug"])
        expect(await counts(`include=${include}&version-info-limit=3`)).toEqual([17, 16]);
      for (const limit of ["0", "-1", "x", "1.5"])
        expect(await as.anyone.get(`/api/projects?ids=${a.id}&version-info-limit=${limit}`)).toFail(400);
    },
  );

  conforms({ "2.ProjectListItem.color.note": "hex color of the form #rrggbb" }, async () => {
    const { id } = await projectWith();
    expect((await get(`/api/projects?ids=${id}`))[0].color).toMatch(/^#[0-9a-f]{6}$/);
  });

  conforms(
    {
      "2.ProjectListItem.author.note": "user name of the author; absent in the random-projects list",
      "2.ProjectListItem.isOrgOwned.note": "absent in the random-projects list",
      "4.projects.random.response": "array of ProjectListItem (random-list variant)",
    },
    async () => {
      const org = await makeOrg(world, author);
      const common = await makeProject(world, author, { orgId: org.id });
      const own = await makeProject(world, author);
      await addMember(world, own.teamId, await make.user());
      const listed = await get(`/api/projects?ids=${own.id},${common.id}`);
      expect(listed).toMatchObject([
        { author: author.userName, isOrgOwned: false },
        { author: org.slug, isOrgOwned: true, orgName: "Sample organization" },
      ]);
      const random = await get("/api/projects/random?count=100");
      for (const { author: _author, isOrgOwned: _isOrgOwned, orgName: _orgName, ...item } of listed)
        expect(random.find(({ id }: { id: string }) => id === item.id)).toEqual(item);
    },
  );
});

describe("getRandomProjects", () => {
  conforms(
    {
      "4.projects.random": "GET | /api/projects/random | count (number, default 20, max 100)",
      "8.count": "count on /api/projects/random | default 20, max 100",
    },
    async () => {
      for (let n = 0; n < 22; n++) await makeProject(world, author, { slug: uniqueName("random") });
      const random = async (query: string) => idsOf(await get(`/api/projects/random${query}`));
      expect(await random("")).toHaveLength(20);
      expect(await random("?count=3")).toHaveLength(3);
      const all = await random("?count=100");
      expect(all.length).toBeGreaterThan(21);
      expect(new Set(all).size).toBe(all.length);
      for (const count of ["101", "0", "-1", "many"])
        expect(await as.anyone.get(`/api/projects/random?count=${count}`)).toFail(400, "invalidRequest");
      const first = new Set(await Promise.all(Array.from({ length: 12 }, async () => (await random("?count=1"))[0])));
      expect(first.size).toBeGreaterThan(1);
    },
  );
});

describe("getProjectsVersions", () => {
  conforms(
    {
      "4.projects.versions": "GET | /api/projects/versions?ids=ID1,ID2,ID3 | ids",
      "4.projects.versions.response": "map projectId to ProjectVersionData[]",
    },
    async () => {
      const [a, b, c] = [await projectWith({}, {}), await projectWith({}), await projectWith()];
      const map = await get(`/api/projects/versions?ids=${a.id},${b.id},${c.id},AAAAAAAA`);
      expect(Object.keys(map)).toEqual([a.id, b.id, c.id]);
      expect(Object.values(map as Record<string, unknown[]>).map((list) => list.length)).toEqual([2, 1, 0]);
      expect(map[b.id][0].projectId).toBe(b.id);
    },
  );

  conforms(
    {
      "4.projects.versions.limit": "limit (number, default 15, caps versions returned)",
      "8.limit": "limit on /api/projects/versions | default 15",
    },
    async () => {
      const [a, b] = [await projectWith(...many(17)), await projectWith(...many(16))];
      const counts = async (query: string) =>
        Object.values(await get(`/api/projects/versions?ids=${a.id},${b.id}${query}`)).map(
          (list) => (list as unknown[]).length,
        );
      expect(await counts("")).toEqual([15, 15]);
      expect(await counts("&limit=1")).toEqual([1, 1]);
      expect(await counts("&limit=100")).toEqual([17, 16]);
    },
  );

  conforms(
    {
      "4.projects.versions.gameVersion": "gameVersion (string)",
      "4.projects.versions.loader": "loader (string)",
    },
    async () => {
      const { id } = await projectWith(
        { versionNumber: "old", gameVersions: ["0.4.8"], loaders: ["quilt"] },
        { versionNumber: "new", gameVersions: ["0.4.9", "0.4.8"], loaders: ["puzzle_loader"] },
        { versionNumber: "bare", gameVersions: ["0.4.9"], loaders: [] },
      );
      const numbers = async (query: string) =>
        (await get(`/api/projects/versions?ids=${id}&${query}`))[id].map(
          (version: { versionNumber: string }) => version.versionNumber,
        );
      expect(await numbers("gameVersion=0.4.8")).toEqual(["new", "old"]);
      expect(await numbers("gameVersion=0.4.9")).toEqual(["bare", "new"]);
      expect(await numbers("loader=quilt")).toEqual(["old"]);
      expect(await numbers("loader=quilt&gameVersion=0.4.9")).toEqual([]);
      expect(await numbers("gameVersion=0.4")).toEqual([]);
    },
  );

  conforms(
    {
      "4.projects.versions.releaseChannel": "releaseChannel (release, beta, alpha or dev)",
      "4.channel":
        "releaseChannel on the multiple-projects versions endpoint returns versions of that channel and of all more stable channels (beta returns beta and release).",
      "4.channel.only": "Appending -only to the value (for example beta-only) returns only that channel.",
    },
    async () => {
      const channels = ["release", "beta", "alpha", "dev"] as const;
      const { id } = await projectWith(...channels.map((channel) => ({ channel })).reverse());
      const found = async (channel: string) =>
        (await get(`/api/projects/versions?ids=${id}&releaseChannel=${channel}`))[id].map(
          (version: { releaseChannel: string }) => version.releaseChannel,
        );
      for (const [index, channel] of channels.entries()) {
        expect(await found(channel)).toEqual(channels.slice(0, index + 1));
        expect(await found(`${channel}-only`)).toEqual([channel]);
      }
      expect((await get(`/api/projects/versions?ids=${id}`))[id]).toHaveLength(4);
      for (const channel of ["stable", "only", "-only", "beta-"])
        expect(await as.anyone.get(`/api/projects/versions?ids=${id}&releaseChannel=${channel}`)).toFail(400);
    },
  );
});
