// Reliability R-2: the real server dies at every fail point in turn. Afterwards no partial version is visible, no
// acknowledged write is lost, the same upload again yields one version, and leftovers are found and removed. `npm test`
// kills every fifth upload; `npm run test:long` kills one at each fail point.
import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { withSubject } from "#cli/subject.js";
import { readConfig } from "#config/config.js";
import { type FailPoint, failPoints } from "#lib/fail-points.js";
import { repair, verify } from "#operations/verification/verify.js";
import type { Actor } from "#test/callers/actors.js";
import { toForm } from "#test/callers/uploads.js";
import { zip } from "#test/files/archives.js";
import { sampleOf } from "#test/setup/long.js";
import {
  anyPort,
  type RunningServer,
  type Settings,
  siteUrl,
  startProgram,
  startServer,
  temporaryFolder,
  useProcesses,
} from "./program.js";
import { RawConnection } from "./raw-connection.js";

useProcesses();

const preload = fileURLToPath(new URL("./die-at.mjs", import.meta.url));
const sha = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest("hex");
const archive = (name: string) => zip([{ name: "id.txt", content: name }]);

/** The upload of a version number, and whether it was acknowledged. */
interface Sent {
  number: string;
  primary: Buffer;
  extra: Buffer;
  isAcknowledged: boolean;
}

const sent: Sent[] = [];
let cwd: string;
let settings: Settings;
let cookie: string;

const newUpload = (number: string): Sent => ({
  number,
  primary: archive(`primary of ${number}`),
  extra: archive(`extra of ${number}`),
  isAcknowledged: false,
});

async function upload(author: Actor, version: Sent) {
  const form = toForm({
    versionNumber: version.number,
    gameVersions: ["0.4.8"],
    primaryFile: { name: `${version.number}.jar`, bytes: version.primary },
    additionalFiles: [{ name: "extra.jar", bytes: version.extra }],
  });
  // A server that dies does not answer.
  const reply = await author.call("POST", "/api/project/crash/version", { body: form }).catch(() => undefined);
  if (reply) expect(reply).toSucceed();
  version.isAcknowledged ||= reply !== undefined;
  return reply;
}

const startArmed = (point: FailPoint | "", more: Settings = {}) =>
  startServer({ cwd, settings: { ...settings, ...more, DIE_AT: point }, nodeArgs: ["--import", preload] });
const authorAt = (server: RunningServer) => server.withCookie(cookie);
const died = async (server: Pick<RunningServer, "program">) =>
  expect((await server.program.exited).signal).toBe("SIGKILL");

beforeAll(async () => {
  cwd = temporaryFolder();
  const account = { MODSHELF_ADMIN_USER: "author", MODSHELF_ADMIN_EMAIL: "author@example.org" };
  const password = "a long enough password";
  settings = { ...anyPort, MODSHELF_ADMIN_PASSWORD: password, ...account };
  const server = await startArmed("");
  const signIn = await server.anyone.post("/api/auth/signin/credential", { email: "author", password });
  cookie = signIn.headers.get("set-cookie")!;
  const author = authorAt(server);
  const project = { name: "Crash", slug: "crash", type: ["mod"], visibility: "listed", summary: "x" };
  expect(await author.post("/api/project", project)).toSucceed();
  expect(await author.post("/api/moderation/project/crash", { status: "approved" })).toSucceed();
  for (const number of ["0.1", "0.2", "0.3"]) {
    const version = newUpload(number);
    await upload(author, version);
    sent.push(version);
  }
  await server.stop();
}, 120_000);

/** Each of these versions exists completely, on all routes, or not at all. */
async function expectWholeOrAbsent(server: RunningServer, versions: readonly Sent[] = sent): Promise<void> {
  const { anyone } = server;
  const { data } = (await anyone.get("/api/project/crash/version")).body;
  const latest = (await anyone.get("/api/project/crash/version/latest")).body.data;
  expect(latest).toEqual(data[0]);
  for (const version of versions) {
    const shown = data.filter((one: { versionNumber: string }) => one.versionNumber === version.number);
    const hash = sha("sha512", version.primary);
    const byHash = await anyone.get(`/api/version-file/${hash}`);
    if (version.isAcknowledged) expect(shown, version.number).toHaveLength(1);
    if (shown.length === 0) {
      expect(byHash.status, version.number).toBe(404);
      continue;
    }
    const [{ id, files, primaryFile }] = shown;
    expect(files).toHaveLength(2);
    expect([primaryFile.sha512_hash, primaryFile.sha1_hash]).toEqual([hash, sha("sha1", version.primary)]);
    expect(byHash.body.id).toBe(id);
    const base = `/api/project/crash/version/${id}`;
    const paths = [
      new URL(primaryFile.url).pathname,
      `${base}/primary-file`,
      `${base}/${version.number}.jar`,
      `/api/version-file/${hash}/download`,
    ];
    for (const path of paths) expect((await anyone.get(path)).bytes.equals(version.primary), path).toBe(true);
    expect((await anyone.get(`${base}/extra.jar`)).bytes.equals(version.extra)).toBe(true);
  }
}

