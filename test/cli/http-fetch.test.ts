// The command line's own fetch, beyond what test/client/hostile.test.ts shows of both functions: compressed answers, the
// use of connections, https, and proxies.
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSafeServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import tls from "node:tls";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { createClient } from "#client/client.js";
import { chooseFetch, httpFetch } from "#shelf/http-fetch.js";
import { createAuthority } from "#test/setup/certificates.js";

const servers: ReturnType<typeof createServer>[] = [];
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

async function serve(answer: RequestListener) {
  const seen = { connections: 0, open: 0 };
  const server = createServer(answer).on("connection", (socket) => {
    seen.connections++;
    seen.open++;
    socket.once("close", () => seen.open--);
  });
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { seen, host, client: createClient({ host, fetch: httpFetch, retry: { attempts: 1 } }) };
}

test.each([
  ["br", brotliCompressSync],
  ["gzip", gzipSync],
  ["deflate", deflateSync],
] as const)("an answer in %s is read, and a broken one is an error", async (encoding, compress) => {
  const user = { id: "1", text: "x".repeat(100_000) };
  const { client } = await serve((request, response) => {
    const bytes = compress(JSON.stringify(user));
    response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding });
    response.end(request.url!.endsWith("whole") ? bytes : bytes.subarray(0, bytes.length / 2));
  });
  expect(await client.users.get("whole")).toEqual(user);
  await expect(client.users.get("half")).rejects.toMatchObject({ name: "NetworkError" });
});

test("files are not asked for in a compressed form, and answers are", async () => {
  const encodings: unknown[] = [];
  const { client } = await serve(({ headers }, response) => {
    encodings.push(headers["accept-encoding"]);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await client.users.get("x");
  (await client.transport.send({ method: "GET", target: "/file", isRepeatable: true, isFile: true })).cancel();
  expect(encodings).toEqual(["br, gzip", "identity"]);
});

test("a connection is used again, also if the end of the body arrives after its last byte", async () => {
  const { client, seen } = await serve(async (_, response) => {
    response.write("12345");
    await pause(20);
    response.end();
  });
  for (let n = 0; n < 3; n++) {
    const { response } = await client.transport.send({ method: "GET", target: "/", isRepeatable: true, isFile: true });
    const reader = response.body!.getReader();
    expect((await reader.read()).value).toHaveLength(5);
    await reader.cancel();
    await pause(60);
  }
  expect(seen.connections).toBe(1);
});

test.each([
  ["goes on", (write: () => void) => write()],
  ["stops without an end", () => undefined],
])("a body that %s after it was canceled costs the server its connection", async (_what, go) => {
  const { client, seen } = await serve((_, response) => {
    const write = () => {
      if (response.write("x".repeat(10_000))) setImmediate(go, write);
    };
    write();
  });
  const answer = await client.transport.send({ method: "GET", target: "/", isRepeatable: true, isFile: true });
  answer.cancel();
  await expect.poll(() => seen.open, { timeout: 3000 }).toBe(0);
});

test("a refused connection is named, and a server that switches to another protocol is an error", async () => {
  const refused = createClient({ host: "http://127.0.0.1:1", fetch: httpFetch, retry: { attempts: 1 } });
  await expect(refused.users.get("x")).rejects.toMatchObject({
    name: "NetworkError",
    message: "The connection to http://127.0.0.1:1 failed (ECONNREFUSED).",
  });
  const { client } = await serve((_, response) => {
    response.writeHead(101, { connection: "upgrade", upgrade: "other" }).end();
  });
  await expect(client.users.get("x")).rejects.toMatchObject({ name: "NetworkError" });
});

test("a server with https needs a certificate of a known authority, and its connection is used again", async () => {
  const authority = createAuthority();
  const server = createSafeServer(authority.issue("localhost"), (_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  let connections = 0;
  server.on("secureConnection", () => connections++);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const host = `https://localhost:${(server.address() as AddressInfo).port}`;
  const client = createClient({ host, fetch: httpFetch, retry: { attempts: 1 } });
  const known = tls.getCACertificates("default");
  try {
    await expect(client.users.get("x")).rejects.toMatchObject({
      message: expect.stringMatching(/^The connection to https:.* failed \(\w*(?:VERIFY|SELF_SIGNED)\w*\)\.$/),
    });
    tls.setDefaultCACertificates([...known, authority.certificate]);
    for (let n = 0; n < 3; n++) expect(await client.users.get("x")).toEqual({});
    expect(connections).toBe(1);
  } finally {
    tls.setDefaultCACertificates(known);
    server.close().closeAllConnections();
  }
});

test("where Node.js is told to use a proxy, the function is used that does", () => {
  expect(chooseFetch({ NODE_USE_ENV_PROXY: "1" })).toBe(fetch);
  expect(chooseFetch({ NODE_OPTIONS: "--use-env-proxy" })).toBe(fetch);
  expect(chooseFetch({})).toBe(httpFetch);
});
