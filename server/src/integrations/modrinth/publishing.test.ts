// Publishing and editing through the Modrinth face.
import { describe, expect, test } from "vitest";
import { readPreset } from "#content/taxonomy/presets.js";
import { setTaxonomy } from "#content/taxonomy/write.js";
import { assignableScopes } from "#lib/scopes.js";
import { write } from "#platform/changes/write.js";
import type { Actor } from "#test/callers/actors.js";
import { jar } from "#test/callers/uploads.js";
import { indexFile, mrpack } from "#test/files/packs.js";
import { drawPicture } from "#test/files/pictures.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, resources } = world;
await write(resources, { credential: "test" }, (tx) => setTaxonomy(tx, readPreset("minecraft"), "test"));
const [author, stranger] = [await make.user(), await make.user()];
const me = await as.token(author, { scopes: assignableScopes });
const other = await as.token(stranger, { scopes: assignableScopes });
const project = await makeProject(world, author, { slug: "lamps", name: "Lamps" });
const library = await makeProject(world, author);
const pinned = await makeVersion(world, author, library.id, { loaders: ["fabric"], gameVersions: ["1.20.1"] });

const data = {
  ...{ name: "Lamps 1.0", version_number: "1.0", changelog: "Lamps", version_type: "beta", featured: true },
  ...{ game_versions: ["1.20.1"], loaders: ["fabric"], status: "listed", project_id: project.id },
  dependencies: [
    { version_id: pinned.id, dependency_type: "required" },
    { file_name: "elsewhere.jar", dependency_type: "optional" },
  ],
};
type Files = Record<string, [name: string, bytes: Buffer]>;
function post(actor: Actor, path: string, fields: object | string, files: Files) {
  const form = new FormData();
  form.append("data", typeof fields === "string" ? fields : JSON.stringify(fields));
  for (const [part, [name, bytes]] of Object.entries(files)) form.append(part, new Blob([bytes as BlobPart]), name);
  return actor.call("POST", path, { body: form });
}
const publish = (fields: object | string, files: Files, actor = me) => post(actor, "/v2/version", fields, files);

