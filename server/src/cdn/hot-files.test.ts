// Downloads that are answered before Fastify (getVersionFile). platform/http/hot-path-equality.test.ts compares them with
// the ordinary route.
import { randomBytes } from "node:crypto";
import { readdirSync, readlinkSync } from "node:fs";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { counterOf } from "#content/downloads/counters.js";
import { plainCall } from "#test/callers/plain-call.js";
import { testApp } from "#test/server/harness.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { makeVersion } from "#test/worlds/versions.js";
import { getVersionFile } from "./file-contract.js";

const world = await testApp({
  settings: { MODSHELF_TRUSTED_PROXIES: "loopback", MODSHELF_COUNTRY_HEADER: "cf-ipcountry" },
});
const second = await testApp({ sharedWith: world });
const { as, make, resources } = world;
const author = await make.user();
const desk = as.user(await make.user({ role: "moderator" }));

const hot = (path: string, headers: Record<string, string> = {}, origin = world.origin) =>
  plainCall(origin, "GET", path, headers);

const countHot = async (of = resources): Promise<number> => {
  const start = `modshelf_hot_requests_total{method="GET",route="${getVersionFile.path}"} `;
  const lines = (await of.metrics.registry.metrics()).split("\n");
  return Number(lines.find((line) => line.startsWith(start))?.slice(start.length) ?? 0);
};

/** A version whose project is prepared, so that its files are found. */
async function makeHot(bytes = randomBytes(5000)) {
  const project = await makeProject(world, author);
  const version = await makeVersion(world, author, project.id, {
    bytes,
    additional: [{ name: "extra.jar", bytes: Buffer.from("extra bytes") }],
  });
  const base = `/cdn/data/project/${project.id}/version/${version.id}`;
  const path = `${base}/file-${version.versionNumber}.jar`;
  await world.as.anyone.get(`/api/project/${project.id}`);
  // The second server hears of the version a moment later.
  const listed = async () => (await second.as.anyone.get(`/api/project/${project.id}/version`)).body.data?.length;
  await expect.poll(listed).toBe(1);
  return { project, version, base, path };
}

