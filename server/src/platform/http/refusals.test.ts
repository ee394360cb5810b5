import { describe, expect, test } from "vitest";
import { Busy } from "#lib/queue.js";
import { BlobStorageFull, BlobStorageUnavailable } from "#platform/blobs/errors.js";
import { rawRequest } from "#test/callers/raw-http.js";
import { FrameControl, frameRoutes } from "#test/server/frame-routes.js";
import { testApp } from "#test/server/harness.js";

const control = new FrameControl();
const { as, make, resources, origin } = await testApp({ routes: frameRoutes(control) });

const echo = (body: string | Uint8Array<ArrayBuffer>, type = "application/json") =>
  as.anyone.call("POST", "/frame/echo/x", { body, headers: { "content-type": type } });

describe("a URL", () => {
  test.each(["/", "/frame", "/frame/", "/FRAME/text", "/api/nothing", "/frame/text/../text%20"])(
    "that does not exist (%s) is 404 for any method and body",
    async (path) => {
      expect(await as.anyone.get(path)).toFail(404, "notFound");
      expect(await as.anyone.call("POST", path, { body: "{", headers: { "content-type": "text/xml" } })).toFail(404);
      expect(await as.anyone.call("PUT", path, { body: "x".repeat(300_000) })).toFail(404, "notFound");
      expect((await as.anyone.head(path)).status).toBe(404);
      expect(await as.anyone.call("OPTIONS", path)).toFail(404, "notFound");
    },
  );

  test.each([
    ["/frame/text", "GET, HEAD, OPTIONS", ["POST", "PUT", "PATCH", "DELETE", "PROPFIND", "QUERY"]],
    ["/frame/mixed", "GET, HEAD, POST, OPTIONS", ["PUT", "PATCH", "DELETE"]],
    ["/frame/echo/x", "POST, OPTIONS", ["GET", "HEAD", "PUT", "DELETE"]],
  ])("%s names its methods if another one is used, before a body is read", async (path, allow, wrong) => {
    for (const method of wrong) {
      const body = ["GET", "HEAD"].includes(method) ? {} : { body: "x".repeat(300_000) };
      const reply = await as.anyone.call(method, path, body);
      expect(reply.headers.get("allow")).toBe(allow);
      if (method === "HEAD") expect(reply.status).toBe(405);
      else expect(reply).toFail(405, "methodNotAllowed");
    }
    const options = await as.anyone.call("OPTIONS", path);
    expect([options.status, options.text, options.headers.get("allow")]).toEqual([204, "", allow]);
  });

  test.each([
    ["/frame/echo/a%00b", 400],
    ["/frame/echo/a%5Cb", 400],
    ["/frame/echo/a%0d%0ab", 400],
    ["/frame/echo/a%1fb", 400],
    ["/frame/echo/a%7F", 400],
    ["/frame/echo/%c0%af", 400],
    ["/frame/echo/%zz", 400],
    ["/frame/echo/x?q=%00", 400],
    ["/frame/echo/x?q=1?%00", 400],
    ["/frame/echo/x?q=1&q=2", 400],
    ["/frame/echo/x?q[]=1", 200],
    ["/frame/echo/x?__proto__[q]=1&constructor=2", 200],
    ["/frame/echo/x?;q=1;&&=&", 200],
    ["/frame/echo/x?q=%c0%af", 200],
    ["/frame/echo/..%2f..%2fetc", 200],
    [`/frame/echo/${"a".repeat(65)}`, 400],
    [`/frame/echo/${"a".repeat(8000)}`, 400],
  ])("with hostile characters (%s) answers %i", async (path, status) => {
    const reply = await as.anyone.post(path, {});
    if (status === 200) expect(reply).toSucceed();
    else expect(reply).toFail(status);
  });

  test("decodes a path once", async () => {
    expect((await as.anyone.post("/frame/echo/a%252Fb", {})).body.name).toBe("a%2Fb");
    expect((await as.anyone.post("/frame/echo/a%2Fb", {})).body.name).toBe("a/b");
  });
});

