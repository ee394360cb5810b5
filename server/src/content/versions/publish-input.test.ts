// createVersion: valid and invalid fields of a version, and its slug.
import { describe, expect, test } from "vitest";
import { jarFile, publishTo, toForm, type UploadParts, uploadForm } from "#test/callers/uploads.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make } = world;
const author = await make.user();
const me = as.user(author);
const project = await makeProject(world, author);
const library = await makeProject(world, author);
const lists = await makeProject(world, author);
const libraryVersion = await makeVersion(world, author, library.id);
const foreign = await makeProject(world, await make.user(), { visibility: "private" });
const open = await makeProject(world, await make.user());

const depends = (projectId: unknown, more: object = {}) => [{ projectId, dependencyType: "required", ...more }];
const pathsOf = ({ body }: { body: { issues?: { path: string }[] } }) => body.issues?.map(({ path }) => path);

describe("createVersion accepts lists", () => {
  const send = async (more: [string, string][]) => {
    const form = toForm({ versionNumber: `2.0.${numbers++}`, primaryFile: jarFile() });
    for (const [name, text] of more) form.append(name, text);
    return me.call("POST", `/api/project/${lists.id}/version`, { body: form });
  };
  let numbers = 0;
  const wanted = { gameVersions: ["0.4.9", "0.4.8"], loaders: ["quilt"], dependencies: [{ projectId: library.id }] };
  const dependency = JSON.stringify(depends(library.id)[0]);

  test("with one part per entry, as generated clients send them", async () => {
    const reply = await send([
      ["gameVersions", "0.4.8"],
      ["gameVersions", "0.4.9"],
      ["loaders", "quilt"],
      ["dependencies", dependency],
    ]);
    expect(reply).toSucceed();
    expect(reply.body.data).toMatchObject(wanted);
  });

  test("with one part for the whole list, as publish scripts send them", async () => {
    const reply = await send([
      ["gameVersions", '["0.4.8","0.4.9"]'],
      ["loaders", '["quilt"]'],
      ["dependencies", `[${dependency}]`],
    ]);
    expect(reply).toSucceed();
    expect(reply.body.data).toMatchObject(wanted);
  });

  test("and refuses other repeated parts, and invalid entries", async () => {
    expect(
      await send([
        ["title", "One"],
        ["title", "Two"],
      ]),
    ).toFail(400, "multipartInvalid");
    for (const text of ["{", "[]]", "null", "library"])
      expect(
        pathsOf(
          await send([
            ["dependencies", text],
            ["gameVersions", "0.4.8"],
          ]),
        ),
      ).toEqual(["dependencies"]);
  });
});

