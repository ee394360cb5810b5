// Reliability R-2 for uploads in parts: the real server dies at every fail point of a part. Afterwards acknowledged
// parts exist, the upload continues where the server says, and the version has exactly the same bytes.
import { createHash, randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type FailPoint, failPoints } from "#lib/fail-points.js";
import type { Actor } from "#test/callers/actors.js";
import { zip } from "#test/files/archives.js";
import { startServer, temporaryFolder, useProcesses } from "./program.js";

useProcesses({ shared: true });

const preload = fileURLToPath(new URL("./die-at.mjs", import.meta.url));
const points = failPoints.filter((point) => point.startsWith("parts:"));
const partBytes = 1024 * 1024;
const cwd = temporaryFolder();
const start = (point: FailPoint | "") =>
  startServer({ cwd, settings: { DIE_AT: point }, nodeArgs: ["--import", preload] });
/** The server of the last test is used at the start of the next one. */
let calm = await start("");

const send = (actor: Actor, id: string, bytes: Buffer, offset: number) =>
  actor
    .form("PATCH", `/api/upload/${id}`, {
      offset: String(offset),
      part: new File([new Uint8Array(bytes.subarray(offset, offset + partBytes))], "part"),
    })
    .catch(() => undefined);

test.each(points)("an upload during a crash at “%s” continues and loses nothing", async (point) => {
  const bytes = zip([{ name: "noise.bin", content: randomBytes(2.5 * partBytes), isStored: true }]);
  const slug = `crash-${points.indexOf(point)}`;
  const author = await calm.signUp(slug);
  const cookie = await sessionOf(calm.anyone, slug);
  const project = { name: "Crash", slug, type: ["mod"], visibility: "listed", summary: "x" };
  expect(await author.post("/api/project", project)).toSucceed();
  const { id } = (await author.post("/api/upload", { name: "a.jar", size: bytes.length })).body.upload;
  expect(await send(author, id, bytes, 0)).toSucceed();
  await calm.kill();

  const armed = await start(point);
  const unlucky = armed.withCookie(cookie);
  let offset = (await unlucky.get(`/api/upload/${id}`)).body.offset as number;
  expect(offset).toBe(partBytes);
  while (offset < bytes.length) {
    const reply = await send(unlucky, id, bytes, offset);
    if (!reply) break;
    offset = reply.body.upload.offset;
  }
  if (offset === bytes.length) await unlucky.post(`/api/upload/${id}/finish`).catch(() => undefined);
  expect((await armed.program.exited).signal).toBe("SIGKILL");

  calm = await start("");
  const lucky = calm.withCookie(cookie);
  const { offset: kept } = (await lucky.get(`/api/upload/${id}`)).body;
  expect(kept).toBeGreaterThanOrEqual(offset);
  for (let at = kept; at < bytes.length; at += partBytes) expect(await send(lucky, id, bytes, at)).toSucceed();
  const version = { versionNumber: "1.0", gameVersions: ["0.4.8"], primaryUpload: id };
  const reply = await lucky.post(`/api/project/${slug}/version`, version);
  expect(reply).toSucceed();
  expect(reply.body.data.primaryFile.sha512_hash).toBe(createHash("sha512").update(bytes).digest("hex"));
});

test("the last server stops like any other", async () => {
  expect(await calm.stop()).toBe(0);
});

async function sessionOf(anyone: Actor, userName: string): Promise<string> {
  const password = "a long enough password";
  const reply = await anyone.post("/api/auth/signin/credential", { email: userName, password });
  return reply.headers.get("set-cookie") ?? "";
}