/**
 * No errors; leftovers can be removed; a second run has nothing to do. Returns the kinds of leftovers. A server that
 * is killed while it tries its storage always leaves a temporary file.
 */
async function expectMendable(): Promise<string[]> {
  const config = readConfig(settings, cwd);
  return withSubject(config, { deep: true, safetyMs: 0 }, async (subject) => {
    const findings = await verify(subject);
    expect(findings.filter(({ level }) => level === "error")).toEqual([]);
    await repair(subject, { apply: true });
    expect(await verify(subject)).toEqual([]);
    expect(await repair(subject, { apply: true })).toEqual([]);
    return [...new Set(findings.map(({ check }) => check))];
  });
}

const pointsOf = (...areas: string[]) => failPoints.filter((point) => areas.some((area) => point.startsWith(area)));
/** Uploads in parts have a separate test (parts-crash.test.ts). */
const areas = ["upload:", "parts:", "publish:", "version delete:", "sweep:", "downloads:"];

describe("an upload during a crash", () => {
  const points = sampleOf(pointsOf("upload:", "publish:"), { step: 5, turn: 0 });
  test.each(points.map((point, at) => [point, `1.${at}`] as const))(
    "at “%s” leaves a complete version or none",
    async (point, number) => {
      const server = await startArmed(point);
      // The upload before the last crash; the others were checked after theirs, and all are checked again below.
      await expectWholeOrAbsent(server, sent.slice(-1));
      const version = newUpload(number);
      sent.push(version);
      expect(await upload(authorAt(server), version)).toBeUndefined();
      await died(server);
      await expectMendable();
    },
  );

  test("in the middle of a file leaves only a temporary file", async () => {
    const server = await startArmed("");
    const connection = await RawConnection.open(server.port);
    const head = [
      "POST /api/project/crash/version HTTP/1.1",
      `host: localhost:${server.port}`,
      `origin: ${siteUrl}`,
      `cookie: ${cookie.split(";")[0]}`,
      "content-type: multipart/form-data; boundary=b",
      "content-length: 5000000\r\n\r\n",
    ];
    const part = '--b\r\ncontent-disposition: form-data; name="primaryFile"; filename="a.jar"\r\n\r\n';
    connection.send(Buffer.concat([Buffer.from(head.join("\r\n") + part), Buffer.alloc(1_000_000)]));
    const folder = join(cwd, "data/files/tmp");
    const sizes = () => readdirSync(folder).map((name) => statSync(join(folder, name)).size);
    await expect.poll(() => Math.max(0, ...sizes())).toBeGreaterThan(500_000);
    await server.kill();
    expect(await expectMendable()).toEqual(["temporary files"]);
  });

  test("exists once after it was sent again, whenever the server crashed", async () => {
    const server = await startArmed("");
    for (const version of sent.filter(({ isAcknowledged }) => !isAcknowledged)) {
      const reply = await upload(authorAt(server), version);
      expect(reply?.body.data.versionNumber).toBe(version.number);
    }
    await expectWholeOrAbsent(server);
    const { data } = (await server.anyone.get("/api/project/crash/version")).body;
    expect(data.map((one: { versionNumber: string }) => one.versionNumber).sort()).toEqual(
      sent.map(({ number }) => number).sort(),
    );
    expect(await server.stop()).toBe(0);
    expect(await expectMendable()).toEqual([]);
  });
});

describe("a deletion during a crash", () => {
  test.each([...pointsOf("version delete:").entries()])("(%i) at “%s” is done or not done", async (at, point) => {
    const server = await startArmed(point);
    const version = sent.find(({ number }) => number === `0.${at + 1}`)!;
    const path = `/api/project/crash/version/${version.number}`;
    await authorAt(server)
      .delete(path)
      .catch(() => undefined);
    await died(server);
    await expectMendable();
    version.isAcknowledged = false;
    const second = await startArmed("");
    await expectWholeOrAbsent(second);
    const again = await authorAt(second).delete(path);
    expect(again.status).toBe(point === "version delete: after commit" ? 404 : 200);
    await expectWholeOrAbsent(second);
    await second.kill();
  });
});

