import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { parseRaw, rawRequest, sendRaw } from "#test/callers/raw-http.js";
import { FrameControl, frameRoutes } from "#test/server/frame-routes.js";
import { testApp } from "#test/server/harness.js";

const { app, as, origin } = await testApp({ routes: frameRoutes(new FrameControl()) });

const host = "host: modshelf.test";
const countAnswers = (text: string): number => text.split("HTTP/1.1 ").length - 1;

function expectRefusal(text: string, status: number, code: string): void {
  const reply = parseRaw(text);
  const body = JSON.parse(reply.body);
  expect([reply.status, body.code, body.success]).toEqual([status, code, false]);
  expect(body.requestId).toMatch(/^[0-9A-Za-z]{16}$/);
  expect(reply.headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "x-request-id": body.requestId,
    "cache-control": "no-store",
    connection: "close",
  });
}

describe("an invalid request", () => {
  test.each([
    ["no HTTP at all", "hello\r\n\r\n"],
    ["an unknown method", `BREW /frame/text HTTP/1.1\r\n${host}\r\n\r\n`],
    ["an unknown version", `GET /frame/text HTTP/9.9\r\n${host}\r\n\r\n`],
    ["a header without a colon", `GET /frame/text HTTP/1.1\r\n${host}\r\nnonsense\r\n\r\n`],
    ["a space before the colon", `GET /frame/text HTTP/1.1\r\n${host}\r\nx-a : b\r\n\r\n`],
    ["lines that end without a carriage return", `GET /frame/text HTTP/1.1\n${host}\n\n`],
    ["a NUL in a header", `GET /frame/text HTTP/1.1\r\n${host}\r\nx-a: a\0b\r\n\r\n`],
    ["a control character in the address", `GET /frame/\x01text HTTP/1.1\r\n${host}\r\n\r\n`],
    ["a length that is no number", `POST /frame/echo/x HTTP/1.1\r\n${host}\r\ncontent-length: 1x\r\n\r\na`],
    ["two lengths", `POST /frame/echo/x HTTP/1.1\r\n${host}\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab`],
    [
      "a length and chunks",
      `POST /frame/echo/x HTTP/1.1\r\n${host}\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /frame/text HTTP/1.1\r\n${host}\r\n\r\n`,
    ],
    [
      "a transfer encoding that is none",
      `POST /frame/echo/x HTTP/1.1\r\n${host}\r\ntransfer-encoding: xchunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      "a chunk that is none",
      `POST /frame/echo/x HTTP/1.1\r\n${host}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    ],
  ])("(%s) is refused once with the usual error body, and the connection is closed", async (_what, bytes) => {
    const text = await sendRaw(origin, bytes);
    expect(countAnswers(text)).toBe(1);
    expectRefusal(text, 400, "invalidRequest");
  });

  test("(a header folded over two lines) is refused or read as one value, never as two headers", async () => {
    const text = await sendRaw(
      origin,
      `GET /frame/text HTTP/1.1\r\n${host}\r\nx-a: b\r\n content-length: 5\r\nconnection: close\r\n\r\n`,
    );
    expect(countAnswers(text)).toBe(1);
    expect([200, 400]).toContain(parseRaw(text).status);
  });

  test("(no Host, or two) is refused with the usual error body", async () => {
    for (const lines of [[], [host, "host: other.test"], ["HOST: a", "Host: a"]]) {
      const reply = await rawRequest(origin, ["GET /frame/text HTTP/1.1", ...lines]);
      expect([reply.status, JSON.parse(reply.body).issues[0].path]).toEqual([400, "Host"]);
    }
    expect((await rawRequest(origin, ["GET /frame/text HTTP/1.0"])).status).toBe(200);
  });
});

describe("a request target that does not begin with a slash", () => {
  test.each(["GET http://evil.example/frame/text", "GET http://modshelf.test/frame/text", "OPTIONS *"])(
    "(%s) is refused",
    async (line) => {
      const reply = await rawRequest(origin, [`${line} HTTP/1.1`, host]);
      expect([reply.status, JSON.parse(reply.body).code]).toEqual([400, "invalidUrl"]);
    },
  );
});

