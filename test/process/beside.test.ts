// A running server next to other processes: commands and processes that write to the same SQLite file, and parts that
// fail and recover.
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { installTaxonomy } from "#content/taxonomy/write.js";
import { systemClock } from "#lib/clock.js";
import { systemRandom } from "#lib/random.js";
import { ChangeLog } from "#platform/changes/change-log.js";
import { ServerMemory } from "#platform/changes/server-memory.js";
import { openDatabase } from "#platform/db/open.js";
import { type RunningServer, startServer, useProcesses } from "./program.js";

useProcesses({ shared: true });

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});

test("a command takes effect on the running server immediately", async () => {
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

test("the caches of a server follow the writes of another process", async () => {
  const database = openDatabase({ engine: "sqlite", path: join(server.cwd, "data", "modshelf.db") }, () => {});
  const changeLog = new ChangeLog(database, { warn: () => {} });
  const memory = new ServerMemory({ changeLog, clock: systemClock });
  const other = { db: database.db, clock: systemClock, random: systemRandom, changeLog, memory };
  for (const [index, version] of ["1.0", "2.0", "3.0", "4.0", "5.0"].entries()) {
    const file = join(server.cwd, `taxonomy-${index}.yaml`);
    writeFileSync(file, `projectTypes: [mod]\ngameVersions: ['${version}']\n`);
    await installTaxonomy(other, file);
    await expect.poll(newestGameVersion).toBe(version);
  }
  await changeLog.stop();
  await database.close();
});

async function newestGameVersion(): Promise<string> {
  return (await server.anyone.get("/api/tags/game-versions")).body[0].value;
}

test("storage that fails makes the server not ready until it works again, while the process stays alive", async () => {
  const files = join(server.cwd, "data", "files");
  const until = (status: number) => expect.poll(async () => (await server.anyone.get("/readyz")).status).toBe(status);
  renameSync(files, `${files}-gone`);
  await until(503);
  expect((await server.anyone.get("/readyz")).body.components).toMatchObject({ storage: "failing", database: "ok" });
  expect(await server.anyone.get("/healthz")).toSucceed();
  expect(server.program.stdout).toMatch(/"part":"storage","msg":"The server is not ready/);
  renameSync(`${files}-gone`, files);
  await until(200);
});