describe("a JSON body", () => {
  test.each(["{", "nope", '{"text":"a"', "{'text':1}", "[1,]", '"\n"', "\u0001", "{}{}", '{"text":"\u0000"}'])(
    "that is broken (%j) is refused",
    async (body) => {
      expect(await echo(body)).toFail(400, "invalidJson");
    },
  );

  test.each(["[]", '"text"', "5", "true", '[{"text":"a"}]'])("that is not an object (%s) is refused", async (body) => {
    expect(await echo(body)).toFail(400, "invalidRequest");
  });

  test.each(["", "  \n", "null"])("that is empty (%j) is an empty object", async (body) => {
    expect((await echo(body)).body).toEqual({ name: "x", body: {} });
  });

  test("may be missing, or labelled text/plain, or begin with a byte order mark", async () => {
    expect(await as.anyone.call("POST", "/frame/echo/x")).toSucceed();
    for (const type of [
      "text/plain",
      "text/plain;charset=UTF-8",
      "application/json; charset=utf-8",
      "Application/JSON",
    ])
      expect((await echo('{"text":"ä"}', type)).body.body).toEqual({ text: "ä" });
    expect((await echo('\ufeff{"text":"a"}')).body.body).toEqual({ text: "a" });
    expect(await echo("text", "text/plain")).toFail(400, "invalidJson");
  });

  test.each([
    "application/xml",
    "application/x-www-form-urlencoded",
    "Application/X-WWW-Form-URLencoded",
    "image/png",
    "x",
  ])("labelled %s is refused", async (type) => {
    const reply = await echo('{"text":"a"}', type);
    expect(reply).toFail(415, "unsupportedMediaType");
    expect(reply.body.message).toContain("application/json");
  });

  test("in a form is refused if no form is expected", async () => {
    expect(await as.anyone.form("POST", "/frame/echo/x", { text: "a" })).toFail(415, "unsupportedMediaType");
    const untyped = await as.anyone.call("POST", "/frame/echo/x", { body: new TextEncoder().encode('{"text":"a"}') });
    expect(untyped).toFail(415, "unsupportedMediaType");
  });

  test("may be a form if the endpoint says so", async () => {
    const form = (body: string) =>
      as.anyone.call("POST", "/frame/form", { body, headers: { "content-type": "application/x-www-form-urlencoded" } });
    expect((await form("text=a+b%20c&__proto__=x&unknown=1")).body).toEqual({ text: "a b c" });
    expect(await form("text=a%00b")).toFail(400);
    expect(await form("other=1")).toFail(400, "invalidRequest");
    expect((await as.anyone.post("/frame/form", { text: "json" })).body).toEqual({ text: "json" });
  });

  test("as a form has at most 1,000 fields of any length", async () => {
    const form = (body: string) =>
      as.anyone.call("POST", "/frame/form", { body, headers: { "content-type": "application/x-www-form-urlencoded" } });
    expect((await form(`text=a${"&b".repeat(999)}`)).body).toEqual({ text: "a" });
    const refused = await form(`text=a${"&b".repeat(32_000)}`);
    expect(refused).toFail(400, "multipartInvalid");
    expect(refused.body.message).toContain("Send fewer");
  });

  test("that is empty may have any label", async () => {
    for (const type of ["application/x-www-form-urlencoded", "application/json", "multipart/form-data; boundary=x"])
      expect((await echo("", type)).body).toEqual({ name: "x", body: {} });
  });

  test("is accepted up to 256 KiB, with or without an announced length", async () => {
    const fitting = JSON.stringify({ text: "x".repeat(262_144 - 11) });
    expect(fitting.length).toBe(262_144);
    expect(await echo(fitting)).toSucceed();
    expect(await echo(`${fitting} `)).toFail(413, "bodyTooLarge");
    const head = [
      "POST /frame/echo/x HTTP/1.1",
      "host: x",
      "content-type: application/json",
      "transfer-encoding: chunked",
    ];
    const chunks = `10000\r\n${" ".repeat(0x10000)}\r\n`.repeat(5);
    const { status, body } = await rawRequest(origin, head, chunks);
    expect([status, JSON.parse(body).code]).toEqual([413, "bodyTooLarge"]);
  });

  test("with NUL, lone surrogates or invalid UTF-8 is refused, because not every database can store it", async () => {
    expect(await echo('{"text":"a\\u0000"}')).toFail(400, "invalidJson");
    expect(await echo('{"\\u0000":"a"}')).toFail(400, "invalidJson");
    expect((await echo('{"text":"a\\\\u0000"}')).body.body).toEqual({ text: "a\\u0000" });
    for (const half of ["\\ud800", "\\uDC00", "\\ud83d\\u0041", "\\ude00\\ud83d"])
      expect(await echo(`{"text":"${half}"}`)).toFail(400, "invalidJson");
    expect(await echo('{"anything":[{"\\ud800":1}]}')).toFail(400, "invalidJson");
    expect((await echo('{"text":"\\ud83d\\ude00"}')).body.body).toEqual({ text: "😀" });
    expect((await echo('{"text":"\\\\ud800"}')).body.body).toEqual({ text: "\\ud800" });
    expect(await echo(new Uint8Array([...Buffer.from('{"text":"'), 0xc3, 0x28, 0x22, 0x7d]))).toFail(
      400,
      "invalidJson",
    );
  });

  test("cannot change prototypes: such keys and all unknown ones are dropped", async () => {
    const reply = await echo(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"text":"a","other":1,"anything":{"a":1,"__proto__":{"polluted":1}}}',
    );
    expect(reply.body.body).toEqual({ text: "a", anything: { a: 1 } });
    expect(reply.text).not.toContain("polluted");
    expect({}).not.toHaveProperty("polluted");
  });

  test("that is nested very deep, or has very many values, is refused as a whole", async () => {
    const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
    expect(await echo(`{"anything":${deep("[", "]", 31)}}`)).toSucceed();
    for (const body of [
      deep("[", "]", 131_072),
      `{"anything":${deep("[", "]", 130_000)}}`,
      `{"anything":${deep("[", "]", 130_000)},"text":"\\ud800"}`,
      `{"anything":${deep('{"a":', "}", 40_000).replace('{"a":}', '{"a":1}')}}`,
      `{"anything":[${"0,".repeat(130_000)}0]}`,
      `{"anything":[${"[],".repeat(80_000)}0]}`,
      `{"__proto__":0,"anything":${deep("[", "]", 130_000)}}`,
    ]) {
      const reply = await echo(body);
      expect(reply).toFail(400, "invalidJson");
      expect(reply.body.message).toContain("Send less at once");
    }
  });

  test("with many unknown or repeated keys is read like any other", async () => {
    expect((await echo(`{"text":"${"[{".repeat(1000)}"}`)).body.body.text).toHaveLength(2000);
    const many = Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`k${at}`, 1]));
    expect((await echo(JSON.stringify(many))).body.body).toEqual({});
    expect((await echo('{"text":"a","text":"b"}')).body.body).toEqual({ text: "b" });
  });

  test("has only finite numbers", async () => {
    for (const number of ["1e999", "-1e999", "1.5", '"1"', "[1]", `${"9".repeat(400)}`])
      expect(await echo(`{"number":${number}}`)).toFail(400, "invalidRequest");
    expect((await echo('{"number":1e3}')).body.body).toEqual({ number: 1000 });
    expect((await echo('{"number":null}')).body.body).toEqual({});
  });

  test("that is invalid gets each problem with its path", async () => {
    const reply = await echo('{"text":5,"number":"x"}');
    expect(reply).toFail(400, "invalidRequest");
    expect(reply.body.issues).toEqual([
      { path: "text", message: "must be a string" },
      { path: "number", message: "must be an integer" },
    ]);
  });

  test("that is invalid and long gets only its first problem", async () => {
    const reply = await echo(`{"text":5,"number":"x","anything":[${"0,".repeat(9000)}0]}`);
    expect(reply).toFail(400, "invalidRequest");
    expect(reply.body.issues).toEqual([{ path: "text", message: "must be a string" }]);
  });
});