describe("createVersion refuses", () => {
  test.each<[string, UploadParts, string]>([
    ["a title of one letter", { title: "x" }, "title"],
    ["an empty title", { title: "" }, "title"],
    ["a title of 65 letters", { title: "x".repeat(65) }, "title"],
    ["a title of white space", { title: "\u3000\u200b" }, "title"],
    ["a title with a right-to-left override", { title: "gpj.\u202eexe" }, "title"],
    ["a title of two lines", { title: "a\nb" }, "title"],
    ["a changelog of 65,257 letters", { changelog: "x".repeat(65_257) }, "changelog"],
    ["a channel that does not exist", { releaseChannel: "nightly" }, "releaseChannel"],
    ["a channel in capitals", { releaseChannel: "Release" }, "releaseChannel"],
    ["a filter for a channel", { releaseChannel: "beta-only" }, "releaseChannel"],
    ["a number that begins with a dot", { versionNumber: ".1" }, "versionNumber"],
    ["a number with a slash", { versionNumber: "1/2" }, "versionNumber"],
    ["a number with a space", { versionNumber: "1 2" }, "versionNumber"],
    ["a number in Arabic digits", { versionNumber: "١" }, "versionNumber"],
    ["a number of 65 characters", { versionNumber: "1".repeat(65) }, "versionNumber"],
    ["an empty number", { versionNumber: "" }, "versionNumber"],
    ["no game version", { gameVersions: [] }, "gameVersions"],
    ["a game version that does not exist", { gameVersions: ["0.4.8", "9.9.9"] }, "gameVersions"],
    ["game versions that are not a list", { gameVersions: '"0.4.8"' }, "gameVersions"],
    ["game versions that are not JSON", { gameVersions: '["0.4.8"' }, "gameVersions"],
    ["game versions that are not strings", { gameVersions: [0.4] }, "gameVersions"],
    ["1,001 game versions", { gameVersions: Array(1001).fill("0.4.8") }, "gameVersions"],
    ["a loader that does not exist", { loaders: ["forge"] }, "loaders"],
    ["a loader of another type of project", { loaders: ["quilt", "paradox"] }, "loaders"],
    ["loaders that are not a list", { loaders: { quilt: true } }, "loaders"],
    ["a loader with a very long name", { loaders: ["x".repeat(60_000)] }, "loaders"],
    ["a dependency on nothing", { dependencies: depends("nothing") }, "dependencies"],
    ["a dependency that the author cannot see", { dependencies: depends(foreign.id) }, "dependencies"],
    ["a dependency on itself", { dependencies: depends(project.id) }, "dependencies"],
    ["a dependency on itself by slug", { dependencies: depends(project.slug.toUpperCase()) }, "dependencies"],
    [
      "a dependency of an unknown type",
      { dependencies: [{ projectId: library.id, dependencyType: "loves" }] },
      "dependencies",
    ],
    ["a dependency without a type", { dependencies: [{ projectId: library.id }] }, "dependencies"],
    ["a dependency without a project", { dependencies: depends(undefined) }, "dependencies"],
    ["a dependency that is a string", { dependencies: [library.id] }, "dependencies"],
    ["a dependency that is null", { dependencies: [null] }, "dependencies"],
    ["dependencies that are not a list", { dependencies: "{}" }, "dependencies"],
    [
      "a version of another project",
      { dependencies: depends(open.id, { versionId: libraryVersion.id }) },
      "dependencies",
    ],
    ["a version that does not exist", { dependencies: depends(library.id, { versionId: "AAAAAAAA" }) }, "dependencies"],
    ["a version that is a number", { dependencies: depends(library.id, { versionId: 7 }) }, "dependencies"],
    ["257 dependencies", { dependencies: Array(257).fill(depends(library.id)[0]) }, "dependencies"],
    ["no primary file", { primaryFile: undefined }, "primaryFile"],
  ])("%s", async (_what, parts, path) => {
    const reply = await publishTo(me, project.id, parts);
    expect(reply).toFail(400, "invalidRequest");
    expect(pathsOf(reply)).toEqual([path]);
    expect(reply.text.length).toBeLessThan(2000);
  });

  test("several mistakes at once, reported part by part", async () => {
    const reply = await publishTo(me, project.id, { gameVersions: ["x"], loaders: ["y"], dependencies: depends("z") });
    expect(pathsOf(reply)).toEqual(["loaders", "gameVersions", "dependencies"]);
    const texts = await publishTo(me, project.id, { title: "", versionNumber: "/", releaseChannel: "x" });
    expect(pathsOf(texts)?.sort()).toEqual(["releaseChannel", "title", "versionNumber"]);
  });

  test("a form without files, JSON, and an invalid form", async () => {
    const path = `/api/project/${project.id}/version`;
    const text = await me.post(path, { versionNumber: "1", gameVersions: ["0.4.8"] });
    expect([text.status, pathsOf(text)]).toEqual([400, ["primaryFile"]]);
    const form = new URLSearchParams({ versionNumber: "1" }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect(await me.call("POST", path, { body: form, headers })).toFail(415, "unsupportedMediaType");
  });

  test("without making anything visible", async () => {
    expect((await me.get(`/api/project/${project.id}/version`)).body.data).toEqual([]);
  });
});

describe("createVersion accepts", () => {
  test("dependencies by id or slug; if a project is named twice, the last entry counts", async () => {
    const dependencies = [
      ...depends(library.slug.toUpperCase(), { versionId: "" }),
      ...depends(open.id, { versionId: null, unknown: true }),
      { projectId: library.id, versionId: libraryVersion.id, dependencyType: "incompatible" },
    ];
    const { body } = await publishTo(me, project.id, { dependencies });
    const wanted = [
      { projectId: library.id, versionId: libraryVersion.id, dependencyType: "incompatible" },
      { projectId: open.id, versionId: null, dependencyType: "required" },
    ];
    expect(body.data.dependencies).toHaveLength(2);
    expect(body.data.dependencies).toEqual(expect.arrayContaining(wanted));
  });

  test("256 dependencies, and cycles", async () => {
    const [a, b] = [await makeProject(world, author), await makeProject(world, author)];
    expect(await publishTo(me, a.id, { dependencies: depends(b.id) })).toSucceed();
    expect(await publishTo(me, b.id, { dependencies: depends(a.id) })).toSucceed();
    expect(await publishTo(me, b.id, { dependencies: Array(256).fill(depends(a.id)[0]) })).toSucceed();
  });

  test("texts up to their limits, counted in characters", async () => {
    const parts = { title: "🌱".repeat(64), changelog: "🌱".repeat(60_000), versionNumber: `1${"0".repeat(63)}` };
    const { body } = await publishTo(me, project.id, parts);
    expect(body.data).toMatchObject(parts);
  });

  test("lists in a part with the type JSON, and repeated names", async () => {
    const form = uploadForm({ gameVersions: undefined, loaders: ["quilt", "quilt"], versionNumber: "json.1" });
    form.append("gameVersions", new Blob(['["0.4.8","0.4.8"]'], { type: "application/json" }));
    // This form sends the list as a file, but only a text part can be a list.
    expect(await me.call("POST", `/api/project/${project.id}/version`, { body: form })).toFail(400);
    const body = [
      ...["versionNumber", "title"].map(
        (name) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\njson.2`,
      ),
      '--b\r\ncontent-disposition: form-data; name="gameVersions"\r\ncontent-type: application/json\r\n\r\n["0.4.8","0.4.8"]',
      '--b\r\ncontent-disposition: form-data; name="primaryFile"; filename="a.jar"\r\n\r\n',
    ].join("\r\n");
    const bytes = Buffer.concat([Buffer.from(body), jarFile().bytes, Buffer.from("\r\n--b--\r\n")]);
    const reply = await me.call("POST", `/api/project/${project.id}/version`, {
      body: new Uint8Array(bytes),
      headers: { "content-type": "multipart/form-data; boundary=b" },
    });
    expect(reply.body.data).toMatchObject({ versionNumber: "json.2", gameVersions: ["0.4.8"] });
  });

  test("the file types of each type of the project", async () => {
    const pack = await makeProject(world, author, { types: ["resource-pack", "shader"] });
    const zipped = { ...jarFile(), name: "pack.ZIP" };
    expect((await publishTo(me, pack.id, { loaders: [], primaryFile: zipped })).body.data.primaryFile).toMatchObject({
      name: "pack.ZIP",
      type: "zip",
    });
    expect(await publishTo(me, pack.id, { loaders: ["simply_shaders"] })).toSucceed();
    expect(await publishTo(me, project.id, { primaryFile: zipped })).toFail(400, "fileRefused");
  });
});

describe("the slug of a version", () => {
  test("is its number in lower case, or its id if that slug is taken or reserved", async () => {
    const own = await makeProject(world, author);
    const slugs: [string, string | undefined][] = [
      ["1.0-RC", "1.0-rc"],
      ["1.0-rc", undefined],
      ["1.0-Rc", undefined],
      ["latest", undefined],
      ["NEW", undefined],
      ["newer", "newer"],
    ];
    for (const [versionNumber, slug] of slugs) {
      const { data } = (await publishTo(me, own.id, { versionNumber })).body;
      expect(data.slug, versionNumber).toBe(slug ?? data.id);
      const found = await me.get(`/api/project/${own.id}/version/${data.slug}`);
      expect(found.body.data.versionNumber).toBe(versionNumber);
    }
    expect((await me.get(`/api/project/${own.id}/version/latest`)).body.data.versionNumber).toBe("newer");
  });

  test("never hides a version whose id is equal to it", async () => {
    const own = await makeProject(world, author);
    const first = (await publishTo(me, own.id)).body.data;
    const second = (await publishTo(me, own.id, { versionNumber: first.id.toLowerCase() })).body.data;
    const base = `/api/project/${own.id}/version`;
    expect((await me.get(`${base}/${first.id}`)).body.data.id).toBe(first.id);
    expect((await me.patch(`${base}/${first.id}`, { title: "The first" })).body.data.id).toBe(first.id);
    expect((await me.patch(`${base}/${second.slug}`, { title: "The second" })).body.data.id).toBe(second.id);
    expect(await me.delete(`${base}/${first.id}`)).toSucceed();
    expect((await me.get(base)).body.data.map(({ id }: { id: string }) => id)).toEqual([second.id]);
  });
});

test("an empty form is refused with the names of the missing fields", async () => {
  const reply = await me.call("POST", `/api/project/${project.id}/version`, { body: toForm({}) });
  expect([reply.status, pathsOf(reply)]).toEqual([400, ["primaryFile"]]);
});
