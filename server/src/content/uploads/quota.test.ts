// The storage quota of an account, and the limit before the disk is full.
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readAccountUse } from "#platform/pictures/quota.js";
import { publishTo } from "#test/callers/uploads.js";
import { zip } from "#test/files/archives.js";
import { drawPicture } from "#test/files/pictures.js";
import { testApp } from "#test/server/harness.js";
import { listStatements } from "#test/server/statement-count.js";
import { addMember, makeProject } from "#test/worlds/content.js";

const kib = 1024;
/** An archive of about this size. */
const archive = (bytes: number) => zip([{ name: "noise.bin", content: randomBytes(bytes), isStored: true }]);
const file = (name: string, bytes: number) => ({ name, bytes: archive(bytes) });

describe("an account's quota", async () => {
  const world = await testApp({ settings: { MODSHELF_ACCOUNT_QUOTA: "100 KiB" } });
  const { as, make, resources } = world;
  const { db } = resources;

  test("counts every file that the account has published, and refuses a file that exceeds it", async () => {
    const author = await make.user();
    const project = await makeProject(world, author);
    const publish = (versionNumber: string, bytes: number) =>
      publishTo(as.user(author), project.id, { versionNumber, primaryFile: file("mod.jar", bytes) });
    expect(await publish("1.0", 60 * kib)).toSucceed();
    const refused = await publish("1.1", 60 * kib);
    expect(refused).toFail(409, "quotaReached");
    expect(refused.body.message).toMatch(/can store 100 KiB, and 60\.\d KiB are used/);
    expect(await publish("1.1", 30 * kib)).toSucceed();
    const used = await readAccountUse(db, author.id);
    expect(used).toBeGreaterThan(90 * kib);

    const page = await as.user(author).get("/settings/account", { headers: { accept: "text/html" } });
    expect(page.text).toMatch(/pictures use 9\d\.\d\sKiB of 100\sKiB/);

    // Deleting a version frees space.
    expect(await as.user(author).delete(`/api/project/${project.id}/version/1.0`)).toSucceed();
    expect(await publish("1.2", 60 * kib)).toSucceed();
  });

  test("is read once for each publication, and frees an account that was full at once", async () => {
    const author = await make.user();
    const project = await makeProject(world, author);
    const publish = (versionNumber: string, bytes: number) =>
      publishTo(as.user(author), project.id, { versionNumber, primaryFile: file("mod.jar", bytes) });
    const readings = async (act: () => Promise<unknown>) =>
      (await listStatements(db, act)).filter(({ query }) => query.sql.includes("owned_teams")).length;
    expect(await publish("1.0", 10 * kib)).toSucceed();
    expect(await readings(() => publish("1.1", 10 * kib))).toBe(1);
    const rest = 100 * kib - (await readAccountUse(db, author.id)) - archive(0).length;
    expect(await publish("1.2", rest)).toSucceed();
    expect(await publish("1.3", 0)).toFail(409, "quotaReached");
    expect(await as.user(author).delete(`/api/project/${project.id}/version/1.0`)).toSucceed();
    expect(await publish("1.3", 0)).toSucceed();
  });

  test("cannot be exceeded by concurrent uploads, in one project or in several", async () => {
    const author = await make.user();
    const projects = await Promise.all([1, 2].map(() => makeProject(world, author)));
    const replies = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((at) =>
        publishTo(as.user(author), projects[at % 2]!.id, {
          versionNumber: `1.${at}`,
          primaryFile: file("mod.jar", 30 * kib),
        }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409, 409]);
    expect(await readAccountUse(db, author.id)).toBeLessThanOrEqual(100 * kib);
  });

  test("lets many concurrent publications of one account succeed, each with its number, until it is used up", async () => {
    const author = await make.user();
    const projects = await Promise.all([1, 2, 3, 4].map(() => makeProject(world, author)));
    const publishAll = async (first: number, bytes: number) => {
      const replies = await Promise.all(
        Array.from({ length: 16 }, (_, at) =>
          publishTo(as.user(author), projects[at % 4]!.id, {
            versionNumber: `${first}.${at % 8}`,
            primaryFile: file("mod.jar", bytes),
          }),
        ),
      );
      return replies.map(({ status, body }) => (status === 200 ? "published" : body.code)).sort();
    };
    const [published, taken] = [8, 8].map((length, at) => Array(length).fill(["published", "versionNumberTaken"][at]));
    // Each number is sent twice, with different contents.
    expect(await publishAll(1, kib)).toEqual([...published!, ...taken!]);
    const rest = 100 * kib - (await readAccountUse(db, author.id));
    const fitting = 3;
    const after = await publishAll(2, Math.floor(rest / fitting) - kib);
    expect(after.filter((outcome) => outcome === "published")).toHaveLength(fitting);
    expect(new Set(after)).toEqual(new Set(["published", "quotaReached", ...after.filter((it) => it === taken![0])]));
    expect(await readAccountUse(db, author.id)).toBeLessThanOrEqual(100 * kib);
    const versions = db
      .selectFrom("versions")
      .select(["project_id", "version_number"])
      .where("author_id", "=", author.id);
    expect(await versions.distinct().execute()).toHaveLength(8 + fitting);
  });

  test("is taken from the version's author when another member adds files to it", async () => {
    const [author, colleague] = [await make.user(), await make.user()];
    const project = await makeProject(world, author);
    await addMember(world, project.teamId, colleague, { permissions: ["upload_version"] });
    const first = { versionNumber: "1.0", primaryFile: file("mod.jar", 60 * kib) };
    expect(await publishTo(as.user(author), project.id, first)).toSucceed();
    const more = new FormData();
    more.append("additionalFiles", new File([new Uint8Array(archive(60 * kib))], "more.jar"));
    const path = `/api/project/${project.id}/version/1.0`;
    expect(await as.user(colleague).call("PATCH", path, { body: more })).toFail(409, "quotaReached");
    expect(await readAccountUse(db, colleague.id)).toBe(0);
  });

  test("counts pictures for the account that owns the project, and refuses pictures that exceed it", async () => {
    const [owner, helper] = [await make.user(), await make.user()];
    const project = await makeProject(world, owner);
    await addMember(world, project.teamId, helper, { permissions: ["edit_details"] });
    const used = () => readAccountUse(db, owner.id);
    const icon = await drawPicture({ color: "#224466" });
    const counted: number[] = [await used()];
    expect(await as.user(helper).form("PATCH", `/api/project/${project.id}/icon`, { icon })).toSucceed();
    counted.push(await used());
    expect(await as.user(owner).form("PATCH", "/api/user", { avatar: icon })).toSucceed();
    counted.push(await used());
    expect(counted[0]).toBe(0);
    expect(counted[1]).toBeGreaterThan(0);
    expect(counted[2]).toBe(2 * counted[1]!);
    expect(await readAccountUse(db, helper.id)).toBe(0);
    // The picture is larger than the rest of the owner's quota, so it is refused for every member who adds it.
    const rest = 100 * kib - counted[2]! - counted[1]! + 1;
    const full = { versionNumber: "1.0", primaryFile: { name: "mod.jar", bytes: archive(rest - archive(0).length) } };
    expect(await publishTo(as.user(owner), project.id, full)).toSucceed();
    const image = { image: icon, title: "Night" };
    expect(await as.user(helper).form("POST", `/api/project/${project.id}/gallery`, image)).toFail(409, "quotaReached");
    expect(await as.user(helper).form("PATCH", "/api/user", { avatar: icon })).toSucceed();
  });

  test("refuses an upload in parts before its first part", async () => {
    const author = await make.user();
    const begin = (size: number) => as.user(author).post("/api/upload", { name: "mod.jar", size });
    expect(await begin(200 * kib)).toFail(409, "quotaReached");
    expect(await begin(20 * kib)).toSucceed();
  });

  test("can be turned off", async () => {
    const free = await testApp({ settings: { MODSHELF_ACCOUNT_QUOTA: "off" } });
    const author = await free.make.user();
    const project = await makeProject(free, author);
    const primaryFile = file("mod.jar", 200 * kib);
    expect(await publishTo(free.as.user(author), project.id, { primaryFile })).toSucceed();
    const page = await free.as.user(author).get("/settings/account", { headers: { accept: "text/html" } });
    expect(page.text).toMatch(/files and pictures use \d+(?:\.\d)?\sKiB\./);
  });
});

