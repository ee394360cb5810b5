// Signatures are compared with those of another implementation. The tests of the store use a server that checks them.
import { AwsV4Signer } from "aws4fetch";
import { describe, expect, test } from "vitest";
import { createS3Signer } from "./s3-signer.js";

const now = Date.UTC(2026, 10, 16, 8, 5, 9, 123);
const datetime = "20261116T080509Z";
const location = {
  endpoint: "https://s3.example.org:9000/base/",
  region: "eu-1",
  bucket: "mods (old)",
  accessKeyId: "KEY",
  secretAccessKey: "secret/+=",
};
const signer = createS3Signer(location, { now: () => now });
const origin = "https://s3.example.org:9000";
const { accessKeyId, secretAccessKey, region } = location;
const shared = { accessKeyId, secretAccessKey, region, service: "s3", datetime };

describe("the signature of a request", () => {
  test.each([
    ["GET", "blobs/ab/cd", {}, { range: "bytes=5-9", "accept-encoding": "identity" }],
    ["PUT", "a b/c+d=e/é~*'()!", {}, { "content-md5": "abc==", "content-type": "text/plain" }],
    ["GET", undefined, { "list-type": "2", prefix: "a b/", "continuation-token": "x/y+z=", uploads: "" }, {}],
    ["POST", "key", { partNumber: "2", uploadId: "a&b" }, { "if-none-match": "*", "x-amz-meta-note": "two  spaces" }],
  ] as [string, string | undefined, Record<string, string>, Record<string, string>][])(
    "%s of %s with %j is that of another implementation",
    async (method, key, query, given) => {
      const headers = { ...given, "x-amz-content-sha256": "0".repeat(64) };
      const { path, headers: signed } = signer.sign(method, key, query, headers);
      const expected = await new AwsV4Signer({ ...shared, method, url: origin + path, headers }).sign();
      expect(signed).toEqual({ ...Object.fromEntries(expected.headers), host: "s3.example.org:9000" });
      expect(origin + path).toBe(expected.url.href);
    },
  );

  test.each([
    ["blobs/ab/cd", undefined, undefined],
    ["a b/c+d=e/é~*'()!", { start: 5, end: 9 }, "bytes=5-9"],
  ])("the head of a GET of %s has the signature of another implementation", async (key, range, sent) => {
    const [first, ...lines] = signer.headOfGet(key, range).split("\r\n");
    expect(lines.splice(-2)).toEqual(["", ""]);
    const headers = Object.fromEntries(lines.map((line) => /^([^:]+): ?(.*)$/.exec(line)!.slice(1)));
    const { connection, "accept-encoding": coding, range: given, host, authorization, ...signed } = headers;
    expect([connection, coding, given, host]).toEqual(["keep-alive", "identity", sent, "s3.example.org:9000"]);
    const [, path] = /^GET (\S+) HTTP\/1\.1$/.exec(first!)!;
    const url = origin + path;
    const expected = await new AwsV4Signer({ ...shared, method: "GET", url, headers: signed }).sign();
    expect(authorization).toBe(expected.headers.get("authorization"));
  });

  test("follows the day", () => {
    let time = now;
    const own = createS3Signer(location, { now: () => time });
    const sign = () => own.sign("GET", "key", {}, { "x-amz-content-sha256": "0" }).headers.authorization!;
    const [first, head] = [sign(), own.headOfGet("key")];
    time += 86_400_000;
    expect(sign()).toContain("/20261117/eu-1/");
    expect(own.headOfGet("key")).toContain("/20261117/eu-1/");
    time = now;
    expect([sign(), own.headOfGet("key")]).toEqual([first, head]);
    time += 1000;
    expect(own.headOfGet("key")).toMatch(/x-amz-date:20261116T080510Z/);
  });
});

test("a signed URL is that of another implementation", async () => {
  const query = { "response-content-disposition": 'attachment; filename="a b+c.jar"', "response-content-type": "x/y" };
  const url = new URL(signer.signUrl("blobs/a b", query, 300));
  const given = url.searchParams.get("X-Amz-Signature");
  url.search = url.search.replace(/&X-Amz-(?!Expires)[^&]*/g, "").replace(/X-Amz-(?!Expires)[^&]*&/g, "");
  const expected = await new AwsV4Signer({ ...shared, method: "GET", url: url.href, signQuery: true }).sign();
  expect(given).toBe(expected.url.searchParams.get("X-Amz-Signature"));
  expect(given).toMatch(/^[0-9a-f]{64}$/);
});
