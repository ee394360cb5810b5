// Requests to URLs that users configure, against real servers on loopback: over TLS, with timeouts, to forbidden
// addresses.
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from "node:net";
import { text } from "node:stream/consumers";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, describe, expect, test } from "vitest";
import { createAuthority } from "#test/setup/certificates.js";
import { download, type OutboundRules, post } from "./client.js";

const servers: TcpServer[] = [];
afterAll(() => {
  for (const server of servers) {
    server.close();
    (server as Server).closeAllConnections?.();
  }
});

async function listen(server: TcpServer): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const lax: OutboundRules = { allowPrivate: true };
const serve = async (listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listen(createServer(listener))}/hook`;
const call = (url: string, rules: OutboundRules = lax, body = "{}") =>
  post({ url, headers: { "content-type": "application/json", "x-sample": "1" }, body }, rules);

describe("a request", () => {
  test("sends the body and headers, and returns the answer", async () => {
    const heard: unknown[] = [];
    const url = await serve(async (request, response) => {
      heard.push([request.method, request.url, request.headers, await text(request)]);
      response.writeHead(202, { "x-answer": "yes" }).end("thank you");
    });
    const answer = await call(`${url}?a=b`, lax, '{"grüße":1}');
    expect([answer.status, answer.headers["x-answer"], answer.body.toString()]).toEqual([202, "yes", "thank you"]);
    expect(heard).toEqual([
      [
        "POST",
        "/hook?a=b",
        expect.objectContaining({ "x-sample": "1", connection: "close", "content-length": "13" }),
        '{"grüße":1}',
      ],
    ]);
  });

  test("does not follow a redirect", async () => {
    let isReached = false;
    const inner = await serve((_request, response) => {
      isReached = true;
      response.end();
    });
    const url = await serve((_request, response) => void response.writeHead(307, { location: inner }).end());
    expect((await call(url)).status).toBe(307);
    expect(isReached).toBe(false);
  });

  test("reads 64 KiB of an endless answer, and closes the connection", async () => {
    const closed = Promise.withResolvers<void>();
    const url = await serve((_request, response) => {
      response.on("close", () => closed.resolve());
      const fill = () => {
        while (!response.destroyed && response.write("x".repeat(10_000)));
      };
      response.on("drain", fill);
      fill();
    });
    expect((await call(url)).body.length).toBe(64 * 1024);
    await closed.promise;
  });

  test("uses the status if the rest of the answer never arrives", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("begin");
    });
    const answer = await call(url, { allowPrivate: true, timeoutMs: 300 });
    expect([answer.status, answer.body.toString()]).toEqual([200, "begin"]);
  });

  test.each<[string, RequestListener]>([
    ["says nothing", () => {}],
    ["sends its head drop by drop", (_request, { socket }) => void setInterval(() => socket?.write("H"), 20).unref()],
  ])("to a server that %s times out", async (_what, listener) => {
    await expect(call(await serve(listener), { allowPrivate: true, timeoutMs: 200 })).rejects.toThrow(
      /no answer within 0.2 s|not valid HTTP/,
    );
  });

  test("to a server that hangs up, speaks no HTTP or is unreachable fails with a clear message", async () => {
    const hangsUp = await listen(createTcpServer((socket) => socket.destroy()));
    const babbles = await listen(createTcpServer((socket) => void socket.end("SSH-2.0-server\r\n")));
    const gone = createTcpServer();
    const goneAt = await listen(gone);
    await new Promise((resolve) => gone.close(resolve));
    await expect(call(`http://127.0.0.1:${hangsUp}/`)).rejects.toThrow("The connection failed (ECONNRESET)");
    await expect(call(`http://127.0.0.1:${babbles}/`)).rejects.toThrow("not valid HTTP");
    await expect(call(`http://127.0.0.1:${goneAt}/`)).rejects.toThrow("ECONNREFUSED");
  });

  test("ignores the proxies of the environment", async () => {
    let proxied = 0;
    const proxy = await serve((_request, response) => {
      proxied++;
      response.end();
    });
    const before = { ...process.env };
    Object.assign(process.env, { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: proxy, http_proxy: proxy });
    try {
      const url = await serve((_request, response) => void response.writeHead(204).end());
      expect((await call(url)).status).toBe(204);
    } finally {
      process.env = before;
    }
    expect(proxied).toBe(0);
  });
});

describe("a download", () => {
  const get = (url: string, rules = lax) => download({ url, headers: { accept: "image/png" }, maxBytes: 1000 }, rules);
  const send =
    (bytes: string, status = 200): RequestListener =>
    (_request, response) =>
      void response.writeHead(status).end(bytes);

  test("returns the whole body, and sends neither a body nor cookies", async () => {
    const heard: unknown[] = [];
    const url = await serve(async (request, response) => {
      heard.push([request.method, request.headers, await text(request)]);
      response.setHeader("set-cookie", "a=b").end("x".repeat(1000));
    });
    expect((await get(url)).length).toBe(1000);
    expect(heard).toEqual([
      ["GET", { accept: "image/png", "accept-encoding": "identity", connection: "close", host: new URL(url).host }, ""],
    ]);
  });

  test.each<[string, RequestListener]>([
    ["has too many bytes", send("x".repeat(1001))],
    ["is not a success", send("x", 404)],
    ["is empty by its status", send("", 204)],
    ["redirects to nowhere", (_request, response) => void response.writeHead(302).end()],
    ["redirects for ever", (_request, response) => void response.writeHead(302, { location: "/hook" }).end()],
    [
      "breaks off",
      (_request, response) => {
        response.writeHead(200, { "content-length": "100" }).write("x");
        setTimeout(() => response.destroy(), 10);
      },
    ],
    [
      "never ends",
      (_request, response) => {
        response.writeHead(200);
        setInterval(() => response.write("x"), 20).unref();
      },
    ],
  ])("fails if the answer %s", async (_what, listener) => {
    await expect(get(await serve(listener), { ...lax, timeoutMs: 500 })).rejects.toThrow(/\w/);
  });

  test("follows redirects on the same host, but not from a private address to another", async () => {
    let isReached = false;
    const inner = await serve((_request, response) => {
      isReached = true;
      response.end("secret");
    });
    const url = await serve((request, response) => {
      if (request.url === "/hook") response.writeHead(301, { location: "/b" }).end();
      else if (request.url === "/b") response.end("picture");
      else response.writeHead(302, { location: inner }).end();
    });
    expect((await get(url)).toString()).toBe("picture");
    await expect(get(url.replace("hook", "c"))).rejects.toThrow("The URL must");
    expect(isReached).toBe(false);
  });
});

