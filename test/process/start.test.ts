// The real server from its first start on: no settings, the first administrator, and reasons why it does not start.

import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { onFreePort } from "#test/setup/ports.js";
import {
  anyPort,
  findSetupCode,
  run,
  siteUrl,
  startProgram,
  startServer,
  temporaryFolder,
  useProcesses,
} from "./program.js";

useProcesses();

const smallPng = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const admin = { userName: "Keeper", email: "keeper@example.org", password: "a long enough password" };

test("without any setting the server starts, is healthy and ready, and keeps its data in ./data", async () => {
  const cwd = temporaryFolder();
  const { program, url } = await onFreePort(async (port) => {
    const program = await startProgram(["serve"], { settings: { MODSHELF_PORT: String(port) }, cwd });
    const [, url] = await program.heard(/Modshelf is running at (http:[^"]+)"/);
    expect(url).toBe(`http://localhost:${port}`);
    return { program, url };
  });
  const health = await fetch(`${url}/healthz`);
  expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
  const ready = await fetch(`${url}/readyz`);
  expect([ready.status, ((await ready.json()) as { ready: boolean }).ready]).toEqual([200, true]);
  expect(existsSync(join(cwd, "data", "modshelf.db"))).toBe(true);
  expect(program.stderr).toBe("");
  program.child.kill("SIGTERM");
  expect((await program.exited).code).toBe(0);
});

test("the log contains the version, the URL, the data folder and the database", async () => {
  const { program, cwd, port } = await startServer();
  const line = program.stdout.split("\n").find((text) => text.includes("Modshelf is running at"));
  expect(JSON.parse(line ?? "")).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    url: siteUrl,
    listening: `http://127.0.0.1:${port}`,
    dataDir: join(cwd, "data"),
    database: `SQLite, ${join(cwd, "data", "modshelf.db")}`,
  });
});

test("the setup link in the log creates one administrator, once, and no later start prints another link", async () => {
  const server = await startServer();
  await server.program.heard(/There is no administrator yet/);
  const code = findSetupCode(server.program.stdout);
  expect(await server.anyone.post("/api/setup", { ...admin, code: "msc_wrong" })).toFail(400, "codeInvalid");
  expect(await server.anyone.post("/api/setup", { ...admin, code })).toSucceed();
  const again = { ...admin, code, userName: "Other", email: "other@example.org" };
  expect(await server.anyone.post("/api/setup", again)).toFail(404, "setupDone");
  expect((await server.anyone.get("/api/user/keeper")).body).toMatchObject({ role: "admin" });
  await server.stop();

  const second = await server.restart();
  expect(await second.anyone.get("/readyz")).toSucceed();
  await second.stop();
  expect(second.program.stdout).not.toContain("setup");
});

test("a new setup link can be printed while the server runs, as long as there is no administrator", async () => {
  const server = await startServer();
  const printed = await server.command("setup-link");
  expect(printed.code).toBe(0);
  expect(printed.stdout).toMatch(new RegExp(`^${siteUrl}/setup\\?code=msc_\\w{49}\\n$`));
  const code = findSetupCode(printed.stdout);
  expect(await server.anyone.post("/api/setup", { ...admin, code })).toSucceed();
  const late = await server.command("setup-link");
  expect([late.code, late.stdout]).toEqual([1, ""]);
  expect(late.stderr).toContain("There is an administrator already");
});

test("the administrator named in the environment is created at the first start and unchanged later", async () => {
  const settings = {
    MODSHELF_ADMIN_USER: admin.userName,
    MODSHELF_ADMIN_EMAIL: admin.email,
    MODSHELF_ADMIN_PASSWORD: admin.password,
  };
  const server = await startServer({ settings });
  const signIn = await server.anyone.post("/api/auth/signin/credential", admin);
  expect(signIn).toSucceed();
  const session = server.withCookie(signIn.headers.get("set-cookie") ?? "");
  expect((await session.get("/api/auth/me")).body).toMatchObject({ userName: "Keeper", role: "admin" });
  expect(server.program.stdout).not.toContain("/setup?code=");
  await server.stop();

  const second = await server.restart({ MODSHELF_ADMIN_PASSWORD: "another long password" });
  expect(await second.anyone.post("/api/auth/signin/credential", admin)).toSucceed();
});

test("an administrator in the environment who cannot be created is a problem of that setting", async () => {
  const server = await startServer();
  await server.signUp("Ordinary");
  await server.stop();
  const start = (userName: string, email = admin.email) => {
    const named = {
      MODSHELF_ADMIN_USER: userName,
      MODSHELF_ADMIN_EMAIL: email,
      MODSHELF_ADMIN_PASSWORD: admin.password,
    };
    return run(["serve"], { settings: { ...server.settings, ...named }, cwd: server.cwd });
  };
  for (const [refused, name] of [
    [await start("Admin"), "MODSHELF_ADMIN_USER"],
    [await start("ordinary"), "MODSHELF_ADMIN_USER"],
    [await start("Keeper", "ordinary@example.org"), "MODSHELF_ADMIN_EMAIL"],
  ] as const)
    expect([refused.code, refused.stderr]).toEqual([78, expect.stringContaining(`${name}: The first administrator`)]);
});