describe("a disk that is nearly full", async () => {
  // No disk has this much space.
  const world = await testApp({ settings: { MODSHELF_MIN_FREE_DISK: "1000000 GiB" } });
  const { as, make, resources } = world;
  const author = await make.user();
  const project = await makeProject(world, author);

  test("refuses files with a message", async () => {
    const refused = await publishTo(as.user(author), project.id);
    expect(refused).toFail(507, "diskNearlyFull");
    expect(refused.body.message).toContain("almost full");
    const upload = await as.user(author).post("/api/upload", { name: "mod.jar", size: 1000 });
    expect(upload).toFail(507, "diskNearlyFull");
    const avatar = new File([new Uint8Array(10)], "a.png");
    expect(await as.user(author).form("PATCH", "/api/user", { avatar })).toFail(507, "diskNearlyFull");
  });

  test("does not affect other requests, and is shown in the metrics", async () => {
    expect(await as.anyone.get(`/api/project/${project.id}`)).toSucceed();
    expect(await as.user(author).patch(`/api/project/${project.id}`, { summary: "Still here" })).toSucceed();
    const text = await resources.metrics.registry.metrics();
    expect(text).toMatch(/^modshelf_uploads_braked 1$/m);
    expect(text).toMatch(/^modshelf_disk_free_bytes \d+/m);
  });

  test("accepts files again when there is space", async () => {
    resources.config.limits = { ...resources.config.limits, freeDiskBytes: 0 };
    expect(await publishTo(as.user(author), project.id)).toSucceed();
    expect(await resources.metrics.registry.metrics()).toMatch(/^modshelf_uploads_braked 0$/m);
  });
});