describe("a form with files", () => {
  test("is read within its limits", async () => {
    const user = await make.user();
    const upload = (parts: Record<string, string | Blob>) => as.user(user).form("POST", "/frame/upload", parts);
    const bytes = (size: number) => new Blob([new Uint8Array(size)]);
    expect((await upload({ text: "a", picture: bytes(100_000), other: "x" })).body).toEqual({
      text: "a",
      size: 100_000,
    });
    expect(await upload({ picture: bytes(100_001) })).toFail(413, "fileTooLarge");
    expect(await upload({ picture: bytes(5_000_000) })).toFail(413, "fileTooLarge");
    expect(await upload({ text: "x".repeat(300_000) })).toFail(413, "fileTooLarge");
    expect(await upload({ text: "a\0b" })).toFail(400, "multipartInvalid");
    expect((await upload({ unknown: bytes(10) })).body.size).toBe(-1);
    expect(await upload({ a: bytes(10), b: bytes(10), picture: bytes(10) })).toFail(400, "multipartInvalid");
    expect(await upload(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at}`, "x"])))).toFail(400);
  });

  test("that is invalid is refused, and the next request on the same connection works", async () => {
    const user = await make.user();
    const broken = (type: string, body: string) =>
      as.user(user).call("POST", "/frame/upload", { body, headers: { "content-type": type } });
    expect(await broken("multipart/form-data", "x")).toFail(400, "multipartInvalid");
    expect(await broken("multipart/form-data; boundary=b", "--b\r\nnonsense")).toFail(400, "multipartInvalid");
    const twice = '--b\r\ncontent-disposition: form-data; name="text"\r\n\r\na\r\n';
    expect(await broken("multipart/form-data; boundary=b", `${twice}${twice}--b--\r\n`)).toFail(
      400,
      "multipartInvalid",
    );
    const proto = twice.replace('"text"', '"__proto__"');
    expect(await broken("multipart/form-data; boundary=b", `${proto}--b--\r\n`)).toFail(400, "multipartInvalid");
    expect(await broken("multipart/form-data; boundary=b", `${twice}--b--\r\n`)).toSucceed();
    expect(await broken("application/json", '{"text":"json"}')).toSucceed();
  });
});

describe("a failure", () => {
  test.each([
    [new Error("an internal detail"), 500, "internal", null],
    ["thrown text", 500, "internal", null],
    [undefined, 500, "internal", null],
    [new Busy(), 503, "unavailable", "5"],
    [new BlobStorageUnavailable("S3 is away"), 503, "unavailable", "5"],
    [Object.assign(new Error("connect"), { code: "ECONNREFUSED" }), 503, "unavailable", "5"],
    [Object.assign(new Error("shutting down"), { code: "57P01" }), 503, "unavailable", "5"],
    [Object.assign(new Error("deadlock"), { code: "40P01" }), 503, "unavailable", "5"],
    [Object.assign(new Error("standby"), { code: "25006" }), 503, "unavailable", "5"],
    [Object.assign(new Error("busy"), { code: "ERR_SQLITE_ERROR", errcode: 517 }), 503, "unavailable", "5"],
    [Object.assign(new Error("full"), { code: "ERR_SQLITE_ERROR", errcode: 13 }), 507, "diskFull", null],
    [Object.assign(new Error("full"), { code: "ENOSPC" }), 507, "diskFull", null],
    [Object.assign(new Error("full"), { code: "53100" }), 507, "diskFull", null],
    [new BlobStorageFull(), 507, "diskFull", null],
  ])("(%s) becomes %i %s without its cause", async (error, status, code, retryAfter) => {
    control.error = error;
    const reply = await as.anyone.get("/frame/throw");
    expect(reply).toFail(status, code);
    expect(reply.headers.get("retry-after")).toBe(retryAfter);
    expect(reply.headers.get("cache-control")).toBe("no-store");
    expect(Object.keys(reply.body).sort()).toEqual(["code", "message", "requestId", "success"]);
    expect(reply.body.message).not.toMatch(/detail|deadlock|S3|standby/);
    // Administrators see it (web/pages/admin).
    const { requestId } = reply.body;
    expect(resources.recentErrors.list()[0]).toMatchObject({ requestId, route: "GET /frame/throw" });
  });

  test("caused by a credential says how to send one", async () => {
    const reply = await as.anyone.get("/frame/private");
    expect(reply).toFail(401, "signInNeeded");
    expect(reply.headers.get("www-authenticate")).toMatch(/Bearer realm=.*Basic realm=/);
  });

  test("is counted by its code", async () => {
    await as.anyone.get("/frame/nothing");
    expect(await resources.metrics.registry.metrics()).toMatch(/modshelf_refusals_total\{code="notFound"\} \d+/);
  });
});