describe("a sweep during a crash", () => {
  test.each(pointsOf("sweep:"))(
    "at “%s” deletes nothing that is needed, and is completed the next time",
    async (point) => {
      const database = new DatabaseSync(join(cwd, "data/modshelf.db"));
      const bytes = Buffer.from(sha("sha512", sent[0]!.primary), "hex");
      // As if the deleted version's grace period were over and the job were due.
      database.prepare("update blobs set date_orphaned = 1 where sha512 = ?").run(bytes);
      database.prepare("update jobs set run_after = 1, lease_until = null where kind = 'collect-blobs'").run();
      database.close();
      const program = await startProgram(["serve"], {
        cwd,
        settings: { ...settings, DIE_AT: point },
        nodeArgs: ["--import", preload],
      });
      await died({ program });
      await expectMendable();
      const server = await startArmed("");
      await expectWholeOrAbsent(server);
      const version = { ...sent[0]!, number: `2.${point.length}` };
      expect((await upload(authorAt(server), version))?.body.data.versionNumber).toBe(version.number);
      sent.push(version);
      await authorAt(server).delete(`/api/project/crash/version/${version.number}`);
      version.isAcknowledged = false;
      // A killed server could leave the temporary file of its last upload behind.
      await server.stop();
    },
  );
});

describe("a count of downloads during a crash", () => {
  test.each(pointsOf("downloads:"))("at “%s” is lost or counted, and never counted twice", async (point) => {
    const server = await startArmed(point, { MODSHELF_TRUSTED_PROXIES: "loopback" });
    const figure = async ({ anyone }: RunningServer) =>
      (await anyone.get("/api/project/crash")).body.project.downloads as number;
    const before = await figure(server);
    const address = { "x-forwarded-for": `10.1.1.${point.length}` };
    // Downloads are written every few seconds and at a stop; the server dies at that moment, perhaps before it has
    // answered.
    await server.anyone
      .with(address)
      .get("/api/project/crash/version/latest/primary-file")
      .catch(() => undefined);
    server.program.child.kill("SIGTERM");
    await died(server);
    expect((await expectMendable()).filter((leftover) => leftover !== "temporary files")).toEqual([]);
    const second = await startArmed("");
    expect(await figure(second)).toBe(before + (point === "downloads: flushed" ? 1 : 0));
    await second.kill();
  });
});

test("every fail point has a test", () => {
  expect(pointsOf(...areas)).toEqual(failPoints);
  expect(failPoints.length).toBeGreaterThanOrEqual(12);
});

test("the commands verify and repair report the same, next to a running server", async () => {
  const server = await startArmed("");
  const verified = await server.command("verify", "--deep");
  expect([verified.code, verified.stderr]).toEqual([0, ""]);
  expect(verified.stdout).toMatch(/^\d+ checks: 0 errors, 0 leftovers\.\n$/);
  const asJson = await server.command("verify", "--json");
  expect(JSON.parse(asJson.stdout)).toMatchObject({ isSound: true, findings: [] });
  expect((await server.command("repair")).stdout).toBe("There is nothing to repair.\n");
  const refused = await server.command("repair", "--apply", "--now");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^A server is running .*Stop it first/)]);

  const database = new DatabaseSync(join(cwd, "data/modshelf.db"), { timeout: 5000 });
  database.exec("update projects set downloads = 77");
  const broken = await server.command("verify");
  expect(broken.code).toBe(1);
  expect(broken.stdout).toMatch(/^error +download figures +project \w{8} shows 77 downloads, but there are \d+$/m);
  const plan = await server.command("repair");
  expect(plan.stdout).toMatch(/download figures: set the figures.*Nothing was changed/s);
  expect((await server.command("verify")).code).toBe(1);
  expect((await server.command("repair", "--apply")).stdout).toMatch(/Done\.\n$/);
  expect((await server.command("verify")).code).toBe(0);
  database.close();
  await expect
    .poll(async () => (await server.anyone.get("/api/project/crash")).body.project.downloads)
    .toBeLessThan(77);
  expect(await server.stop()).toBe(0);
});
