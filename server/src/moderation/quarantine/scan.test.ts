// Inspecting a file: its entries, notable findings, and other versions with it; for moderators, and without running
// anything.
import { describe, expect, test } from "vitest";
import { jar, jarFile, publishTo } from "#test/callers/uploads.js";
import { testApp } from "#test/server/harness.js";
import { makeProject } from "#test/worlds/content.js";
import { look } from "#test/worlds/desk-world.js";
import { makeVersion } from "#test/worlds/versions.js";

const world = await testApp();
const { as, make, resources } = world;
const { db } = resources;
const author = await make.user();
const desk = as.user(await make.user({ role: "moderator" }));

const fileOf = async (projectId: string) =>
  db.selectFrom("version_files").selectAll().where("project_id", "=", projectId).executeTakeFirstOrThrow();

async function publish(bytes: Buffer) {
  const project = await makeProject(world, author, { name: "Scanned <project>" });
  expect(await publishTo(as.user(author), project.id, { primaryFile: jarFile("mod.jar", bytes) })).toSucceed();
  return { project, file: await fileOf(project.id) };
}

describe("getScanPage", () => {
  test("is for moderators alone, and not there for files that are not there", async () => {
    const { file } = await publish(jar());
    const path = `/moderation/scan/${file.id}`;
    expect((await look(as.anyone, path)).headers.get("location")).toMatch(/^\/auth\/sign-in/);
    expect([301, 404]).toContain((await look(as.user(author), path)).status);
    expect((await look(desk, path)).status).toBe(200);
    expect((await look(desk, "/moderation/scan/nothing")).status).toBe(404);
  });

  test("shows the tree of an archive, including nested archives, and names programs", async () => {
    const inner = jar({ name: "deep/Inner.class", content: "x" });
    const { file } = await publish(
      jar(
        { name: "com/example/<b>Main</b>.class", content: "0123456789" },
        { name: "bin/setup.EXE", content: "MZ" },
        { name: "libs/other.jar", content: inner },
      ),
    );
    const { text } = await look(desk, `/moderation/scan/${file.id}`);
    expect(text).toContain("&lt;b>Main&lt;");
    expect(text).toContain("Inner.class");
    expect(text).toContain("Contains a program");
    expect(text).toContain("bin/setup.EXE");
    expect(text).toContain("Contains another archive");
    expect(text).toContain("No other version has this file.");
    for await (const left of resources.blobs.listTemporaries()) expect.fail(`${left.name} was left behind`);
  });

  test("says where else the same content is, and that it is denied", async () => {
    const bytes = jar();
    const first = await publish(bytes);
    const other = await makeProject(world, author, { name: "Has it too" });
    await publishTo(as.user(author), other.id, { primaryFile: jarFile("copy.jar", bytes) });
    const hash = Buffer.from(first.file.sha512).toString("hex");
    await desk.post("/api/moderation/denied-hash", { hash, reason: "It <mines> coins" });
    const { text } = await look(desk, `/moderation/scan/${first.file.id}`);
    expect(text).toContain("Has it too");
    expect(text).toContain("This file is blocked");
    expect(text).toContain("It &lt;mines> coins");
  });

  test("says so when it is no archive after all, and when the content is gone", async () => {
    const project = await makeProject(world, author);
    const { sha512 } = await makeVersion(world, author, project.id);
    const { id } = await fileOf(project.id);
    expect((await look(desk, `/moderation/scan/${id}`)).text).toContain("The file cannot be inspected");
    await resources.blobs.delete(sha512);
    expect((await look(desk, `/moderation/scan/${id}`)).text).toContain("missing from storage");
  });
});

describe("getScannedEntryPage", () => {
  test("shows a text with highlighting, and never as HTML", async () => {
    const text = '{ "a": "<script>alert(1)</script>", "b": "```" }';
    const { file } = await publish(jar({ name: "data/<b>.json", content: text }));
    const list = await look(desk, `/moderation/scan/${file.id}`);
    const path = `/moderation/scan/${file.id}/read?path=${encodeURIComponent("data/<b>.json")}`;
    expect(list.text).toContain(`href="${path}"`);
    const page = await look(desk, path);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain("<script>alert");
    expect(page.text).toContain("hljs-attr");
    expect(page.text).toContain("&lt;script&gt;alert(1)");
    expect((await look(desk, `/moderation/scan/${file.id}/read?path=nothing`)).status).toBe(404);
    expect((await look(desk, `/moderation/scan/${file.id}/read`)).status).toBe(404);
    expect([301, 404]).toContain((await look(as.user(author), path)).status);
  });

  test("says that other bytes are not text", async () => {
    const { file } = await publish(jar({ name: "a.bin", content: "a\0b" }));
    expect((await look(desk, `/moderation/scan/${file.id}/read?path=a.bin`)).text).toContain("This file is not text.");
  });
});
