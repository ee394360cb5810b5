import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { filePart, formEnd, rawUpload } from "#test/callers/raw-forms.js";
import { parseRaw } from "#test/callers/raw-http.js";
import { RawConnection } from "#test/process/raw-connection.js";
import { FrameControl, frameRoutes } from "#test/server/frame-routes.js";
import { testApp } from "#test/server/harness.js";

const stillMs = 1000;
const control = new FrameControl();
const { app, make, origin } = await testApp({ routes: frameRoutes(control), patience: { stillMs } });
const port = Number(new URL(origin).port);
const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: modshelf.test\r\n\r\n`;
const openConnections = () =>
  new Promise<number>((resolve) => app.http.server.getConnections((_error, count) => resolve(count)));

describe("a request that is never answered", () => {
  test("is answered with 503, and a late answer of its handler does no harm", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    control.gate = promise;
    const connection = await RawConnection.open(port);
    connection.send(get("/frame/slow"));
    const reply = parseRaw(await connection.heard(/"requestId":"\w+"\}$/));
    expect([reply.status, JSON.parse(reply.body).code, reply.headers["retry-after"]]).toEqual([
      503,
      "unavailable",
      expect.any(String),
    ]);
    resolve();
    connection.send(get("/frame/text?size=3"));
    expect(await connection.heard(/"text":"xxx"/)).not.toContain('"who"');
    connection.end();
  });

  test("has more time while a large upload is stored", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    control.gate = promise;
    const { value: token } = await make.token(await make.user(), { scopes: ["user_write"] });
    const body = Buffer.concat([filePart("file", "a.bin", "abc"), formEnd]);
    const connection = await RawConnection.open(port);
    connection.send(rawUpload({ path: "/frame/stream", token, body }));
    setTimeout(resolve, 2 * stillMs);
    expect(await connection.heard(/"files"/)).toContain('"a.bin 3"');
    connection.end();
  });
});

describe("an answer", () => {
  const large = get("/frame/text?size=30000000");

  test("is aborted if its client stops reading", async () => {
    const before = await openConnections();
    let accepted = 0;
    app.http.server.on("connection", () => accepted++);
    const sockets = Array.from({ length: 3 }, () => {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.pause();
      socket.write(large);
      return socket;
    });
    await expect.poll(() => accepted, { timeout: 20_000 }).toBe(3);
    await expect.poll(openConnections, { timeout: 20_000 }).toBe(before);
    for (const socket of sockets) socket.destroy();
  });

  test("continues for as long as its client keeps reading", async () => {
    // Client and server share a thread, which may get no CPU time for a second on a busy machine.
    const longerMs = 3 * stillMs;
    const patient = await testApp({ routes: frameRoutes(new FrameControl()), patience: { stillMs: longerMs } });
    const socket = connect(Number(new URL(patient.origin).port), "127.0.0.1");
    let received = 0;
    socket.on("data", (chunk) => {
      received += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), 10);
    });
    const begun = performance.now();
    socket.write(large.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n"));
    await new Promise((resolve) => socket.once("close", resolve));
    expect(performance.now() - begun).toBeGreaterThan(longerMs);
    expect(received).toBeGreaterThan(30_000_000);
  });
});
