// PostgreSQL that is not there: late at the start, gone under way. The real server, with a proxy in between that can be
// taken down.
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { describe, expect, inject, test, vi } from "vitest";
import { createDatabase, engine } from "../harness.js";
import { RunningServer, startProgram, temporaryFolder, useProcesses } from "../process/program.js";
import { freePort } from "../setup/ports.js";

useProcesses();

/** Passes everything on to the real server while it is up. */
class DatabaseProxy {
  readonly port: number;
  readonly #target: URL;
  #server: Server | undefined;
  readonly #sockets = new Set<Socket>();

  constructor(port: number, target: URL) {
    this.port = port;
    this.#target = target;
  }

  async up(): Promise<void> {
    this.#server = createServer((near) => {
      const far = connect(Number(this.#target.port), this.#target.hostname);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(from);
        from.pipe(to);
        from.on("error", () => to.destroy()).on("close", () => to.destroy());
      }
    }).listen(this.port, "127.0.0.1");
    await once(this.#server, "listening");
  }

  async down(): Promise<void> {
    if (!this.#server) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    await closed;
  }
}

describe.runIf(engine === "postgres")("PostgreSQL", () => {
  test("that comes up after the server is waited for; when it goes, readiness goes and comes back with it", async () => {
    const database = await createDatabase();
    const url = new URL(database?.url ?? inject("postgresUrl"));
    const proxy = new DatabaseProxy(await freePort(), new URL(url));
    url.port = String(proxy.port);
    const settings = { MODSHELF_PORT: String(await freePort()), MODSHELF_DATABASE_URL: url.href };
    const cwd = temporaryFolder();
    const program = await startProgram(["serve"], { settings, cwd });
    await program.heard(/Waiting for the database/);
    await proxy.up();
    await program.heard(/Modshelf is running at/);
    const server = new RunningServer(program, settings, cwd);
    expect(await server.anyone.get("/readyz")).toSucceed();
    await server.signUp("Early");

    const until = async (status: number) => {
      const begun = performance.now();
      const ready = async () => expect((await server.anyone.get("/readyz")).status).toBe(status);
      await vi.waitFor(ready, { timeout: 30_000, interval: 50 });
      return Math.round(performance.now() - begun);
    };
    await proxy.down();
    const refused = await server.anyone.get("/api/user/early");
    expect(refused).toFail(503, "unavailable");
    expect(refused.headers.get("retry-after")).toBeTruthy();
    const lost = await until(503);
    expect((await server.anyone.get("/readyz")).body.components).toMatchObject({ database: "failing", storage: "ok" });
    expect(await server.anyone.get("/healthz")).toSucceed();
    await proxy.up();
    const back = await until(200);
    process.stdout.write(`readiness was lost after ${lost} ms and back after ${back} ms\n`);
    expect(lost).toBeLessThan(5000);
    expect(await server.anyone.get("/api/user/early")).toSucceed();
    expect(await server.stop()).toBe(0);
    await proxy.down();
    await database?.drop();
  });
});
