import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type RawReply, rawRequest } from "#test/callers/raw-http.js";
import { FrameControl, frameRoutes } from "#test/server/frame-routes.js";
import { testApp } from "#test/server/harness.js";

const { as, make, origin } = await testApp({ routes: frameRoutes(new FrameControl()) });

const call = (method: string, path: string, ...headers: string[]): Promise<RawReply> =>
  rawRequest(origin, [`${method} ${path} HTTP/1.1`, "host: modshelf.test", ...headers]);

const big = "/frame/text?size=5000";

describe("a read", () => {
  test("carries a strong ETag that changes only with the content", async () => {
    const [first, again, other] = await Promise.all([
      call("GET", "/frame/text?size=1"),
      call("GET", "/frame/text?size=1&unknown=key"),
      call("GET", "/frame/text?size=2"),
    ]);
    expect(first.headers.etag).toMatch(/^"[\w-]{22}"$/);
    expect(again.headers.etag).toBe(first.headers.etag);
    expect(other.headers.etag).not.toBe(first.headers.etag);
  });

  test("with a matching If-None-Match is a 304 without body, type and length, but with the headers for caches", async () => {
    const { headers } = await call("GET", "/frame/text");
    for (const sent of [headers.etag!, `W/${headers.etag}`, `"no", ${headers.etag}`, "*"]) {
      const reply = await call("GET", "/frame/text", `if-none-match: ${sent}`);
      expect(reply.status).toBe(304);
      expect(reply.body).toBe("");
      expect(reply.headers).toMatchObject({
        etag: headers.etag,
        "cache-control": headers["cache-control"],
        vary: headers.vary,
      });
      expect(reply.headers["x-request-id"]).toBeTruthy();
      expect(reply.headers).not.toHaveProperty("content-type");
      expect(reply.headers).not.toHaveProperty("content-length");
    }
    expect((await call("GET", "/frame/text", 'if-none-match: "other"')).status).toBe(200);
  });

  test("has a different tag for each encoding, and is unchanged only in the same one", async () => {
    const plain = await call("GET", big);
    const gzip = await call("GET", big, "accept-encoding: gzip");
    const br = await call("GET", big, "accept-encoding: br");
    expect(new Set([plain, gzip, br].map(({ headers }) => headers.etag)).size).toBe(3);
    const same = await call("GET", big, "accept-encoding: br", `if-none-match: ${br.headers.etag}`);
    expect([same.status, same.headers.etag]).toEqual([304, br.headers.etag]);
    // A shared cache that has only the compressed form must not give it to a client that cannot decompress it.
    const unpacked = await call("GET", big, `if-none-match: ${br.headers.etag}, ${gzip.headers.etag}`);
    expect(unpacked.status).toBe(200);
    expect(unpacked.headers).not.toHaveProperty("content-encoding");
  });

  test("is compressed with gzip if that is accepted, otherwise with Brotli, and decompresses to the same bytes", async () => {
    const plain = await call("GET", big);
    const bytes = (reply: RawReply) => Buffer.from(reply.body, "latin1");
    const gzip = await call("GET", big, "accept-encoding: gzip;q=1, br;q=0.1");
    const br = await call("GET", big, "accept-encoding: br, gzip;q=0");
    expect(gzip.headers["content-encoding"]).toBe("gzip");
    expect(br.headers["content-encoding"]).toBe("br");
    expect(gunzipSync(bytes(gzip)).toString()).toBe(plain.body);
    expect(brotliDecompressSync(bytes(br)).toString()).toBe(plain.body);
    for (const reply of [plain, gzip, br]) {
      expect(Number(reply.headers["content-length"])).toBe(bytes(reply).length);
      expect(reply.headers.vary).toContain("Accept-Encoding");
    }
    const refused = await call("GET", big, "accept-encoding: br;q=0, gzip;q=0");
    expect(refused.body).toBe(plain.body);
  });

  test("that fits into one packet is not compressed", async () => {
    const reply = await call("GET", "/frame/text?size=1000", "accept-encoding: gzip, br");
    expect(reply.headers).not.toHaveProperty("content-encoding");
    expect(Number(reply.headers["content-length"])).toBe(reply.body.length);
  });

  test.each(["/frame/text", big, "/frame/raw", "/frame/private", "/frame/throw", "/frame/nothing"])(
    "HEAD %s answers the headers of GET and no body",
    async (path) => {
      for (const encoding of ["identity", "gzip", "br"]) {
        const get = await call("GET", path, `accept-encoding: ${encoding}`);
        const head = await call("HEAD", path, `accept-encoding: ${encoding}`);
        expect(head.status).toBe(get.status);
        expect(head.body).toBe("");
        const comparable = ({ headers }: RawReply) => ({ ...headers, date: "", "x-request-id": "" });
        expect(comparable(head)).toEqual(comparable(get));
      }
    },
  );

  test("HEAD with the known tag is a 304 too", async () => {
    const { headers } = await call("HEAD", "/frame/text");
    expect((await call("HEAD", "/frame/text", `if-none-match: ${headers.etag}`)).status).toBe(304);
  });

  test("contains only the fields of its contract", async () => {
    expect((await as.anyone.get("/frame/extra")).body).toEqual({ who: "me" });
  });

  test("that violates its contract is a 500, and nothing of it is sent", async () => {
    const reply = await as.anyone.get("/frame/misfit");
    expect(reply).toFail(500, "internal");
    expect(reply.text).not.toContain("who");
  });
});

describe("Cache-Control", () => {
  test("requires revalidation for public reads, keeps answers for signed-in users private, and forbids storing the rest", async () => {
    const user = await make.user();
    const caching = async (actor: typeof as.anyone, path: string) =>
      (await actor.get(path)).headers.get("cache-control");
    expect(await caching(as.anyone, "/frame/text")).toBe("no-cache");
    expect(await caching(as.user(user), "/frame/text")).toBe("no-cache");
    expect(await caching(as.anyone, "/frame/readable")).toBe("no-cache");
    expect(await caching(as.user(user), "/frame/readable")).toBe("private, no-cache");
    expect(await caching(as.user(user), "/frame/private")).toBe("private, no-store");
    expect(await caching(as.anyone, "/frame/private")).toBe("no-store");
    const echo = await as.anyone.post("/frame/echo/x", {});
    expect(echo.headers.get("cache-control")).toBe("private, no-store");
    expect(echo.headers.get("etag")).toBeNull();
  });

  test("and Vary name everything that an answer depends on", async () => {
    const { headers } = await as.anyone.get("/frame/readable");
    expect(headers.get("vary")?.split(", ").sort()).toEqual(["Accept-Encoding", "Authorization", "Cookie", "Origin"]);
  });
});

describe("every answer", () => {
  test.each(["/frame/text", "/frame/private", "/frame/throw", "/frame/nothing", "/frame/echo/%c0%af"])(
    "(%s) carries its own request id and the security headers",
    async (path) => {
      const [first, second] = await Promise.all([as.anyone.get(path), as.anyone.get(path)]);
      const id = first.headers.get("x-request-id");
      expect(id).toMatch(/^[0-9A-Za-z]{16}$/);
      expect(second.headers.get("x-request-id")).not.toBe(id);
      if (first.status >= 400) expect(first.body.requestId).toBe(id);
    },
  );

  test("forbids sniffing, and does not echo a request id", async () => {
    const { headers } = await as.anyone.get("/frame/text", { headers: { "x-request-id": "mine" } });
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("strict-transport-security")).toBeNull();
    expect(headers.get("x-request-id")).not.toBe("mine");
    expect(headers.get("x-powered-by")).toBeNull();
  });
});