test("a second server on the same data folder refuses to start and names the first, which keeps running", async () => {
  const first = await startServer();
  const second = await first.command("serve");
  expect(second.code).toBe(1);
  expect(second.stderr).toContain(`process ${first.program.child.pid}`);
  expect(second.stderr).toContain(join(first.cwd, "data"));
  expect(await first.anyone.get("/readyz")).toSucceed();
  const session = await first.signUp("Still");
  expect(await session.get("/api/auth/me")).toSucceed();
});

// Concurrent, because one of them waits for ten seconds.
describe.concurrent("reasons that prevent a server from starting", () => {
  test("a port in use is named with the setting to change", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const main = await run(["serve"], { settings: { MODSHELF_PORT: String(port) } });
    expect([main.code, main.stderr]).toEqual([1, expect.stringContaining(`port ${port}. Another program`)]);
    expect(main.stderr).toContain("MODSHELF_PORT");
    const settings = { ...anyPort, MODSHELF_METRICS_PORT: String(port) };
    const metrics = await run(["serve"], { settings });
    expect([metrics.code, metrics.stderr]).toEqual([1, expect.stringContaining("MODSHELF_METRICS_PORT")]);
    other.close();
  });

  test("an address that does not belong to this machine is named with the setting to change", async () => {
    // 192.0.2.0/24 is reserved for documentation.
    const settings = { ...anyPort, MODSHELF_HOST: "192.0.2.1" };
    const { code, stderr } = await run(["serve"], { settings });
    expect([code, stderr]).toEqual([1, expect.stringContaining("Correct MODSHELF_HOST")]);
  });

  test("a PostgreSQL that does not respond is waited for and then named, without its password", async () => {
    // No program listens on port 1.
    const settings = { MODSHELF_DATABASE_URL: "postgres://keeper:canary-pass@127.0.0.1:1/mods" };
    const { code, stdout, stderr, ms } = await run(["serve"], { settings });
    process.stdout.write(`waited for PostgreSQL: ${Math.round(ms)} ms\n`);
    expect(code).toBe(1);
    expect(stdout).toContain("Waiting for the database");
    expect(stderr).toContain(`The database cannot be reached (PostgreSQL, 127.0.0.1:1/mods)`);
    expect(stderr).toContain("MODSHELF_DATABASE_URL");
    expect(stdout + stderr).not.toContain("canary-pass");
  });

  test("a file that is not a database is refused with a message", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "broken.db"), "this is not a database, however long it may be read".repeat(100));
    const settings = { ...anyPort, MODSHELF_DATABASE_URL: "sqlite:broken.db" };
    const { code, stderr } = await run(["serve"], { settings, cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining("The data cannot be opened: file is not a database")]);
    expect(stderr).toContain("modshelf doctor");
  });
});

test("an uncaught error is logged, and the process ends with code 1", async () => {
  const plant = (code: string) => ["--import", `data:text/javascript,process.on("SIGUSR2",()=>{${code}})`];
  for (const [code, origin] of [
    [`Promise.reject(new Error("planted"))`, "unhandledRejection"],
    [`throw new Error("planted")`, "uncaughtException"],
  ] as const) {
    const server = await startServer({ nodeArgs: plant(code) });
    server.program.child.kill("SIGUSR2");
    expect((await server.program.exited).code).toBe(1);
    // The start may still write a line after it.
    const lines = server.program.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const fatal = lines.filter(({ level }) => level === 60);
    expect(fatal).toMatchObject([{ origin, err: { message: "planted" } }]);
  }
});

test("all files that the server and its commands create are for its account alone, regardless of umask and folder", async () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, "data"));
  chmodSync(join(cwd, "data"), 0o777);
  const server = await startServer({ cwd, umask: "000" });
  const session = await server.signUp("Keeper-of-keys");
  const avatar = new File([Uint8Array.from(smallPng)], "a.png");
  expect(await session.form("PATCH", "/api/user", { avatar })).toSucceed();
  expect((await server.command("backup", join(cwd, "backup"))).code).toBe(0);
  const created = ["data", "backup"].flatMap((name) =>
    readdirSync(join(cwd, name), { recursive: true, encoding: "utf8" }).map((path) => join(cwd, name, path)),
  );
  expect(created.map((path) => basename(path))).toEqual(
    expect.arrayContaining(["modshelf.db", "modshelf.db-wal", "modshelf.db-shm", "server.lock", "manifest.json"]),
  );
  const open = created.filter((path) => (statSync(path).mode & 0o077) !== 0);
  expect(open).toEqual([]);
  await server.stop();

  // A file that an older version created gets restricted permissions at the next start.
  chmodSync(join(cwd, "data", "modshelf.db"), 0o644);
  await server.restart();
  expect(statSync(join(cwd, "data", "modshelf.db")).mode & 0o777).toBe(0o600);
});
