// Guarantees of the S3 store only: keys, signatures, multipart uploads, signed URLs, paged listings, clear errors.
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { inspect } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type FaultyS3, startFaultyS3, startS3, type TestS3 } from "#test/setup/s3.js";
import { isIntact } from "./digest.js";
import { BlobStorageFull, BlobStorageUnavailable } from "./errors.js";
import { type BlobStoreParts, openBlobStore } from "./open.js";
import type { BlobStore } from "./store.js";

const mib = 1024 * 1024;
const patience = { tries: 3, idleMs: 2_000, requestMs: 10_000, backoffMs: 1 };
let s3: TestS3;
let faulty: FaultyS3;
let temporaryDir: string;
const opened: BlobStore[] = [];

beforeAll(async () => {
  temporaryDir = await mkdtemp(join(tmpdir(), "modshelf-s3-store-"));
  s3 = await startS3();
  faulty = await startFaultyS3(s3);
});

afterEach(() => {
  faulty.decide = () => "pass";
  faulty.seen.length = 0;
});

afterAll(async () => {
  for (const store of opened) await store.close();
  await faulty.stop();
  await s3.stop();
  await rm(temporaryDir, { recursive: true, force: true });
});

async function openStore(
  overrides: Partial<TestS3> & { prefix?: string } = {},
  parts: Partial<BlobStoreParts> = {},
): Promise<BlobStore> {
  const store = await openBlobStore(
    { kind: "s3", prefix: "", ...s3, temporaryDir, ...overrides },
    { patience, ...parts },
  );
  opened.push(store);
  return store;
}

const toAddress = (sha512: string) => `blobs/${sha512.slice(0, 2)}/${sha512.slice(2, 4)}/${sha512}`;
const toServerFile = (sha512: string) => join(s3.folder, s3.bucket, `${toAddress(sha512)}._S3rver_object`);

async function listHashes(store: BlobStore): Promise<string[]> {
  const hashes: string[] = [];
  for await (const blob of store.list()) hashes.push(blob.sha512);
  return hashes;
}

