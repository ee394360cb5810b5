// Registries that lie: a clear sentence, nothing half-written, nothing asked that was not allowed.
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { BlobStorageFull } from "#platform/blobs/errors.js";
import { jar } from "#test/callers/uploads.js";
import { testApp } from "#test/server/harness.js";
import { importInto } from "#test/worlds/import-world.js";
import { crmmProbe } from "./crmm.js";
import { openSource } from "./open-source.js";
import { BadAnswer } from "./source.js";

const world = await testApp();
const keeper = await world.make.user({ userName: "keeper" });
const { db, config } = world.resources;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
const asked: string[] = [];
/** By path; the usual answers otherwise. */
let lies: Record<string, Handler> = {};
const bytes = jar();
const hash = (algorithm: string) => createHash(algorithm).update(bytes).digest("hex");

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url!, "http://x");
  asked.push(request.url!);
  const lie = lies[pathname];
  if (lie) return lie(request, response);
  if (pathname === "/files/mod.jar") return void response.end(bytes);
  const value = usual()[pathname];
  if (value === undefined) return void response.writeHead(404).end();
  sendJson(value)(request, response);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const sendJson =
  (value: unknown): Handler =>
  (_request, response) =>
    void response.setHeader("content-type", "application/json").end(JSON.stringify(value));

const file = () => ({
  ...{ name: "mod.jar", isPrimary: true, size: bytes.length, url: `${url}/files/mod.jar` },
  ...{ sha1_hash: hash("sha1"), sha512_hash: hash("sha512") },
});
const version = () => ({
  ...{ id: "VersionA", title: "One", versionNumber: "1.0.0", changelog: null, releaseChannel: "release" },
  ...{ featured: false, gameVersions: ["0.4.8"], loaders: ["quilt"], datePublished: "2026-01-02T00:00:00.000Z" },
  ...{ files: [file()], author: { id: "UserIdAA", userName: "ada" }, dependencies: [] as unknown[] },
});
const project = () => ({
  ...{ id: "ProjectA", slug: "mod-a", name: "Mod A", summary: "A mod", description: "Text", status: "approved" },
  ...{ visibility: "listed", type: ["mod"], categories: [] as unknown, licenseId: "MIT", licenseName: "MIT" },
  ...{ licenseUrl: "", clientSide: "required", serverSide: "unknown", icon: null as unknown, gallery: [] as unknown[] },
  ...{ members: [], datePublished: "2026-01-01T00:00:00.000Z", dateUpdated: "2026-01-02T00:00:00.000Z" },
});
const usual = (): Record<string, unknown> => ({
  "/api/search": { hits: [{ id: "ProjectA" }], estimatedTotalHits: 1 },
  "/api/project/ProjectA": { success: true, project: project() },
  "/api/project/ProjectA/version": { success: true, data: [version()] },
});

const importNow = (kind?: "crmm" | "modrinth") => importInto(world, keeper, url, kind ? { kind } : {});
const refusalOf = async (): Promise<string> =>
  (await importNow()).refused.map(({ what, reason }) => `${what}: ${reason}`).join("\n");
const countRows = async (table: "projects" | "versions" | "users") =>
  Number((await db.selectFrom(table).select(db.fn.countAll().as("n")).executeTakeFirstOrThrow()).n);

beforeEach(() => {
  lies = {};
  asked.length = 0;
});

const withProject = (changes: object): Record<string, Handler> => ({
  "/api/project/ProjectA": sendJson({ project: { ...project(), ...changes } }),
});

