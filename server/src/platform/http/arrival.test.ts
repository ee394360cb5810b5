import { describe, expect, test } from "vitest";
import { parseRaw, sendRaw } from "#test/callers/raw-http.js";
import { RawConnection } from "#test/process/raw-connection.js";
import { FrameControl, frameRoutes } from "#test/server/frame-routes.js";
import { testApp } from "#test/server/harness.js";

const patience = { wholeMs: 400, spanMs: 200, bytesPerSecond: 1000 };
const control = new FrameControl();
const { make, origin } = await testApp({ routes: frameRoutes(control), patience });
const port = Number(new URL(origin).port);
const user = await make.user();
const { value: token } = await make.token(user, { scopes: ["user_write"] });

const head = (path: string, ...lines: string[]): string =>
  [`POST ${path} HTTP/1.1`, "host: modshelf.test", ...lines, "\r\n"].join("\r\n");
const asUser = `authorization: Bearer ${token}`;
const asForm = "content-type: multipart/form-data; boundary=b";
const asJson = "content-type: application/json";
const formOf = (bytes: number): string =>
  `--b\r\ncontent-disposition: form-data; name="picture"; filename="a"\r\n\r\n${"x".repeat(bytes)}\r\n--b--\r\n`;

/** Sends the text in pieces until it ends or the server closes the connection. */
async function drip(connection: RawConnection, text: string, { pieces, everyMs }: { pieces: number; everyMs: number }) {
  const size = Math.ceil(text.length / pieces);
  let at = 0;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      connection.send(text.slice(at, at + size));
      at += size;
      if (at >= text.length || connection.received !== "") {
        clearInterval(timer);
        resolve();
      }
    }, everyMs);
  });
}

function expectTimeout(text: string): void {
  const reply = parseRaw(text);
  expect([reply.status, JSON.parse(reply.body).code, reply.headers.connection]).toEqual([
    408,
    "requestTimeout",
    "close",
  ]);
}

describe("a body", () => {
  test("that is read as a whole must arrive in time, even if it keeps coming slowly", async () => {
    const connection = await RawConnection.open(port);
    const body = JSON.stringify({ text: "x".repeat(5000) });
    connection.send(head("/frame/echo/x", asJson, `content-length: ${body.length}`));
    await drip(connection, body, { pieces: 40, everyMs: 25 });
    expectTimeout(await connection.heard(/requestTimeout.*\}$/s));
    await connection.closed;
  });

  test("that never arrives times out, also one without a length", async () => {
    for (const length of ["content-length: 100", "transfer-encoding: chunked"])
      expectTimeout(await sendRaw(origin, head("/frame/echo/x", asJson, length)));
  });

  test("with a form may take any time while it keeps coming", async () => {
    const connection = await RawConnection.open(port);
    const body = formOf(4000);
    connection.send(head("/frame/upload", asUser, asForm, `content-length: ${body.length}`));
    const begun = performance.now();
    await drip(connection, body, { pieces: 12, everyMs: 80 });
    expect(await connection.heard(/"size":\d+/)).toContain('"size":4000');
    expect(performance.now() - begun).toBeGreaterThan(2 * patience.wholeMs);
    connection.end();
  });

  test.each([
    ["comes too slowly", formOf(200), 40],
    ["stops in a file", formOf(50_000).slice(0, 25_000), 1],
    ["stops before a file", "--b\r\ncontent-disposition: form-data", 1],
    ["never begins", "", 1],
  ])("with a form that %s times out", async (_what, sent, pieces) => {
    const connection = await RawConnection.open(port);
    connection.send(head("/frame/upload", asUser, asForm, "content-length: 60000"));
    await drip(connection, sent, { pieces, everyMs: 50 });
    expectTimeout(await connection.heard(/requestTimeout.*\}$/s));
    await connection.closed;
  });

  test("with a form that the server does not read does not time out", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    control.gate = promise;
    const body = formOf(3).replace("picture", "file");
    const connection = await RawConnection.open(port);
    connection.send(head("/frame/stream", asUser, asForm, `content-length: ${body.length}`) + body.slice(0, 20));
    // Longer than a sender may pause while the server reads.
    setTimeout(resolve, 3 * patience.spanMs);
    await promise;
    connection.send(body.slice(20));
    expect(await connection.heard(/"files"/)).toContain('"a 3"');
    connection.end();
  });
});

describe("a request that is refused before its body is read", () => {
  const huge = `content-length: ${10 * 1024 ** 3}`;
  const refusals: [string, string, number][] = [
    ["without a credential", head("/frame/upload", asForm, huge), 401],
    ["for nothing that is there", head("/frame/nowhere", asForm, huge), 404],
    ["with a body that says it is too large", head("/frame/echo/x", asJson, huge), 413],
    ["of a type that is not taken", head("/frame/echo/x", "content-type: image/png", huge), 415],
    [
      "as a form where none is taken",
      head("/frame/echo/x", "content-type: application/x-www-form-urlencoded", "content-length: 1000"),
      415,
    ],
    ["as a form with files where none is taken", head("/frame/echo/x", asForm, "content-length: 1000"), 415],
  ];

  test.each(refusals)("(%s) is answered at once, and the connection is closed", async (_what, request, status) => {
    const reply = parseRaw(await sendRaw(origin, `${request}the beginning`));
    expect([reply.status, reply.headers.connection]).toEqual([status, "close"]);
    expect(JSON.parse(reply.body).success).toBe(false);
  });

  test("is answered completely to a client that keeps sending, which is read only briefly", async () => {
    const connection = await RawConnection.open(port);
    connection.send(head("/frame/upload", asForm, huge));
    const piece = Buffer.alloc(256 * 1024);
    const timer = setInterval(() => connection.send(piece), 1);
    const text = await connection.heard(/"requestId":"\w+"\}$/);
    await connection.closed;
    clearInterval(timer);
    expect(parseRaw(text).status).toBe(401);
  });

  test("keeps its connection if the body arrived with the head", async () => {
    const request = head("/frame/upload", asJson, "content-length: 2");
    const text = await sendRaw(origin, `${request}{}${head("/frame/echo/x", "connection: close")}`);
    expect(text).toMatch(/^HTTP\/1\.1 401 .*HTTP\/1\.1 200 /s);
  });
});

describe("a caller that sends Expect: 100-continue", () => {
  const expecting = ["expect: 100-continue", "content-length: 2", asJson];

  test("is refused before it sends any byte of the body", async () => {
    const text = await sendRaw(origin, head("/frame/upload", ...expecting));
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
  });

  test("gets 100 Continue if the body is wanted", async () => {
    const connection = await RawConnection.open(port);
    connection.send(head("/frame/echo/x", ...expecting));
    await connection.heard(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
    connection.send("{}");
    expect(await connection.heard(/"body"/)).toMatch(/HTTP\/1\.1 200 OK/);
    connection.end();
  });
});