describe("an S3 store", () => {
  test.each(["", "/", "shelf", "/shelf/", "a b/c+d=e/é"])(
    "works under the prefix %j and sees only that",
    async (prefix) => {
      const [store, other] = [await openStore({ prefix }), await openStore({ prefix: `other${prefix}` })];
      const { sha512 } = await store.put(randomBytes(100));
      expect(await isIntact(store, sha512)).toBe(true);
      expect(await listHashes(store)).toContain(sha512);
      expect(await other.find(sha512)).toBeUndefined();
      expect(await listHashes(other)).not.toContain(sha512);
      await store.delete(sha512);
      expect(await store.find(sha512)).toBeUndefined();
    },
  );

  test("sends large blobs in parts and leaves no part behind", async () => {
    const store = await openStore(faulty);
    const bytes = randomBytes(17 * mib);
    const { sha512 } = await store.put(bytes);
    expect((await readFile(toServerFile(sha512))).equals(bytes)).toBe(true);
    // On a slow machine a part may be sent twice.
    const parts = faulty.seen.flatMap((line) => /partNumber=\d+/.exec(line)?.[0] ?? []);
    expect(new Set(parts)).toEqual(new Set(["partNumber=1", "partNumber=2", "partNumber=3"]));
    expect(await readdir(join(s3.folder, s3.bucket, "._S3rver_uploads"))).toEqual([]);
    await store.delete(sha512);
  });

  test("content that exists is not sent again", async () => {
    const store = await openStore(faulty);
    const bytes = randomBytes(1000);
    await store.put(bytes);
    faulty.seen.length = 0;
    await store.put(bytes);
    expect(faulty.seen.map((line) => line.split(" ")[0])).toEqual(["HEAD"]);
  });

  test("a damaged object is replaced when the content is stored again", async () => {
    const store = await openStore();
    const bytes = randomBytes(1000);
    const { sha512 } = await store.put(bytes);
    const rotten = Buffer.from(bytes);
    rotten[500]! ^= 1;
    for (const damaged of [rotten, bytes.subarray(0, 400)]) {
      await writeFile(toServerFile(sha512), damaged);
      // The server computes the ETag again when its stored value is gone.
      await rm(`${toServerFile(sha512)}.md5`);
      expect(await isIntact(store, sha512)).toBe(false);
      await store.put(bytes);
      expect(await isIntact(store, sha512)).toBe(true);
    }
  });

  test("uses conditional writes if the server supports them", async () => {
    const store = await openStore(faulty);
    const conditions: unknown[] = [];
    faulty.decide = ({ method, headers }) => {
      if (method === "PUT") conditions.push(headers["if-none-match"]);
      return "pass";
    };
    await store.put(randomBytes(10));
    expect(conditions).toEqual(["*"]);
    faulty.decide = ({ method, headers }) => {
      if (method === "PUT") conditions.push(headers["if-none-match"]);
      return method === "PUT" && headers["if-none-match"]
        ? { status: 501, body: "<Error><Code>NotImplemented</Code></Error>" }
        : "pass";
    };
    const { sha512 } = await store.put(randomBytes(10));
    await store.put(randomBytes(10));
    expect(await isIntact(store, sha512)).toBe(true);
    expect(conditions).toEqual(["*", "*", undefined, undefined]);
  });

  test("a precondition that fails without an existing object does not lose the blob", async () => {
    const store = await openStore(faulty);
    faulty.decide = ({ headers }) => (headers["if-none-match"] ? { status: 412 } : "pass");
    const { sha512 } = await store.put(randomBytes(10));
    expect(await isIntact(store, sha512)).toBe(true);
  });

  test("creates URLs that return the bytes with the requested headers until they expire", async () => {
    const store = await openStore();
    const bytes = randomBytes(1000);
    const { sha512 } = await store.put(bytes);
    const options = {
      expiresSeconds: 60,
      contentType: "application/java-archive",
      contentDisposition: 'attachment; filename="my mod+1.jar"',
      cacheControl: "private, no-store",
    };
    const url = (await store.signedUrl(sha512, options))!;
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/java-archive");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="my mod+1.jar"');
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect(url).not.toContain(s3.secretAccessKey);
    expect(url).not.toContain("+");
    expect((await fetch(url.replace("java-archive", "octet-stream"))).status).toBe(403);
    expect((await fetch(url, { method: "PUT", body: "x" })).status).toBe(403);

    const past = await openStore({}, { clock: { now: () => Date.now() - 61_000 } });
    expect((await fetch((await past.signedUrl(sha512, options))!)).status).toBe(403);
    await expect(store.signedUrl("../x", options)).rejects.toThrow(TypeError);
  });

  test("a wrong secret is a clear error that does not show the secret", async () => {
    const secretAccessKey = "wrong/Secret+that-must-not-leak";
    const store = await openStore({ secretAccessKey });
    for (const attempt of [() => store.put(randomBytes(10)), () => store.find("0".repeat(128)), () => store.probe()]) {
      const error: unknown = await attempt().catch((error) => error);
      expect(error).toBeInstanceOf(BlobStorageUnavailable);
      expect(String(error)).toMatch(/403.*Check the access key, its secret, the region/);
      expect(inspect(error, { depth: null, showHidden: true })).not.toContain(secretAccessKey);
    }
    await expect(store.open("0".repeat(128))).rejects.toThrow("403 SignatureDoesNotMatch");
    expect(inspect(store, { depth: null, showHidden: true })).not.toContain(secretAccessKey);
    expect(await readdir(temporaryDir)).toEqual([]);
  });

  test("an unknown key and a missing bucket are errors, not missing blobs", async () => {
    const stranger = await openStore({ accessKeyId: "NOBODY" });
    await expect(stranger.open("0".repeat(128))).rejects.toThrow("InvalidAccessKeyId");
    const lost = await openStore({ bucket: "no-such-bucket" });
    await expect(lost.put(randomBytes(10))).rejects.toThrow("404 NoSuchBucket");
    await expect(lost.open("0".repeat(128))).rejects.toThrow("404 NoSuchBucket");
    await expect(lost.delete("0".repeat(128))).rejects.toThrow("404 NoSuchBucket");
    await expect(lost.probe()).rejects.toThrow("404 NoSuchBucket");
    await expect(listHashes(lost)).rejects.toThrow("404 NoSuchBucket");
  });

  test("a full bucket is reported as a full storage", async () => {
    const store = await openStore(faulty);
    faulty.decide = ({ method }) =>
      method === "PUT" ? { status: 403, body: "<Error><Code>QuotaExceeded</Code></Error>" } : "pass";
    await expect(store.put(randomBytes(10))).rejects.toThrow(BlobStorageFull);
    faulty.decide = ({ method }) => (method === "PUT" ? { status: 507 } : "pass");
    await expect(store.put(randomBytes(10))).rejects.toThrow(BlobStorageFull);
  });

  test("the server's own error text is not passed on", async () => {
    const store = await openStore(faulty);
    faulty.decide = () => ({ status: 400, body: `<Error><Code>${s3.secretAccessKey} \n\u001b[31m</Code></Error>` });
    await expect(store.open("0".repeat(128))).rejects.toThrow(/^S3 answered GET with 400 Unknown$/);
  });

  test("a listing covers all pages", async () => {
    const store = await openStore({ ...faulty, prefix: "a&b" });
    const hashes = [1, 2, 3].map((digit) => String(digit).repeat(128));
    const toEntry = (key: string) =>
      `<Contents><Key>${key}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified><Size>7</Size></Contents>`;
    const toPage = (keys: string[], next: string) =>
      `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><KeyCount>1</KeyCount>
       <IsTruncated>${next !== ""}</IsTruncated>${next}${keys.map(toEntry).join("\n")}</ListBucketResult>`;
    const token = "<NextContinuationToken>1/+&amp;=&#x3D;</NextContinuationToken>";
    const first = [`a&amp;b/${toAddress(hashes[0]!)}`, "a&amp;b/blobs/stranger", `elsewhere/${toAddress(hashes[1]!)}`];
    faulty.decide = ({ url }) => ({
      status: 200,
      body: url.includes("continuation-token")
        ? toPage([`a&amp;b/${toAddress(hashes[2]!)}`], "")
        : toPage(first, token),
    });
    const listed = [];
    for await (const blob of store.list()) listed.push(blob);
    const lastModified = new Date("2026-01-02T03:04:05Z");
    expect(listed).toEqual([
      { sha512: hashes[0], size: 7, lastModified },
      { sha512: hashes[2], size: 7, lastModified },
    ]);
    expect(faulty.seen[1]).toContain("continuation-token=1%2F%2B%26%3D%3D");

    faulty.decide = () => ({ status: 200, body: toPage(first, token) });
    await expect(listHashes(store)).rejects.toThrow("the same page repeatedly");
    faulty.decide = () => ({ status: 200, body: toPage(first, "x") });
    await expect(listHashes(store)).rejects.toThrow("the same page repeatedly");
  });

  test("deletes unfinished uploads of crashed processes, but only stale ones", async () => {
    const store = await openStore(faulty);
    const toUpload = (id: string, initiated: string) =>
      `<Upload><Key>blobs/x</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`;
    const body = `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>
      ${toUpload("old", "2026-01-01T00:00:00Z")}${toUpload("young", "2026-01-03T00:00:00Z")}</ListMultipartUploadsResult>`;
    faulty.decide = ({ method, url }) => {
      if (method === "DELETE") return { status: 204 };
      return url.includes("uploads=") ? { status: 200, body } : "pass";
    };
    const listed = await Readable.from(store.listTemporaries()).toArray();
    expect(listed.map(({ name }) => name)).toContain("upload of blobs/x");
    expect(await store.removeStaleTemporaries(new Date("2026-01-02T00:00:00Z"))).toBe(1);
    expect(faulty.seen.filter((line) => line.startsWith("DELETE"))).toEqual([
      `DELETE /${s3.bucket}/blobs/x?uploadId=old`,
    ]);
  });
});