describe("an answer about a project", () => {
  test.each<[string, Handler | object, string]>([
    ["that is HTML", (_request, response) => void response.setHeader("content-type", "text/html").end("<p>"), "JSON"],
    [
      "that claims to be JSON",
      (_q, r) => void r.setHeader("content-type", "application/json").end("<p>"),
      "invalid JSON",
    ],
    [
      "that redirects to another host",
      (_q, r) => void r.writeHead(302, { location: "http://10.0.0.1/x" }).end(),
      "redirects to 10.0.0.1",
    ],
    ["that is forbidden", (_q, r) => void r.writeHead(403).end(), "status 403"],
    ["whose id is an object", { id: { $ne: null } }, ".project.id"],
    ["whose id leads elsewhere", { id: "../../etc" }, ".project.id"],
    ["with a list for a text", { name: ["a"] }, ".project.name"],
    ["with a huge list", { categories: Array.from({ length: 10_000 }, () => "magic") }, "categories"],
    ["with a huge text", { description: "x".repeat(1_000_001) }, "description"],
    ["with a date that is none", { datePublished: "yesterday" }, "not a date"],
    ["that is a draft", { status: "draft" }, "not public"],
    ["with a slug that is none", { slug: "../x" }, "slug"],
    ["with a reserved slug", { slug: "settings" }, "reserved"],
    ["with a name of control characters", { name: "\u0007\u0007" }, "name"],
  ])("%s is refused, and nothing is written", async (_what, lie, reason) => {
    lies = typeof lie === "function" ? { "/api/project/ProjectA": lie as Handler } : withProject(lie);
    expect(await refusalOf()).toContain(reason);
    expect([await countRows("projects"), await countRows("versions")]).toEqual([0, 0]);
  });

  test("that never ends is cut off", async () => {
    lies["/api/project/ProjectA"] = (_request, response) => {
      response.setHeader("content-type", "application/json");
      const fill = () => {
        while (!response.destroyed && response.write("[".repeat(1 << 20)));
      };
      response.on("drain", fill);
      fill();
    };
    expect(await refusalOf()).toContain("too large");
    expect(await countRows("projects")).toBe(0);
  });
});

describe("a list of projects", () => {
  test("that repeats itself is refused", async () => {
    lies["/api/search"] = sendJson({ hits: [{ id: "ProjectA" }], estimatedTotalHits: 1_000_000 });
    await expect(importNow()).rejects.toThrow("repeats itself");
    expect(await countRows("projects")).toBe(0);
  });

  test.each(["crmm", "modrinth"] as const)("that is not of the kind %s is recognised", async (kind) => {
    lies["/api/search"] = lies["/v2/search"] = sendJson({ results: [] });
    await expect(importNow(kind)).rejects.toThrow(BadAnswer);
  });
});

describe("names that the taxonomy does not have", () => {
  test("are listed before anything is written, and can be left out", async () => {
    const strange = { ...version(), loaders: ["quilt", "forge"], gameVersions: ["0.4.8", "1.20.1"] };
    lies = { ...withProject({ slug: "strange-mod", id: "Strange1", categories: ["spooky"], licenseId: "Mine" }) };
    lies["/api/project/Strange1/version"] = sendJson({ data: [{ ...strange, id: "VersionS" }] });
    await expect(importNow()).rejects.toMatchObject({
      names: ["category spooky (1)", "game version 1.20.1 (1)", "license Mine (1)", "loader forge (1)"],
    });
    await expect(importInto(world, keeper, url, { options: { dryRun: true } })).rejects.toThrow("spooky");
    expect(await countRows("projects")).toBe(0);
    const report = await importInto(world, keeper, url, { options: { skipUnknown: true } });
    expect(report.counts.versions.created).toBe(1);
    expect(report.notes.join()).toContain("category spooky");
    // Without a license it stays a draft.
    expect(report.refused).toEqual([
      { what: "publication of strange-mod", reason: expect.stringContaining("license") },
    ]);
  });
});

