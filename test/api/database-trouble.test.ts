// An unavailable PostgreSQL, at the start or later. The real server, with a proxy in between that can be stopped.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { describe, expect, inject, test } from "vitest";
import { anyPort, portOf, RunningServer, startProgram, temporaryFolder, useProcesses } from "#test/process/program.js";
import { createDatabase, engine } from "#test/server/harness.js";

useProcesses();

/** Forwards everything to the real server while it is up, and breaks every connection while it is down. */
class DatabaseProxy {
  isUp = false;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(target: URL) {
    this.#server = createServer((near) => {
      if (!this.isUp) return void near.resetAndDestroy();
      const far = connect(Number(target.port), target.hostname);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(from);
        from.pipe(to);
        from.on("error", () => to.destroy()).on("close", () => to.destroy());
      }
    });
  }

  /** Returns the port. */
  async listen(): Promise<number> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return (this.#server.address() as AddressInfo).port;
  }

  down(): void {
    this.isUp = false;
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  close(): void {
    this.down();
    this.#server.close();
  }
}

describe.runIf(engine === "postgres")("PostgreSQL", () => {
  test("that starts after the server is waited for; when it stops, the server is not ready until it is back", async () => {
    const database = await createDatabase();
    const url = new URL(database?.url ?? inject("postgresUrl"));
    const proxy = new DatabaseProxy(new URL(url));
    url.port = String(await proxy.listen());
    const settings = { ...anyPort, MODSHELF_DATABASE_URL: url.href };
    const cwd = temporaryFolder();
    const program = await startProgram(["serve"], { settings, cwd });
    await program.heard(/Waiting for the database/);
    proxy.isUp = true;
    const server = new RunningServer(program, settings, cwd, await portOf(program));
    expect(await server.anyone.get("/readyz")).toSucceed();
    await server.signUp("Early");

    const until = (status: number) => expect.poll(async () => (await server.anyone.get("/readyz")).status).toBe(status);
    proxy.down();
    const refused = await server.anyone.get("/api/user/early");
    expect(refused).toFail(503, "unavailable");
    expect(refused.headers.get("retry-after")).toBeTruthy();
    await until(503);
    expect((await server.anyone.get("/readyz")).body.components).toMatchObject({ database: "failing", storage: "ok" });
    expect(await server.anyone.get("/healthz")).toSucceed();
    proxy.isUp = true;
    await until(200);
    expect(await server.anyone.get("/api/user/early")).toSucceed();
    expect(await server.stop()).toBe(0);
    proxy.close();
    await database?.drop();
  });
});