describe("headers", () => {
  test("above 16 KiB are refused with 431, also if the URL is too long", async () => {
    const long = "x".repeat(17_000);
    expectRefusal(
      await sendRaw(origin, `GET /frame/text HTTP/1.1\r\n${host}\r\nx-a: ${long}\r\n\r\n`),
      431,
      "headersTooLarge",
    );
    expectRefusal(await sendRaw(origin, `GET /frame/${long} HTTP/1.1\r\n${host}\r\n\r\n`), 431, "headersTooLarge");
    const fitting = await rawRequest(origin, ["GET /frame/text HTTP/1.1", host, `x-a: ${"x".repeat(15_000)}`]);
    expect(fitting.status).toBe(200);
  });

  test("with an unknown expectation or an upgrade are answered as without it", async () => {
    for (const header of ["expect: a miracle", "connection: upgrade\r\nupgrade: websocket"]) {
      const text = await sendRaw(origin, `GET /frame/text HTTP/1.0\r\n${host}\r\n${header}\r\n\r\n`);
      expect(parseRaw(text).status).toBe(200);
    }
  });

  test("in an answer cannot be split by input of the caller", async () => {
    const reply = await as.anyone.get("/frame/text", {
      headers: { origin: "http://x.test", cookie: "auth-token=a%0d%0ab" },
    });
    expect(reply.headers.get("set-cookie")).toBe("auth-token=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
  });
});

describe("a connection", () => {
  test("that pipelines requests gets the answers in order", async () => {
    const one = (size: number, more = "") => `GET /frame/text?size=${size} HTTP/1.1\r\n${host}\r\n${more}\r\n`;
    const text = await sendRaw(origin, one(1) + one(2) + one(3, "connection: close\r\n"));
    expect([...text.matchAll(/"text":"(x*)"/g)].map(([, xs]) => xs!.length)).toEqual([1, 2, 3]);
  });

  test("with a request that becomes invalid while it is answered is closed without a second answer", async () => {
    const text = await sendRaw(
      origin,
      `POST /frame/mixed HTTP/1.1\r\n${host}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{}   \r\nzz\r\n`,
    );
    // Either of the two refusals may be ready first.
    expect([400, 401]).toContain(parseRaw(text).status);
    for (const answer of text.split(/(?=HTTP\/1\.1 )/)) {
      const { headers, body } = parseRaw(answer);
      expect(answer.endsWith(body)).toBe(true);
      expect(body.length).toBe(Number(headers["content-length"]));
    }
  });

  test("that never sends the rest of its head gets 408 and is closed", async () => {
    const { server } = app.http;
    // Timeouts of bodies are tested in arrival.test.ts.
    expect([server.headersTimeout, server.requestTimeout, server.keepAliveTimeout]).toEqual([15_000, 0, 72_000]);
    // The limits are checked every five seconds; only their length is shortened here.
    server.headersTimeout = 500;
    const slow = ["GET /frame/text HTTP/1.1\r\n", `POST /frame/echo/x HTTP/1.1\r\n${host}\r\n`];
    const texts = await Promise.all(slow.map((bytes) => sendRaw(origin, bytes)));
    for (const text of texts) expectRefusal(text, 408, "requestTimeout");
    server.headersTimeout = 15_000;
  });

  test("that is refused is closed even if the caller never closes it", async () => {
    const { hostname, port } = new URL(origin);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.on("error", () => undefined);
    socket.resume().write("nonsense\r\n\r\n");
    await new Promise((resolve) => socket.once("end", resolve));
    const connections = () =>
      new Promise<number>((resolve) => app.http.server.getConnections((_e, count) => resolve(count)));
    const before = await connections();
    expect(before).toBeGreaterThan(0);
    await expect.poll(connections).toBeLessThan(before);
    socket.destroy();
  });
});