describe("a file that is downloaded often", () => {
  test("is sent from memory, also in parts, conditionally and to HEAD", async () => {
    const { version, path } = await makeHot();
    const before = await countHot();
    for (let times = 0; times < 4; times++) expect((await hot(path)).bytes.equals(version.bytes)).toBe(true);
    expect((await countHot()) - before).toBe(4);
    const [files] = resources.memory.listCaches().filter(({ name }) => name === "files");
    expect(files!.hits).toBeGreaterThan(0);
    const part = await hot(path, { range: "bytes=10-19" });
    expect([part.status, part.headers.get("content-range"), part.headers.get("content-length")]).toEqual([
      206,
      "bytes 10-19/5000",
      "10",
    ]);
    expect(part.bytes.equals(version.bytes.subarray(10, 20))).toBe(true);
    expect((await hot(path, { range: "bytes=-4" })).bytes.equals(version.bytes.subarray(4996))).toBe(true);
    expect((await hot(path, { range: "bytes=5000-" })).status).toBe(416);
    expect((await hot(path, { range: "bytes=0-1", "if-range": '"other"' })).status).toBe(200);
    expect((await hot(path, { range: "bytes=0-1", "if-range": `"${version.sha512}"` })).status).toBe(206);
    expect((await hot(path, { "if-none-match": `"${version.sha512}"` })).status).toBe(304);
    const head = await as.anyone.head(path);
    expect([head.status, head.headers.get("content-length"), head.text]).toEqual([200, "5000", ""]);
  });

  test("is not found in another project, also when it is known, and takes little memory beside its content", async () => {
    const [made, other] = [await makeHot(), await makeHot()];
    for (let times = 0; times < 2; times++) expect((await hot(made.path)).status).toBe(200);
    const elsewhere = made.path.replace(made.project.id, other.project.id);
    expect((await hot(elsewhere)).status).toBe(404);
    const [facts] = resources.memory.listCaches().filter(({ name }) => name === "fileFacts");
    expect(facts!.hits).toBeGreaterThan(0);
    expect(facts!.bytes / facts!.entries).toBeLessThan(700);
  });

  test.each([
    ["the project is hidden", ({ project }) => setProject(world, project.id, { visibility: "private" })],
    [
      "the version is quarantined",
      ({ version }) => desk.post("/api/moderation/quarantine", { versionId: version.id, reason: "Reads passwords" }),
    ],
    [
      "its content is quarantined",
      ({ version }) => desk.post("/api/moderation/quarantine", { sha512: version.sha512, reason: "x" }),
    ],
    [
      "the version is deleted",
      ({ project, version }) => as.user(author).delete(`/api/project/${project.id}/version/${version.id}`),
    ],
  ] as [string, (made: Awaited<ReturnType<typeof makeHot>>) => Promise<{ status: number } | unknown>][])(
    "is refused at once when %s, on every server",
    async (_what, hide) => {
      const made = await makeHot();
      for (let times = 0; times < 3; times++)
        for (const { origin } of [world, second]) expect((await hot(made.path, {}, origin)).status).toBe(200);
      const done = await hide(made);
      if (done && typeof done === "object" && "status" in done) expect(done.status).toBe(200);
      expect((await hot(made.path)).status).toBe(404);
      await expect.poll(async () => (await hot(made.path, {}, second.origin)).status).toBe(404);
    },
  );

  test("has the new content when another file takes its name", async () => {
    const { project, version, base } = await makeHot();
    for (let times = 0; times < 3; times++) expect((await hot(`${base}/extra.jar`)).text).toBe("extra bytes");
    const other = await makeVersion(world, author, project.id, { bytes: Buffer.from("other bytes") });
    const content = { sha512: Buffer.from(other.sha512, "hex"), sha1: Buffer.from(other.sha1, "hex") };
    await resources.db
      .updateTable("version_files")
      .set({ ...content, size: other.bytes.length })
      .where("version_id", "=", version.id)
      .where("name", "=", "extra.jar")
      .execute();
    await setProject(world, project.id, { summary: "Another file" });
    expect((await hot(`${base}/extra.jar`)).text).toBe("other bytes");
    await as.anyone.get(`/api/project/${project.id}`);
    for (let times = 0; times < 3; times++) expect((await hot(`${base}/extra.jar`)).text).toBe("other bytes");
  });
});

test("downloads are counted once per client, with their country, but not if a page shows the file", async () => {
  const { project, version, path, base } = await makeHot();
  const before = await countHot();
  for (const address of ["203.0.113.1", "203.0.113.1", "203.0.113.2"])
    await hot(path, { "x-forwarded-for": address, "cf-ipcountry": "NZ" });
  await hot(path, { "x-forwarded-for": "203.0.113.3", "sec-fetch-dest": "image" });
  await hot(`${base}/extra.jar`, { "x-forwarded-for": "203.0.113.4" });
  expect((await countHot()) - before).toBe(5);
  await counterOf(resources).flush();
  const { downloads } = (await as.anyone.get(`/api/project/${project.id}`)).body.project;
  const days = await resources.db
    .selectFrom("download_days")
    .select(["country", "count"])
    .where("version_id", "=", version.id)
    .execute();
  expect([downloads, days]).toEqual([2, [{ country: "NZ", count: 2 }]]);
});

test.skipIf(process.platform !== "linux")("a client that disappears leaves no open file", async () => {
  const { path, version } = await makeHot(randomBytes(8_000_000));
  const openFiles = () =>
    readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).endsWith(version.sha512);
      } catch {
        return false;
      }
    }).length;
  const before = await countHot();
  for (const isRead of [true, false, true]) {
    const socket = connect(Number(new URL(world.origin).port), "127.0.0.1");
    socket.write(`GET ${path} HTTP/1.1\r\nhost: modshelf.test\r\n\r\n`);
    await new Promise((resolve) => socket.once(isRead ? "readable" : "connect", resolve));
    socket.destroy();
  }
  await expect.poll(openFiles).toBe(0);
  expect((await hot(path)).bytes.equals(version.bytes)).toBe(true);
  await expect.poll(openFiles).toBe(0);
  expect(await countHot()).toBeGreaterThan(before + 1);
});
