// Dependencies between projects, and who may see them.
import { describe, expect, test } from "vitest";
import { testApp } from "#test/server/harness.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make } = world;
const author = await make.user();

type Kind = "required" | "optional" | "incompatible" | "embedded";
const on = (projectId: string, type: Kind = "required", versionId: string | null = null) => ({
  projectId,
  versionId,
  type,
});
const idsOf = (list: { id: string }[]) => list.map(({ id }) => id);

describe("getDependencies", () => {
  const ask = async (ref: string, actor = as.anyone) => (await actor.get(`/api/project/${ref}/dependencies`)).body;

  test("lists the dependencies of all versions, each project once, most downloaded first, and the versions that are named", async () => {
    const [a, b, c, d] = await Promise.all([1, 2, 3, 4].map(() => makeProject(world, author)));
    const named = await makeVersion(world, author, b!.id, { changelog: "news" });
    await makeVersion(world, author, b!.id);
    const project = await makeProject(world, author);
    await makeVersion(world, author, project.id, { dependencies: [on(a!.id), on(b!.id, "optional", named.id)] });
    await makeVersion(world, author, project.id, { dependencies: [on(a!.id, "embedded"), on(c!.id, "incompatible")] });
    await setProject(world, c!.id, { downloads: 500 });
    await setProject(world, a!.id, { downloads: 50 });
    const { projects, versions } = await ask(project.slug);
    expect(idsOf(projects)).toEqual([c!.id, a!.id, b!.id]);
    expect(projects[0]).toMatchObject({ slug: c!.slug, author: author.userName });
    expect(versions).toEqual([
      {
        id: named.id,
        projectId: b!.id,
        authorId: author.id,
        title: `Version ${named.versionNumber}`,
        versionNumber: named.versionNumber,
        changelog: "news",
        slug: named.versionNumber,
        datePublished: expect.any(String),
        featured: false,
        downloads: 0,
        releaseChannel: "release",
        gameVersions: ["0.4.8"],
        loaders: ["quilt"],
      },
    ]);
    expect(await ask(d!.id)).toEqual({ projects: [], versions: [] });
  });

  test("leaves out projects and versions that the caller may not see", async () => {
    const hidden = await makeProject(world, author, { visibility: "private" });
    const version = await makeVersion(world, author, hidden.id);
    const project = await makeProject(world, author);
    await makeVersion(world, author, project.id, { dependencies: [on(hidden.id, "required", version.id)] });
    expect(await ask(project.id)).toEqual({ projects: [], versions: [] });
    const own = await ask(project.id, as.user(author));
    expect([idsOf(own.projects), idsOf(own.versions)]).toEqual([[hidden.id], [version.id]]);
  });

  test("answers 404 for a missing project", async () => {
    expect(await as.anyone.get("/api/project/never-was/dependencies")).toFail(404, "projectNotFound");
  });
});

describe("getDependents", () => {
  const ask = async (ref: string, query = "", actor = as.anyone) =>
    (await actor.get(`/api/project/${ref}/dependents${query}`)).body;

  test("lists the projects that depend on it, each once, most downloaded first, page by page", async () => {
    const library = await makeProject(world, author);
    const users: string[] = [];
    for (const downloads of [10, 30, 20]) {
      const { id } = await makeProject(world, author);
      await makeVersion(world, author, id, { dependencies: [on(library.id)] });
      await makeVersion(world, author, id, { dependencies: [on(library.id, "optional")] });
      await setProject(world, id, { downloads });
      users.push(id);
    }
    const [ten, thirty, twenty] = users;
    const { projects, ...rest } = await ask(library.slug);
    expect(idsOf(projects)).toEqual([thirty, twenty, ten]);
    expect(rest).toEqual({ total: 3, limit: 20, page: 1 });
    const second = await ask(library.id, "?limit=2&page=2");
    expect([idsOf(second.projects), second.total]).toEqual([[ten], 3]);
    expect(await ask(library.id, "?page=10000&limit=100")).toMatchObject({ projects: [], total: 3 });
    expect(await ask(library.id, "?type=embedded")).toMatchObject({ projects: [], total: 0 });
    expect((await ask(library.id, "?type=optional")).total).toBe(3);
  });

  test("leaves out projects that the caller may not see, and does not count them", async () => {
    const library = await makeProject(world, author);
    const hidden = await makeProject(world, author, { status: "draft" });
    await makeVersion(world, author, hidden.id, { dependencies: [on(library.id)] });
    expect(await ask(library.id)).toMatchObject({ projects: [], total: 0 });
    expect(await ask(library.id, "", as.user(author))).toMatchObject({ projects: [{ id: hidden.id }], total: 1 });
  });

  test.each(["limit=0", "limit=101", "limit=x", "page=0", "page=-1", "page=10001", "page=1e999", "type=all"])(
    "refuses ?%s with 400",
    async (query) => {
      const { slug } = await makeProject(world, author);
      expect(await as.anyone.get(`/api/project/${slug}/dependents?${query}`)).toFail(400, "invalidRequest");
    },
  );

  test("answers 404 for a missing project", async () => {
    expect(await as.anyone.get("/api/project/never-was/dependents")).toFail(404, "projectNotFound");
  });
});