describe("modrinthCreateVersion", () => {
  test("publishes files of any part names; the same again changes nothing", async () => {
    const files: Files = { "lamps-sources": ["lamps-sources.jar", jar()], "lamps-0": ["lamps.jar", jar()] };
    const fields = { ...data, file_parts: ["lamps-0", "lamps-sources"] };
    const { body, status, text } = await publish(fields, files);
    expect(status, text).toBe(200);
    expect(body).toMatchObject({
      ...{ project_id: project.id, name: "Lamps 1.0", version_number: "1.0", version_type: "beta", featured: true },
      ...{ changelog: "Lamps", loaders: ["fabric"], game_versions: ["1.20.1"], author_id: author.id },
      dependencies: [{ project_id: library.id, version_id: pinned.id, dependency_type: "required" }],
    });
    expect(body.files.map(({ filename, primary }: Record<string, unknown>) => [filename, primary])).toEqual([
      ["lamps.jar", true],
      ["lamps-sources.jar", false],
    ]);
    expect((await as.anyone.get(`/v2/version/${body.id}`)).body).toEqual(body);
    expect((await publish(fields, files)).body.id).toBe(body.id);
    expect(await publish(fields, { "lamps-0": ["lamps.jar", jar()] })).toFail(409, "versionNumberTaken");
    const named = { ...data, version_number: "1.1", file_parts: ["a", "b"], primary_file: "b" };
    const second = await publish(named, { a: ["a.jar", jar()], b: ["b.jar", jar()] });
    expect(second.body.files[0]).toMatchObject({ filename: "b.jar", primary: true });
  });

  test("publishes a pack, whose contents become embedded dependencies", async () => {
    const pack = await makeProject(world, author, { types: ["modpack"] });
    const fields = { ...data, project_id: pack.id, dependencies: [] };
    const bytes = mrpack([indexFile("mods/library.jar", pinned.bytes), indexFile("mods/elsewhere.jar", "elsewhere")]);
    const { body, status, text } = await publish(fields, { pack: ["pack.mrpack", bytes] });
    expect(status, text).toBe(200);
    expect(body.files[0]).toMatchObject({ filename: "pack.mrpack", primary: true });
    expect(body.dependencies).toMatchObject([
      { project_id: library.id, version_id: pinned.id, dependency_type: "embedded" },
    ]);
    const wrong = mrpack([indexFile("../a.jar", "a")]);
    const refused = await publish({ ...fields, version_number: "2.0" }, { pack: ["pack.mrpack", wrong] });
    expect(refused.body).toMatchObject({ error: "invalid_input", code: "packInvalid" });
  });

  test.each<[string, object | string, string]>([
    ["no JSON", "{", "JSON"],
    ["no object", "[]", "data"],
    ["no project", { ...data, project_id: undefined }, "project_id"],
    ["an unknown loader", { ...data, loaders: ["CANARY"] }, "loaders"],
    ["an unknown game version", { ...data, game_versions: ["9.9"] }, "game_versions"],
    ["an unusable number", { ...data, version_number: "a/b" }, "version_number"],
    ["a long name", { ...data, name: "x".repeat(100) }, "name"],
    ["a channel that does not exist", { ...data, version_type: "dev" }, "version_type"],
    ["a status that is not possible", { ...data, status: "scheduled" }, "status"],
    ["a part that is not named", { ...data, file_parts: ["other"] }, "file_parts"],
    [
      "an unknown dependency",
      { ...data, dependencies: [{ version_id: "nowhere", dependency_type: "required" }] },
      "dependencies",
    ],
  ])("refuses %s with a sentence that names the field", async (_what, fields, named) => {
    const sent = typeof fields === "string" ? fields : { version_number: "2.0", ...fields };
    const { status, body } = await publish(sent, { file: ["x.jar", jar()] });
    expect([status, body.error]).toEqual([400, "invalid_input"]);
    expect(body.description).toContain(named);
  });

  test("does not name the project of a hidden version", async () => {
    const draft = await makeProject(world, stranger, { status: "draft" });
    const { id } = await makeVersion(world, stranger, draft.id, {});
    const dependencies = [{ version_id: id, dependency_type: "required" }];
    const { status, text } = await publish(
      { ...data, version_number: "5.0", dependencies },
      { file: ["x.jar", jar()] },
    );
    expect([status, text.includes(id), text.includes(draft.id)]).toEqual([400, true, false]);
  });

  test("refuses a missing file, files that are no archives, and callers who may not publish", async () => {
    const fields = { ...data, version_number: "3.0" };
    expect((await publish(fields, {})).body).toMatchObject({ error: "invalid_input" });
    expect((await publish(fields, { file: ["x.jar", Buffer.from("no archive")] })).body).toMatchObject({
      ...{ error: "invalid_input", code: "fileRefused" },
    });
    const files: Files = { file: ["x.jar", jar()] };
    expect(await publish(fields, files, other)).toFail(403, "permissionMissing");
    expect(await publish({ ...fields, project_id: "none" }, files)).toFail(404, "projectNotFound");
    const reader = await as.token(author, { scopes: ["version_read"] });
    expect(await publish(fields, files, reader)).toFail(403, "scopeMissing");
    expect(await publish(fields, files, as.anyone)).toFail(401, "signInNeeded");
    expect((await me.post("/v2/version", { data: "{}" })).status).toBe(400);
  });
});

test("modrinthUpdateVersion, modrinthAddFiles and modrinthDeleteVersion", async () => {
  const fields = { ...data, version_number: "4.0", dependencies: [] };
  const { id } = (await publish(fields, { file: ["lamps-4.jar", jar()] })).body;
  const path = `/v2/version/${id}`;
  expect(
    (await me.patch(path, { name: "Brighter", version_type: "release", game_versions: ["1.21"], featured: false }))
      .status,
  ).toBe(204);
  expect((await as.anyone.get(path)).body).toMatchObject({
    ...{ name: "Brighter", version_type: "release", game_versions: ["1.21"], featured: false, loaders: ["fabric"] },
  });
  expect((await post(me, `${path}/file`, "{}", { extra: ["extra.jar", jar()] })).status).toBe(204);
  expect((await as.anyone.get(path)).body.files).toHaveLength(2);
  expect(await post(me, `${path}/file`, "{}", { extra: ["extra.jar", jar()] })).toFail(409, "fileNameTaken");
  expect(await post(me, `${path}/file`, "{}", {})).toFail(400, "invalidRequest");
  expect((await me.patch(path, { loaders: ["CANARY"] })).body.description).toContain("loaders");
  expect(await other.patch(path, { name: "Mine" })).toFail(403, "permissionMissing");
  const draft = await makeProject(world, author, { status: "draft" });
  const hidden = await makeVersion(world, author, draft.id, {});
  for (const method of ["PATCH", "DELETE"])
    expect(await other.call(method, `/v2/version/${hidden.id}`, { json: {} })).toFail(404, "versionNotFound");
  expect(await other.delete(path)).toFail(403, "permissionMissing");
  expect((await me.delete(path)).status).toBe(204);
  expect((await as.anyone.get(path)).status).toBe(404);
});

