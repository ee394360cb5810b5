// A running server and the world beside it: commands and other processes that write to the same SQLite file, and parts
// that break and mend.
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { ChangeFeed } from "../../server/src/changes/feed.js";
import { openDatabase } from "../../server/src/db/open.js";
import { systemClock } from "../../server/src/lib/clock.js";
import { systemRandom } from "../../server/src/lib/random.js";
import { installTaxonomy } from "../../server/src/taxonomy/write.js";
import { type RunningServer, startServer, useProcesses } from "./program.js";

useProcesses();

test("a command acts at once on the running server", async () => {
  const server = await startServer();
  const session = await server.signUp("Somebody");
  const made = await session.post("/api/pat", { name: "ci", dateExpires: "2099-01-01", authScopes: ["user_read"] });
  const asToken = () => server.anyone.get("/api/user", { headers: { authorization: `Bearer ${made.body.token}` } });
  expect(await asToken()).toSucceed();

  expect((await server.command("admin", "suspend", "somebody", "spam")).code).toBe(0);
  expect(await asToken()).toFail(401, "credentialInvalid");
  expect(await session.get("/api/auth/me")).toFail(401, "signInNeeded");
  expect((await server.command("admin", "unsuspend", "somebody")).code).toBe(0);
  expect((await server.command("admin", "role", "somebody", "admin")).code).toBe(0);
  expect((await asToken()).body).toMatchObject({ userName: "Somebody", role: "admin" });
});

test("what a server keeps in memory follows the writes of another process within a quarter of a second", async () => {
  const server = await startServer();
  const database = openDatabase({ engine: "sqlite", path: join(server.cwd, "data", "modshelf.db") }, () => {});
  const feed = new ChangeFeed(database, { warn: () => {} });
  const other = { db: database.db, clock: systemClock, random: systemRandom, feed };
  const lags: number[] = [];
  for (const [index, version] of ["1.0", "2.0", "3.0", "4.0", "5.0"].entries()) {
    const file = join(server.cwd, `taxonomy-${index}.yaml`);
    writeFileSync(file, `projectTypes: [mod]\ngameVersions: ['${version}']\n`);
    await installTaxonomy(other, file);
    const written = performance.now();
    await vi.waitFor(async () => expect(await newestGameVersion(server)).toBe(version), {
      timeout: 10_000,
      interval: 5,
    });
    lags.push(Math.round(performance.now() - written));
  }
  await feed.stop();
  await database.close();
  lags.sort((a, b) => a - b);
  process.stdout.write(`a taxonomy by another process is in force after ${lags.join(", ")} ms\n`);
  expect(lags[2]).toBeLessThan(250);
  expect(lags.at(-1)).toBeLessThan(2000);
});

async function newestGameVersion({ anyone }: RunningServer): Promise<string> {
  return (await anyone.get("/api/tags/game-versions")).body[0].value;
}

test("storage that breaks takes the readiness away within five seconds and gives it back, while the process stays alive", async () => {
  const server = await startServer();
  const files = join(server.cwd, "data", "files");
  const until = async (status: number) => {
    const begun = performance.now();
    await vi.waitFor(async () => expect((await server.anyone.get("/readyz")).status).toBe(status), {
      timeout: 20_000,
      interval: 50,
    });
    return Math.round(performance.now() - begun);
  };
  renameSync(files, `${files}-gone`);
  const lost = await until(503);
  expect((await server.anyone.get("/readyz")).body.components).toMatchObject({ storage: "failing", database: "ok" });
  expect(await server.anyone.get("/healthz")).toSucceed();
  expect(server.program.stdout).toMatch(/"part":"storage","msg":"Not ready"/);
  renameSync(`${files}-gone`, files);
  const back = await until(200);
  process.stdout.write(`readiness was lost after ${lost} ms and back after ${back} ms\n`);
  expect(lost).toBeLessThan(5000);
});
