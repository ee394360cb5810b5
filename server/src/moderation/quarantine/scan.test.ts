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

describe("getScannedChangesPage", async () => {
  const entry = (name: string, content: string) => ({ name, content });
  const project = await makeProject(world, author, { name: "Changed project" });
  async function add(version: string, loader: string, ...entries: { name: string; content: string }[]) {
    world.clock.advance(1000);
    const parts = {
      versionNumber: version,
      loaders: [loader],
      primaryFile: jarFile(`mod-${version}.jar`, jar(...entries)),
    };
    expect(await publishTo(as.user(author), project.id, parts)).toSucceed();
    return db
      .selectFrom("version_files")
      .selectAll()
      .where("project_id", "=", project.id)
      .where("name", "=", `mod-${version}.jar`)
      .executeTakeFirstOrThrow();
  }
  const first = await add(
    "1.0.0",
    "quilt",
    entry("a.txt", "one\ntwo\n"),
    entry("gone.txt", "x"),
    entry("same.txt", "s"),
  );
  const other = await add("1.0.1", "puzzle_loader", entry("b.txt", "other loader"));
  const second = await add("1.1.0", "quilt", entry("a.txt", "one\n<b>2</b>\n"), entry("same.txt", "s"));
  const page = (fileId: string, path: string, query = "") =>
    look(desk, `/moderation/scan/${fileId}/changes?path=${encodeURIComponent(path)}${query}`);

  test("the page of a file shows the changes since the previous version for the same loader", async () => {
    const { text } = await look(desk, `/moderation/scan/${second.id}`);
    expect(text).toContain("Changes since version 1.0.0");
    expect(text).toContain("0 added, 1 removed, 2 changed, 1 unchanged");
    expect(text).toContain(`/moderation/scan/${second.id}/changes?with=${first.id}&amp;path=a.txt`);
    expect(text).toContain("1.0.1 · Puzzle Loader · mod-1.0.1.jar");
    for await (const left of resources.blobs.listTemporaries()) expect.fail(`${left.name} was left behind`);
  });

  test("the moderator can choose another version; the first one has none before it", async () => {
    const chosen = (await look(desk, `/moderation/scan/${second.id}?with=${other.id}`)).text;
    expect(chosen).toContain("Changes since version 1.0.1");
    expect(chosen).toContain("2 added, 1 removed, 1 changed, 0 unchanged");
    const oldest = (await look(desk, `/moderation/scan/${first.id}`)).text;
    expect(oldest).not.toContain("Changes since");
    expect(oldest).toContain("Compare with");
    const { file } = await publish(jar());
    expect((await look(desk, `/moderation/scan/${file.id}`)).text).toContain("no other version to compare it with");
    // A file of another project is not offered.
    expect((await look(desk, `/moderation/scan/${second.id}?with=${file.id}`)).status).toBe(404);
  });

  test("a quarantined version is not the default", async () => {
    const third = await add("1.2.0", "quilt", entry("a.txt", "one"));
    await desk.post("/api/moderation/quarantine", { versionId: second.version_id, reason: "It steals" });
    const { text } = await look(desk, `/moderation/scan/${third.id}`);
    expect(text).toContain("Changes since version 1.0.0");
    expect(text).toContain("mod-1.1.0.jar · quarantined");
  });

  test("shows the changed lines of a file, with signs, and never as HTML", async () => {
    const { text } = await page(second.id, "a.txt", `&with=${first.id}`);
    const lines = [...text.matchAll(/<(ins|del|span) class="diff-line">(.*?)<\/code>/g)].map(([, , line]) =>
      line!
        .replaceAll(/<[^>]*>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    );
    expect(lines).toEqual(["1 one", "2 − two", "2 + &lt;b>2&lt;/b>", "3"]);
    expect((await page(second.id, "gone.txt", `&with=${first.id}`)).text).toContain("<del");
    for (const path of ["nothing", "", "../a.txt"]) expect((await page(second.id, path)).status).toBe(404);
    expect((await page(second.id, "a.txt", "&with=nothing")).status).toBe(404);
    expect([301, 404]).toContain(
      (await look(as.user(author), `/moderation/scan/${second.id}/changes?path=a.txt`)).status,
    );
  });

  test("says so when the content of the other version is gone or is no archive", async () => {
    const before = await makeVersion(world, author, project.id, { versionNumber: "1.9.0" });
    const next = await add("2.0.0", "quilt", entry("a.txt", "later"));
    const otherFile = await db
      .selectFrom("version_files")
      .select("id")
      .where("version_id", "=", before.id)
      .executeTakeFirstOrThrow();
    const path = `/moderation/scan/${next.id}?with=${otherFile.id}`;
    expect((await look(desk, path)).text).toContain("The files cannot be compared");
    await resources.blobs.delete(before.sha512);
    expect((await look(desk, path)).text).toContain("One of the two files is missing from storage.");
  });
});

test("the form for a quarantine says that the team reads the reason", async () => {
  const { file } = await publish(jar());
  const { text } = await look(desk, `/moderation/quarantine?versionId=${file.version_id}`);
  expect(text).toContain("The project's team will read this.");
});