describe("a name", () => {
  const strictTo = (...answers: string[][]): OutboundRules => ({
    allowPrivate: false,
    timeoutMs: 2000,
    resolve: async () => answers.shift() ?? [],
  });

  test.each([
    ["loopback", ["127.0.0.1"]],
    ["IPv6 loopback", ["::1"]],
    ["a private network", ["10.1.2.3"]],
    ["link-local", ["169.254.169.254"]],
    ["a mapped address", ["::ffff:127.0.0.1"]],
    ["a public and a private address", ["1.1.1.1", "127.0.0.1"]],
    ["what is no address", ["localhost"]],
  ])("that resolves to %s is not connected to", async (_what, addresses) => {
    let connections = 0;
    const port = await listen(createTcpServer(() => connections++));
    await expect(call(`https://hooks.site.dev:${port}/`, strictTo(addresses))).rejects.toThrow(
      "The host name resolves to a private address",
    );
    expect(connections).toBe(0);
  });

  test("is resolved once per request, and that address is connected to", async () => {
    const reached: string[] = [];
    const url = await serve((request, response) => {
      reached.push(request.headers.host!);
      response.end();
    });
    const asked: string[] = [];
    // The first result is this server; a second lookup for the same request would return an unreachable address.
    const resolve = async (host: string) => [asked.push(host) === 1 ? "127.0.0.1" : "127.0.0.2"];
    const elsewhere = url.replace("127.0.0.1", "rebind.site.dev");
    expect((await call(elsewhere, { allowPrivate: true, resolve })).status).toBe(200);
    expect([asked, reached]).toEqual([["rebind.site.dev"], [new URL(elsewhere).host]]);
  });

  test("that was allowed before is resolved and checked again for the next request", async () => {
    let connections = 0;
    const port = await listen(createTcpServer((socket) => socket.end(String(connections++))));
    const rules = strictTo([], ["127.0.0.1"], ["::1"]);
    await expect(call(`https://rebind.site.dev:${port}/`, rules)).rejects.toThrow("unknown");
    await expect(call(`https://rebind.site.dev:${port}/`, rules)).rejects.toThrow("private address");
    await expect(call(`https://rebind.site.dev:${port}/`, rules)).rejects.toThrow("private address");
    expect(connections).toBe(0);
  });

  test("for this machine is refused by its text, without resolving it", async () => {
    await expect(call("https://localhost:4443/", { allowPrivate: false })).rejects.toThrow("public internet");
  });

  test("that is unknown or cannot be resolved fails with a clear message", async () => {
    await expect(call("https://hooks.site.dev/", strictTo([]))).rejects.toThrow("The host name is unknown");
    const never: OutboundRules = { allowPrivate: false, timeoutMs: 100, resolve: () => new Promise(() => {}) };
    await expect(call("https://hooks.site.dev/", never)).rejects.toThrow("no answer within 0.1 s");
    const broken: OutboundRules = { allowPrivate: false, resolve: () => Promise.reject(new Error("resolver broke")) };
    await expect(call("https://hooks.site.dev/", broken)).rejects.toThrow("The connection failed");
  });

  test.each(["hooks.example.com", "example.org", "a.example", "x.invalid"])("%s is never called", async (host) => {
    const asked: string[] = [];
    const resolve = async (name: string) => [asked.push(name).toString()];
    await expect(call(`https://${host}/`, { allowPrivate: true, resolve })).rejects.toThrow("reserved");
    expect(asked).toEqual([]);
  });
});

describe("over TLS", () => {
  const authority = createAuthority();
  setDefaultCACertificates([...getCACertificates("default"), authority.certificate]);
  const toLoopback: OutboundRules = { allowPrivate: true, resolve: async () => ["127.0.0.1"] };
  const serveTls = async (credentials: { key: string; cert: string }): Promise<number> =>
    listen(createTlsServer(credentials, (_request, response) => void response.end("safe")));

  test("a server with a valid certificate for its name is called", async () => {
    const port = await serveTls(authority.issue("hooks.site.dev"));
    const answer = await call(`https://hooks.site.dev:${port}/`, toLoopback);
    expect([answer.status, answer.body.toString()]).toEqual([200, "safe"]);
  });

  test.each([
    ["another name", () => authority.issue("other.site.dev")],
    ["an unknown authority", () => createAuthority().issue("hooks.site.dev")],
  ])("a server with a certificate of %s gets nothing", async (_what, credentials) => {
    const port = await serveTls(credentials());
    await expect(call(`https://hooks.site.dev:${port}/`, toLoopback)).rejects.toThrow("certificate");
  });
});