test("modrinthUpdateProject changes everything or nothing", async () => {
  const before = (await as.anyone.get("/v2/project/lamps")).body;
  const edit = {
    ...{ title: "Better lamps", description: "Lamps for every room", body: "# Better", categories: ["decoration"] },
    ...{ additional_categories: ["utility"], client_side: "required", server_side: "optional" },
    ...{ source_url: "https://example.org/lamps", discord_url: null, license_id: "Apache-2.0" },
    donation_urls: [{ id: "ko-fi", platform: "Ko-fi", url: "https://ko-fi.com/lamps" }],
  };
  const { license_id, ...shown } = edit;
  const bad = await me.patch("/v2/project/lamps", { ...edit, issues_url: "javascript:alert(1)" });
  expect([bad.status, bad.body.description]).toEqual([400, expect.stringContaining("issues_url")]);
  expect((await as.anyone.get("/v2/project/lamps")).body).toEqual(before);
  expect((await me.patch("/v2/project/lamps", edit)).status).toBe(204);
  expect((await as.anyone.get("/v2/project/lamps")).body).toMatchObject({
    ...{ ...shown, license: { id: license_id } },
    ...{ title: "Better lamps", categories: ["decoration"], additional_categories: ["utility"] },
  });
  await me.patch("/v2/project/lamps", {
    additional_categories: [],
    license_id: "LicenseRef-Custom",
    license_url: "https://example.org/l",
  });
  expect((await as.anyone.get("/v2/project/lamps")).body).toMatchObject({
    ...{
      categories: ["decoration"],
      additional_categories: [],
      license: { id: "LicenseRef-Custom", url: "https://example.org/l" },
    },
  });
  for (const [field, value] of [
    ["status", "rejected"],
    ["title", "x"],
    ["license_id", "CANARY"],
    ["client_side", "CANARY"],
  ] as const)
    expect((await me.patch("/v2/project/lamps", { [field]: value })).body.description, field).toContain(field);
  expect(await other.patch("/v2/project/lamps", { body: "Mine" })).toFail(403, "permissionMissing");
  expect((await me.patch("/v2/project/lamps", { status: "unlisted" })).status).toBe(204);
  expect((await as.anyone.get("/v2/project/lamps")).body.status).toBe("unlisted");
});

test("modrinthUpdateIcon and modrinthRemoveIcon take the bytes of a picture", async () => {
  const send = (body: Buffer<ArrayBuffer>, type: string, actor = me) =>
    actor.call("PATCH", "/v2/project/lamps/icon?ext=png", { body, headers: { "content-type": type } });
  const picture = Buffer.from(await (await drawPicture()).arrayBuffer());
  expect((await send(picture, "image/png")).status).toBe(204);
  expect((await as.anyone.get("/v2/project/lamps")).body.icon_url).toContain("http");
  expect((await send(picture, "application/octet-stream")).status).toBe(204);
  expect((await send(Buffer.from("no picture"), "image/png")).body).toMatchObject({ code: "imageUnusable" });
  expect(await send(picture, "application/json")).toFail(415);
  expect(await send(Buffer.alloc(300_000), "image/png")).toFail(413);
  expect(await send(picture, "image/png", other)).toFail(403, "permissionMissing");
  // No other route takes the bytes of a picture.
  expect(
    await me.call("PATCH", "/v2/project/lamps", { body: picture, headers: { "content-type": "image/png" } }),
  ).toFail(415, "unsupportedMediaType");
  expect((await me.delete("/v2/project/lamps/icon")).status).toBe(204);
  expect((await as.anyone.get("/v2/project/lamps")).body.icon_url).toBeNull();
});
