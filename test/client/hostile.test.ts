// The client against servers that are broken or lie: typed errors, nothing half-written, and no credential sent to
// another host.
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createClient } from "#client/client.js";
import { createPlainHash } from "#client/hash.js";
import { saveFile } from "#client/node.js";
import { httpFetch } from "#shelf/http-fetch.js";

type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void;

const token = "msp_secret";
const quick = { attempts: 3, pauseMs: 1, maxPauseMs: 1000 };
const top = mkdtempSync(join(tmpdir(), "modshelf-client-"));
const servers: { close(): unknown; closeAllConnections(): void }[] = [];
afterAll(() => {
  rmSync(top, { recursive: true });
  for (const server of servers) server.closeAllConnections();
  return Promise.all(servers.map((server) => server.close()));
});

/** With the global function fetch, and with that of the command line. */
describe.each([
  ["all platforms", undefined],
  ["Node.js", httpFetch],
])("on %s", (platform, fetch) => {
  /** A server that answers as the test says, and remembers what it got. */
  async function serve(handle: Handler) {
    const seen: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      request.resume();
      handle(request, response, seen.push(request));
    }).listen(0, "127.0.0.1");
    servers.push(server);
    await once(server, "listening");
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { host, seen, client: createClient({ host, token, fetch, retry: quick, timeout: 2000 }) };
  }

  const json = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  const refusal = { success: false, code: "someCode", message: "A sentence.", requestId: "r1" };

  const content = randomBytes(300_000);
  const describeFile = (host: string, more: object = {}) => ({
    name: "lamps-1.0.jar",
    size: content.length,
    url: `${host}/file`,
    sha512_hash: createHash("sha512").update(content).digest("hex"),
    ...more,
  });

  /** A download into a new folder that has one other file. Reports what is in the folder afterwards. */
  async function save(handle: Handler, more: object = {}, options: Parameters<typeof saveFile>[3] = {}) {
    const { host, client, seen } = await serve(handle);
    const folder = mkdtempSync(join(top, "mods-"));
    writeFileSync(join(folder, "own.txt"), "mine");
    const [outcome] = await Promise.allSettled([saveFile(client, describeFile(host, more), folder, options)]);
    const error = outcome.status === "rejected" ? outcome.reason : undefined;
    return { error, folder, files: readdirSync(folder).sort(), seen, host, client };
  }

  const range = (request: IncomingMessage) => Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);

  describe("answers", () => {
    test.each([
      [400, "ValidationError"],
      [401, "UnauthorizedError"],
      [403, "ForbiddenError"],
      [404, "NotFoundError"],
      [409, "ConflictError"],
      [500, "RegistryError"],
    ])("a refusal with status %i is a %s, and is not repeated", async (status, name) => {
      const { client, seen } = await serve((_, response) => json(response, status, refusal));
      const facts = { name, status, code: "someCode", message: "A sentence.", requestId: "r1" };
      await expect(client.projects.get("lamps")).rejects.toMatchObject(facts);
      expect(seen).toHaveLength(1);
    });

    test("HTML, broken JSON and an endless body are reported as such", async () => {
      const html = await serve((_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>Hi"));
      await expect(html.client.projects.get("x")).rejects.toMatchObject({
        name: "InvalidAnswerError",
        message: `${html.host} sent text/html in place of JSON. Is it the address of a Modshelf registry?`,
      });
      const broken = await serve((_, response) =>
        response.writeHead(200, { "content-type": "application/json" }).end('{"project":'),
      );
      await expect(broken.client.projects.get("x")).rejects.toMatchObject({ name: "InvalidAnswerError" });
      const endless = await serve((_, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const timer = setInterval(() => response.write(" ".repeat(10_000)), 1);
        response.on("close", () => clearInterval(timer));
      });
      const client = createClient({ host: endless.host, fetch, maxAnswerBytes: 100_000 });
      await expect(client.projects.get("x")).rejects.toMatchObject({ name: "InvalidAnswerError" });
    });

    test("an error page of a proxy has its status", async () => {
      const { client } = await serve((_, response) =>
        response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not here"),
      );
      await expect(client.projects.get("x")).rejects.toMatchObject({ name: "NotFoundError", code: "status404" });
    });

    test("a redirect to another host is not followed, whatever the token", async () => {
      const other = await serve((_, response) => json(response, 200, { success: true, project: {} }));
      const { client } = await serve((_, response) => response.writeHead(302, { location: `${other.host}/x` }).end());
      await expect(client.projects.get("x")).rejects.toMatchObject({ name: "RedirectError", status: 302 });
      expect(other.seen).toEqual([]);
      const loop = await serve((request, response) => response.writeHead(302, { location: request.url }).end());
      await expect(loop.client.projects.get("x")).rejects.toMatchObject({ name: "RedirectError" });
      expect(loop.seen).toHaveLength(6);
    });

    test("an id that would lead to another path is not sent", async () => {
      const { client, seen } = await serve((_, response) => json(response, 200, {}));
      for (const id of ["..", ".", ""]) await expect(client.projects.get(id)).rejects.toBeInstanceOf(TypeError);
      await client.call("getProject", { path: { ref: "../pat?x#y" } });
      expect(seen.map(({ url }) => url)).toEqual(["/api/project/..%2Fpat%3Fx%23y"]);
    });
  });

  describe("attempts", () => {
    test("are repeated after a lost connection, 429 and 503, as late as the server asks for", async () => {
      const { client, seen } = await serve((request, response, count) => {
        if (count === 1) request.socket.destroy();
        else if (count === 2) json(response, 429, refusal, { "retry-after": "0" });
        else json(response, 200, { id: "1" });
      });
      await expect(client.users.get("ada")).resolves.toEqual({ id: "1" });
      expect(seen).toHaveLength(3);
    });

    test("end with the last error, and at once if the server asks for more patience than the client has", async () => {
      const lost = await serve((request) => request.socket.destroy());
      await expect(lost.client.users.get("x")).rejects.toMatchObject({ name: "NetworkError", code: "network" });
      expect(lost.seen).toHaveLength(quick.attempts);
      const busy = await serve((_, response) => json(response, 429, refusal, { "retry-after": "86400" }));
      await expect(busy.client.users.get("x")).rejects.toMatchObject({ name: "RateLimitedError", retryAfter: 86_400 });
      expect(busy.seen).toHaveLength(1);
    });

    test("have the same Idempotency-Key for one change; other changes are repeated only if they were refused", async () => {
      const create = await serve((request, response, count) =>
        count === 1 ? request.socket.destroy() : json(response, 200, { id: "1" }),
      );
      await create.client.projects.submit("lamps");
      const keys = create.seen.map(({ headers }) => headers["idempotency-key"]);
      expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
      const remove = await serve((request, response, count) =>
        count === 1 ? json(response, 503, refusal) : request.socket.destroy(),
      );
      await expect(remove.client.projects.delete("lamps")).rejects.toMatchObject({ name: "NetworkError" });
      expect(remove.seen).toHaveLength(2);
    });

    test("end when the signal is aborted, in a pause or in a request", async () => {
      for (const handle of [
        (_: unknown, response: ServerResponse) => json(response, 429, refusal, { "retry-after": "1" }),
        () => undefined,
      ]) {
        const { client, seen } = await serve(handle);
        const controller = new AbortController();
        const asked = client.users.get("x", { signal: controller.signal });
        await Promise.race([asked.catch(() => undefined), expect.poll(() => seen.length).toBe(1)]);
        controller.abort();
        await expect(asked).rejects.toMatchObject({ name: "AbortError" });
      }
    });

    test("end after a time without a byte", async () => {
      const { host } = await serve(() => undefined);
      const client = createClient({ host, fetch, timeout: 20, retry: { attempts: 1 } });
      await expect(client.users.get("x")).rejects.toMatchObject({
        name: "NetworkError",
        message: `${host} has sent nothing for 0.02 seconds.`,
      });
    });
  });

  describe("downloads", () => {
    test("continue where the connection broke, with Range and If-Range", async () => {
      const { error, files, folder, seen } = await save((request, response, count) => {
        const from = range(request);
        const rest = content.subarray(from);
        const head = { etag: '"v1"', "content-length": rest.length };
        response.writeHead(from ? 206 : 200, {
          ...head,
          ...(from && { "content-range": `bytes ${from}-${content.length - 1}/${content.length}` }),
        });
        if (count > 2) response.end(rest);
        else response.write(rest.subarray(0, 100_000), () => response.socket?.destroy());
      });
      expect(error).toBeUndefined();
      expect(files).toEqual(["lamps-1.0.jar", "own.txt"]);
      expect(readFileSync(join(folder, "lamps-1.0.jar")).equals(content)).toBe(true);
      expect(seen.slice(1).map(({ headers }) => headers["if-range"])).toEqual(['"v1"', '"v1"']);
      expect(range(seen[2]!)).toBeGreaterThan(range(seen[1]!));
    });

    test("continue on a server that always sends the whole file", async () => {
      const { error, folder } = await save((_, response, count) => {
        response.writeHead(200);
        if (count > 1) response.end(content);
        else response.write(content.subarray(0, 100_000), () => response.socket?.destroy());
      });
      expect(error).toBeUndefined();
      expect(readFileSync(join(folder, "lamps-1.0.jar")).equals(content)).toBe(true);
    });

    test("continue in a later run, but keep no wrong bytes", async () => {
      const cut: Handler = (_, response) => {
        response.writeHead(200);
        response.write(content.subarray(0, 100_000), () => response.socket?.destroy());
      };
      const first = await save(cut, {}, { resume: true });
      expect(first.error).toMatchObject({ name: "NetworkError" });
      expect(first.files).toHaveLength(2);
      const { client, host, seen } = await serve((request, response) => {
        const from = range(request);
        response.writeHead(206, { "content-range": `bytes ${from}-${content.length - 1}/${content.length}` });
        response.end(content.subarray(from));
      });
      const saved = await saveFile(client, describeFile(host), first.folder, { resume: true });
      expect(readFileSync(saved.path).equals(content)).toBe(true);
      expect(range(seen[0]!)).toBeGreaterThan(0);
      expect(readdirSync(first.folder).sort()).toEqual(["lamps-1.0.jar", "own.txt"]);
      const wrong = await save((_, response) => response.end(Buffer.alloc(content.length)), {}, { resume: true });
      expect(wrong.error).toMatchObject({ name: "IntegrityError" });
      expect(wrong.files).toEqual(["own.txt"]);
    });

    const lies: [string, Handler, object, string][] = [
      ["another content", (_, response) => response.end(Buffer.alloc(content.length, 1)), {}, "IntegrityError"],
      ["a short file", (_, response) => response.writeHead(200).end(content.subarray(0, 1000)), {}, "IntegrityError"],
      ["a longer file", (_, r) => r.end(Buffer.concat([content, content])), {}, "IntegrityError"],
      ["a file without end", (_, r) => void sendForever(r), {}, "IntegrityError"],
      [
        "another part",
        (_, r) => r.writeHead(206, { "content-range": "bytes 5-9/10" }).end("12345"),
        {},
        "InvalidAnswerError",
      ],
      ["a refusal", (_, response) => json(response, 404, refusal), {}, "NotFoundError"],
      ["no usable hash", (_, response) => response.end(content), { sha512_hash: "x" }, "InvalidAnswerError"],
      ["a file address", (_, response) => response.end(content), { url: "file:///etc/passwd" }, "InvalidAnswerError"],
      [
        "a redirect elsewhere",
        (_, r) => r.writeHead(302, { location: "file:///etc/passwd" }).end(),
        {},
        "RedirectError",
      ],
    ];
    test.each(lies)("that get %s leave the folder as it was", async (_what, handle, more, name) => {
      const { error, files } = await save(handle, more);
      expect(error).toMatchObject({ name, message: expect.stringMatching(/\w+ \w+.*\.$/) });
      expect(files).toEqual(["own.txt"]);
    });

    test.each([
      "../up.jar",
      "/etc/x",
      "a/b",
      "a\\b",
      "..",
      "",
      "C:x.jar",
      "NUL.jar",
      ".hidden",
      "x\0.jar",
      "a.jar ",
      "x".repeat(300),
    ])("are refused under the name %j", async (name) => {
      const { error, files, seen } = await save((_, response) => response.end(content), { name });
      expect(error).toMatchObject({ name: "FileNameError" });
      expect({ files, seen }).toEqual({ files: ["own.txt"], seen: [] });
    });

    test("replace another file only if the caller says so", async () => {
      const { host, client, seen } = await serve((_, response) => response.end(content));
      const folder = mkdtempSync(join(top, "present-"));
      writeFileSync(join(folder, "lamps-1.0.jar"), "mine");
      await expect(saveFile(client, describeFile(host), folder)).rejects.toMatchObject({ name: "FileExistsError" });
      expect(seen).toHaveLength(0);
      expect((await saveFile(client, describeFile(host), folder, { replace: true })).isUnchanged).toBe(false);
      expect((await saveFile(client, describeFile(host), folder)).isUnchanged).toBe(true);
      expect(seen).toHaveLength(1);
      expect(readdirSync(folder)).toEqual(["lamps-1.0.jar"]);
    });

    test("from another host, or redirected to one, go there without the token", async () => {
      const store = await serve((_, response) => response.end(content));
      const { error, seen, client } = await save((_, response) =>
        response.writeHead(302, { location: `${store.host}/signed` }).end(),
      );
      expect(error).toBeUndefined();
      expect(seen[0]!.headers.authorization).toBe(`Bearer ${token}`);
      await saveFile(client, describeFile(store.host), join(top, "other", platform));
      expect(store.seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
    });
  });
});

/** More than the file, in pieces, without ever ending. */
function sendForever(response: ServerResponse): void {
  response.writeHead(200);
  const more = () => {
    while (response.writable && response.write(Buffer.alloc(70_000)));
  };
  response.on("drain", more);
  more();
}

test.each(["sha512", "sha1"] as const)("the hash for browsers is %s, for every length", (algorithm) => {
  for (let length = 0; length < 300; length++) {
    const bytes = randomBytes(length);
    const hash = createPlainHash(algorithm);
    hash.update(bytes.subarray(0, length / 3));
    hash.update(bytes.subarray(length / 3));
    expect(hash.hex()).toBe(createHash(algorithm).update(bytes).digest("hex"));
  }
});
