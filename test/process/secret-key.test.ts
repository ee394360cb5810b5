// The key that seals secrets, for operators: created at the first start, replaced, missing, lost, and in backups.
import { randomBytes } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type RunningServer, run, startServer, temporaryFolder, useProcesses } from "./program.js";

useProcesses();

const keyFile = (cwd: string) => join(cwd, "data", "secret.key");
const again = ({ settings, cwd }: RunningServer, more = {}) =>
  run(["serve"], { settings: { ...settings, ...more }, cwd });

/** A server with a webhook, and its secret. */
async function startWithSecret(): Promise<{ server: RunningServer; secret: string }> {
  const server = await startServer();
  const author = await server.signUp("author");
  const project = { name: "Sealed", slug: "sealed", type: ["mod"], visibility: "listed", summary: "x" };
  expect(await author.post("/api/project", project)).toSucceed();
  const hook = { url: "https://receiver.example.org/hook", events: ["version.published"] };
  const added = await author.post("/api/project/sealed/webhooks", hook);
  expect(added).toSucceed();
  return { server, secret: added.body.secret };
}

test("a server without its key does not start and says so; the key is replaced, and abandoned only on request", async () => {
  const { server } = await startWithSecret();
  expect(statSync(keyFile(server.cwd)).mode & 0o777).toBe(0o600);
  await server.stop();
  const first = readFileSync(keyFile(server.cwd), "utf8").trim();
  renameSync(keyFile(server.cwd), join(server.cwd, "kept.key"));

  const refused = await again(server);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/sealed with the key [0-9a-f]{16}, which is not in .*secret\.key.*1 webhooks/);
  const second = randomBytes(32).toString("base64");
  const elsewhere = await again(server, { MODSHELF_SECRET_KEY: second });
  expect(elsewhere.stderr).toContain("which is not in MODSHELF_SECRET_KEY");

  // With both keys everything is sealed again with the first one, and the other one can be removed.
  await (await server.restart({ MODSHELF_SECRET_KEY: `${second},${first}` })).stop();
  await (await server.restart({ MODSHELF_SECRET_KEY: second })).stop();
  expect((await again(server, { MODSHELF_SECRET_KEY: first })).code).toBe(1);

  const told = await server.command("secrets", "forget");
  expect(told.stdout).toMatch(/^0 users .*1 webhooks.*\nNothing was changed/);
  expect((await server.command("secrets", "forget", "--apply")).code).toBe(0);
  await (await server.restart()).stop();
});

test("a backup contains no secret in plain text, and its restore says which key is needed", async () => {
  const { server, secret } = await startWithSecret();
  const folder = join(server.cwd, "backup");
  expect((await server.command("backup", folder)).code).toBe(0);
  await server.stop();
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name))) {
    if (!statSync(path).isFile()) continue;
    const bytes = readFileSync(path);
    expect((path.endsWith(".gz") ? gunzipSync(bytes) : bytes).includes(secret), path).toBe(false);
  }

  const cwd = temporaryFolder();
  const { settings } = server;
  const restored = await run(["restore", folder], { settings, cwd });
  expect([restored.code, restored.stderr]).toEqual([0, expect.stringContaining("Warning: The backup holds secrets")]);
  mkdirSync(join(cwd, "data"), { recursive: true });
  copyFileSync(keyFile(server.cwd), keyFile(cwd));
  const next = await startServer({ settings, cwd });
  expect(next.program.stdout).toContain("Modshelf is running");
  const database = new DatabaseSync(join(cwd, "data", "modshelf.db"), { readOnly: true });
  expect(database.prepare("select secret from webhooks").get()?.secret).toMatch(/^sealed1\./);
  database.close();
});

test("a damaged key file is never replaced", async () => {
  const server = await startServer();
  await server.stop();
  writeFileSync(keyFile(server.cwd), "damaged");
  const { code, stderr } = await again(server);
  expect([code, stderr]).toEqual([1, expect.stringContaining("is not a valid key file")]);
  expect(readFileSync(keyFile(server.cwd), "utf8")).toBe("damaged");
});