describe("a file", () => {
  const withFile = (changes: object): Record<string, Handler> => ({
    "/api/project/ProjectA/version": sendJson({ data: [{ ...version(), files: [{ ...file(), ...changes }] }] }),
  });

  test.each<[string, () => Record<string, Handler>, string]>([
    ["with another hash", () => withFile({ sha512_hash: "0".repeat(128) }), "another SHA-512"],
    ["with another SHA-1", () => withFile({ sha1_hash: "0".repeat(40) }), "another SHA-1"],
    ["that is short", () => withFile({ size: bytes.length + 1 }), "another size"],
    ["with more bytes than announced", () => withFile({ size: bytes.length - 1 }), "more than the announced"],
    ["that is larger than allowed", () => withFile({ size: 2 ** 39 }), "512 MiB"],
    ["with a name without letters", () => withFile({ name: "../../.." }), "usable name"],
    ["on a private host that was not named", () => withFile({ url: "http://10.0.0.1/mod.jar" }), "https"],
    ["at a URL that is none", () => withFile({ url: "file:///etc/passwd" }), "https"],
    [
      "that redirects to a private host",
      () => ({ "/files/mod.jar": (_q, r) => void r.writeHead(302, { location: "http://127.0.0.2/x" }).end() }),
      "https",
    ],
    ["that is missing", () => ({ "/files/mod.jar": (_q, r) => void r.writeHead(404).end() }), "status 404"],
  ])("%s is refused, and no version is written", async (_what, lie, reason) => {
    lies = lie();
    const before = await countRows("versions");
    expect(await refusalOf()).toContain(reason);
    expect(await countRows("versions")).toBe(before);
    // The project waits as a draft for a version.
    const row = await db.selectFrom("projects").select("status").where("slug", "=", "mod-a").executeTakeFirstOrThrow();
    expect(row.status).toBe("draft");
    // The check of readiness has a file there for a moment, every few seconds.
    await expect.poll(() => readdirSync(join((config.storage as { path: string }).path, "tmp"))).toEqual([]);
  });

  test("with a path in its name is stored under a harmless one", async () => {
    lies = withFile({ name: "../../../etc/evil mod.jar" });
    expect(await refusalOf()).toBe("");
    const { name } = await db
      .selectFrom("version_files")
      .select("name")
      .where("name", "like", "evil%")
      .executeTakeFirstOrThrow();
    expect(name).toBe("evil-mod.jar");
    const { body } = await world.as.anyone.get("/api/project/mod-a");
    expect(body.project).toMatchObject({ status: "approved", datePublished: "2026-01-01T00:00:00.000Z" });
  });
});

test("a picture that is none is refused, and the rest of the project comes", async () => {
  const picture = { name: "P", description: "", image: `${url}/files/mod.jar`, featured: true, orderIndex: 1 };
  lies = withProject({ gallery: [{ ...picture, dateCreated: "2026-01-01T00:00:00Z" }], icon: `${url}/files/mod.jar` });
  const told = await refusalOf();
  expect(told).toContain("icon of mod-a");
  expect(told).toContain('picture "Picture 1" of mod-a');
});

test("dates in the future become the present, and control characters do not reach the terminal", async () => {
  const late = { slug: "late-mod", id: "LateMod1", datePublished: "2199-01-01T00:00:00.000Z" };
  lies = withProject({ ...late, dateUpdated: late.datePublished });
  const evil = { ...version(), id: "VersionL", datePublished: late.datePublished, versionNumber: "1\u001b[2J" };
  lies["/api/project/LateMod1/version"] = sendJson({ data: [evil] });
  const report = await importNow();
  expect(report.notes.join()).toMatch(/1\?\[2J of late-mod has the number/);
  const { body } = await world.as.anyone.get("/api/project/late-mod/version");
  expect(Date.parse(body.data[0].datePublished)).toBeLessThanOrEqual(Date.now());
  const page = await world.as.anyone.get("/api/project/late-mod");
  expect(Date.parse(page.body.project.dateUpdated)).toBeLessThanOrEqual(Date.now());
});

test("a full disk ends the import with a sentence, and leaves nothing behind", async () => {
  const late = { slug: "full-mod", id: "FullMod1" };
  lies = withProject(late);
  lies["/api/project/FullMod1/version"] = sendJson({ data: [{ ...version(), id: "VersionF" }] });
  const { blobs } = world.resources;
  const stage = vi.spyOn(blobs, "stage").mockRejectedValue(new BlobStorageFull());
  await expect(importNow()).rejects.toThrow("The storage of this site failed: The storage is full.");
  stage.mockRestore();
  expect(await world.as.anyone.get("/api/project/full-mod")).toFail(404);
});

describe("a registry that asks for pauses", () => {
  test("gets them, and learns who asks", async () => {
    const answers: [status: number, headers: Record<string, string>][] = [
      [429, { "retry-after": "7" }],
      [503, {}],
      [200, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "40" }],
      [200, {}],
    ];
    const agents: unknown[] = [];
    lies["/api/search"] = (request, response) => {
      agents.push(request.headers["user-agent"]);
      const [status, headers] = answers.shift()!;
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      if (status === 200) sendJson(usual()["/api/search"])(request, response);
      else response.writeHead(status).end();
    };
    const pauses: number[] = [];
    const clock = { now: () => pauses.reduce((sum, ms) => sum + ms, 0) };
    const options = {
      ...{ base: url, rate: 4, clock, privateHosts: new Set([new URL(url).host]), onWait: () => {} },
      pause: async (ms: number) => void pauses.push(ms),
    };
    const { client } = await openSource(options, "crmm");
    await client.json(crmmProbe.path, crmmProbe.schema);
    expect(pauses).toEqual([7000, 10_000, 40_000]);
    expect(agents).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(/^Modshelf\/\d+\.\d+\.\d+ /)));
    await client.json("/nothing", crmmProbe.schema);
    expect(pauses.at(-1)).toBe(250);
  });

  test("for hours ends the import with a sentence", async () => {
    lies["/api/project/ProjectA"] = (_request, response) =>
      void response.writeHead(429, { "retry-after": "7200" }).end();
    await expect(importNow()).rejects.toThrow("wait 120 minutes");
  });
});

