// A running server that reads its settings again at SIGHUP, and a server with a damaged database, which must not start.
import { closeSync, openSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { run, startServer, temporaryFolder, useProcesses } from "./program.js";

useProcesses();

describe("SIGHUP", () => {
  test("applies the file's limits, registration and log level, and an invalid file changes nothing", async () => {
    const cwd = temporaryFolder();
    const write = (...lines: string[]) => writeFileSync(join(cwd, "modshelf.env"), lines.join("\n"));
    write("MODSHELF_MAX_DEPENDENCIES=7", "MODSHELF_LOG_LEVEL=info");
    const server = await startServer({ cwd });
    const { program, anyone } = server;
    const hangUp = async (answer: RegExp) => {
      program.stdout = "";
      program.child.kill("SIGHUP");
      await program.heard(answer);
    };
    const account = (userName: string) => ({
      userName,
      email: `${userName}@example.org`,
      password: "a long enough password",
    });
    expect(await anyone.post("/api/auth/signup", account("early"))).toSucceed();

    write("MODSHELF_REGISTRATION=closed", "MODSHELF_LOG_LEVEL=debug");
    await hangUp(/settings are read again/);
    expect(await anyone.post("/api/auth/signup", account("late"))).toFail(403, "registrationClosed");

    write("MODSHELF_REGISTRATION=ajar", "MODSHELF_LOG_LEVEL=silent");
    await hangUp(/settings stay as they were/);
    expect(program.stdout).toContain("MODSHELF_REGISTRATION");
    expect(await anyone.post("/api/auth/signup", account("later"))).toFail(403, "registrationClosed");
    await program.heard(/"route":"\/api\/auth\/signup","status":403/);

    write("MODSHELF_LOG_LEVEL=warn");
    program.child.kill("SIGHUP");
    await expect.poll(async () => (await anyone.post("/api/auth/signup", account("last"))).status).toBe(200);
    // By then, the log lines of earlier requests have been written.
    expect(await anyone.get("/api/tags/loaders")).toSucceed();
    expect(await server.stop()).toBe(0);
    expect(program.stdout).not.toContain("/api/tags/loaders");
  });
});

describe("a damaged database", () => {
  test("is refused at the start, with advice", async () => {
    const server = await startServer();
    for (const name of ["ada", "bob", "cy"]) await server.signUp(name);
    expect(await server.stop()).toBe(0);
    const file = join(server.cwd, "data", "modshelf.db");
    const database = new DatabaseSync(file);
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const { rootpage } = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'audit_log'").get() as {
      rootpage: number;
    };
    const { page_size } = database.prepare("PRAGMA page_size").get() as { page_size: number };
    database.close();
    expect(statSync(file).size).toBeGreaterThanOrEqual(rootpage * page_size);
    const handle = openSync(file, "r+");
    writeSync(handle, Buffer.alloc(page_size, 0x5a), 0, page_size, (rootpage - 1) * page_size);
    closeSync(handle);
    const refused = await run(["serve"], { settings: server.settings, cwd: server.cwd });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/The database is damaged: .+modshelf doctor/);
  });
});