interface Named {
  versionNumber: string;
}

test("answers as Modrinth itself gives them are understood", async () => {
  const { sha1_hash: sha1, sha512_hash: sha512, name: filename, size, url: fileUrl } = file();
  lies["/v2/search"] = sendJson({ hits: [{ project_id: "ModrinA1" }], offset: 0, limit: 100, total_hits: 1 });
  lies["/v2/project/ModrinA1"] = sendJson({
    ...{ id: "ModrinA1", slug: "from-modrinth", title: "From Modrinth", description: "A mod", body: "Text" },
    ...{ project_type: "mod", team: "TeamIdAA", organization: null, status: "approved", color: 1, thread_id: "T" },
    ...{ license: { id: "MIT", name: "", url: null }, categories: ["magic"], additional_categories: ["utility"] },
    ...{ client_side: "required", server_side: "optional", icon_url: null, donation_urls: [], gallery: [] },
    ...{ published: "2026-01-01T00:00:00.123456Z", updated: "2026-01-03T00:00:00Z", versions: [], followers: 9 },
  });
  const person = { id: "UserModr", username: "moddy", name: null, avatar_url: "" };
  lies["/v2/project/ModrinA1/members"] = sendJson([{ user: person, role: "Owner", accepted: true, ordering: 0 }]);
  const one = {
    ...{ id: "ModVerA1", project_id: "ModrinA1", author_id: "UserModr", name: "One", version_number: "1.0" },
    ...{ changelog: "", version_type: "beta", featured: true, game_versions: ["0.4.8"], loaders: ["quilt"] },
    ...{ date_published: "2026-01-02T00:00:00Z", status: "listed", requested_status: null },
    files: [{ hashes: { sha1, sha512 }, url: fileUrl, filename, primary: false, size, file_type: null }],
    dependencies: [
      // The version alone is named, or a file that is not there.
      { project_id: null, version_id: "VersionA", file_name: null, dependency_type: "required" },
      { project_id: null, version_id: null, file_name: "other.jar", dependency_type: "embedded" },
    ],
  };
  const plugin = { ...one, id: "ModVerA2", loaders: ["paradox"], dependencies: [] };
  lies["/v2/project/ModrinA1/version"] = sendJson([plugin, one]);
  const report = await importNow("modrinth");
  expect(report.refused).toEqual([]);
  expect(report.notes).toEqual(["The version 1.0 of from-modrinth has the number 1.0+paradox here."]);
  expect(report.unresolvedDependencies).toEqual(["from-modrinth 1.0 → an unnamed file"]);
  const { body } = await world.as.anyone.get("/api/project/from-modrinth?includeVersions=true");
  expect(body.project).toMatchObject({
    ...{ type: ["mod", "plugin"], categories: ["magic", "utility"], featuredCategories: ["magic"], licenseId: "MIT" },
    ...{ members: [{ userName: "moddy", isOwner: true }], followers: 0 },
    datePublished: "2026-01-01T00:00:00.123Z",
  });
  const [first, second] = body.project.versions.toSorted((a: Named, b: Named) =>
    a.versionNumber < b.versionNumber ? -1 : 1,
  );
  expect(first).toMatchObject({ releaseChannel: "beta", author: { userName: "moddy" }, dependencies: [{}] });
  expect(second).toMatchObject({ versionNumber: "1.0+paradox", dependencies: [] });
});
