// S3 with failures: for every fault of network and server, keep() ends with the right bytes or with a clean error, in
// time.
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Fault, type FaultyS3, startFaultyS3, startS3, type TestS3 } from "#test/setup/s3.js";
import { isIntact } from "./digest.js";
import { BlobStorageUnavailable } from "./errors.js";
import { openBlobStore } from "./open.js";
import type { BlobStore } from "./store.js";

const mib = 1024 * 1024;
const threeSmallParts = (17 / 8) * mib;
const slowDown = { status: 503, body: "<Error><Code>SlowDown</Code></Error>" };
const internalError = { status: 500, body: "<Error><Code>InternalError</Code></Error>" };
const conflict = { status: 409, body: "<Error><Code>ConditionalRequestConflict</Code></Error>" };
const lateError = { status: 200, body: "<?xml version='1.0'?>\n  <Error><Code>InternalError</Code></Error>" };

let s3: TestS3;
let faulty: FaultyS3;
let temporaryDir: string;
/** This client gets the faults. */
let store: BlobStore;
/** The same with short timeouts; for small blobs only. */
let impatient: BlobStore;
/** The same with long timeouts, for tests in which nothing may be late on a busy machine. */
let patient: BlobStore;
/** The same with parts of an eighth of their size. */
let inSmallParts: BlobStore;
/** This client bypasses the faults. */
let direct: BlobStore;

beforeAll(async () => {
  temporaryDir = await mkdtemp(join(tmpdir(), "modshelf-s3-faults-"));
  s3 = await startS3();
  faulty = await startFaultyS3(s3);
  const patience = { tries: 4, idleMs: 2_000, requestMs: 15_000, backoffMs: 1 };
  const config = { kind: "s3", prefix: "", ...faulty, temporaryDir } as const;
  store = await openBlobStore(config, { patience });
  impatient = await openBlobStore(config, { patience: { ...patience, idleMs: 300, requestMs: 3_000 } });
  patient = await openBlobStore(config, { patience: { ...patience, idleMs: 120_000, requestMs: 150_000 } });
  inSmallParts = await openBlobStore(config, { patience, uploadSizes: { singlePutBytes: 2 * mib, partBytes: mib } });
  direct = await openBlobStore({ ...config, ...s3 });
});

beforeEach(() => {
  faulty.decide = () => "pass";
  faulty.seen.length = 0;
});

afterAll(async () => {
  for (const opened of [store, impatient, patient, inSmallParts, direct]) await opened.close();
  await faulty.stop();
  await s3.stop();
  await rm(temporaryDir, { recursive: true, force: true });
});

/** Injects the fault into the first matching requests, up to this number. */
function troubleFor(times: number, fault: Fault, matches: (line: string) => boolean): FaultyS3["decide"] {
  let left = times;
  return ({ method, url }) => {
    if (left === 0 || !matches(`${method} ${url}`)) return "pass";
    left -= 1;
    return fault;
  };
}

const faults: [string, Fault][] = [
  ["500", internalError],
  ["503", slowDown],
  ["409", conflict],
  ["a reset", "reset"],
  ["a reset in the middle of the body", "reset-mid-body"],
  ["a lost reply", "lose-reply"],
  ["a stall", "stall"],
];

describe("keeping a blob", () => {
  test.each(faults)("succeeds after %s twice in a row", async (_, fault) => {
    for (const method of ["PUT", "HEAD"]) {
      faulty.decide = troubleFor(2, fault, (line) => line.startsWith(method));
      const { sha512 } = await impatient.put(randomBytes(100_000));
      expect(await isIntact(direct, sha512)).toBe(true);
    }
  });

  test.each(faults.filter(([, fault]) => fault !== "stall"))(
    "in parts succeeds after %s at every step",
    async (_, fault) => {
      const steps = new Set(["?uploads=", "partNumber=2", "?uploadId="]);
      faulty.decide = ({ url }) => {
        const step = [...steps].find((part) => url.includes(part));
        return step !== undefined && steps.delete(step) ? fault : "pass";
      };
      // Only a body that does not fit into the buffers of a connection can be cut in its middle.
      const { sha512 } = await (fault === "reset-mid-body"
        ? store.put(randomBytes(17 * mib))
        : inSmallParts.put(randomBytes(threeSmallParts)));
      expect(steps.size).toBe(0);
      expect(await isIntact(direct, sha512)).toBe(true);
      await direct.delete(sha512);
    },
  );

  test.each(faults.filter(([, fault]) => fault !== "lose-reply"))(
    "fails cleanly when %s persists",
    async (_, fault) => {
      faulty.decide = ({ method }) => (method === "PUT" ? fault : "pass");
      const bytes = randomBytes(100_000);
      await expect(impatient.put(bytes)).rejects.toThrow(BlobStorageUnavailable);
      expect(faulty.seen.filter((line) => line.startsWith("PUT"))).toHaveLength(4);
      expect(await readdir(temporaryDir)).toEqual([]);
      faulty.decide = () => "pass";
      const { sha512 } = await store.put(bytes);
      expect(await isIntact(direct, sha512)).toBe(true);
    },
  );

  test("succeeds if the bytes arrived although every reply was lost", async () => {
    faulty.decide = ({ method }) => (method === "PUT" ? "lose-reply" : "pass");
    const { sha512 } = await store.put(randomBytes(1000));
    expect(await isIntact(direct, sha512)).toBe(true);
  });

  test("aborts an upload in parts that fails, and does not complete it", async () => {
    faulty.decide = ({ method, url }) => {
      if (method === "DELETE") return { status: 204 };
      return url.includes("partNumber=2") ? slowDown : "pass";
    };
    await expect(inSmallParts.put(randomBytes(threeSmallParts))).rejects.toThrow("503 SlowDown");
    const uploadId = /uploadId=(\w+)/.exec(faulty.seen.find((line) => line.includes("partNumber=1"))!)![1];
    const aborts = faulty.seen.filter((line) => line.startsWith("DELETE"));
    expect(aborts).toEqual([expect.stringContaining(`?uploadId=${uploadId}`)]);
    expect(faulty.seen.some((line) => line.startsWith("POST") && line.includes("uploadId="))).toBe(false);
  });

  test("reports the first error also when the abort fails", async () => {
    faulty.decide = ({ method, url }) => {
      if (method === "DELETE") return internalError;
      return url.includes("partNumber=2") ? slowDown : "pass";
    };
    await expect(inSmallParts.put(randomBytes(threeSmallParts))).rejects.toThrow("503 SlowDown");
  });

  test("detects a completion with status 200 and an error in its body", async () => {
    faulty.decide = troubleFor(1, lateError, (line) => line.startsWith("POST") && line.includes("?uploadId="));
    const { sha512 } = await inSmallParts.put(randomBytes(threeSmallParts));
    expect(await isIntact(direct, sha512)).toBe(true);
  });

  test("reads the bytes back when the ETag is not the expected one", async () => {
    faulty.decide = () => "wrong-etag";
    const { sha512 } = await store.put(randomBytes(1000));
    expect(faulty.seen.some((line) => line.startsWith("GET"))).toBe(true);
    expect(await isIntact(direct, sha512)).toBe(true);
  });

  test("detects a PUT that was confirmed but did not store anything", async () => {
    faulty.decide = ({ method }) => (method === "PUT" ? { status: 200 } : "pass");
    await expect(store.put(randomBytes(1000))).rejects.toThrow("differ from the bytes that were sent");
  });

  test("succeeds if a retry finds the object of an earlier try", async () => {
    let puts = 0;
    faulty.decide = ({ method }) => {
      if (method !== "PUT") return "pass";
      puts += 1;
      return puts === 1 ? "lose-reply" : { status: 412, body: "<Error><Code>PreconditionFailed</Code></Error>" };
    };
    const { sha512 } = await store.put(randomBytes(1000));
    expect(puts).toBe(2);
    expect(await isIntact(direct, sha512)).toBe(true);
  });

  test("with random faults, every acknowledged blob is complete", async () => {
    const kinds: Fault[] = [...faults.map(([, fault]) => fault), "cut-answer", "wrong-etag"];
    faulty.decide = () => (Math.random() < 0.25 ? kinds[Math.floor(Math.random() * kinds.length)]! : "pass");
    let acknowledged = 0;
    let refused = 0;
    const uploadOne = async (size: number) => {
      try {
        const { sha512 } = await impatient.put(randomBytes(size));
        acknowledged += 1;
        expect(await isIntact(direct, sha512)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(BlobStorageUnavailable);
        refused += 1;
      }
    };
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(Array.from({ length: 6 }, (_, index) => uploadOne(index * 20_000 + round)));
    }
    expect(acknowledged + refused).toBe(60);
    expect(acknowledged).toBeGreaterThan(30);
    expect(await readdir(temporaryDir)).toEqual([]);
  });
});

describe("reading a blob", () => {
  test("continues where a broken answer stopped", async () => {
    const bytes = randomBytes(3 * mib);
    const { sha512 } = await store.put(bytes);
    faulty.decide = troubleFor(3, "cut-answer", (line) => line.startsWith("GET"));
    const blob = await store.open(sha512, { start: 1000, end: 2_999_999 });
    const hash = createHash("sha512");
    for await (const chunk of blob!.stream) hash.update(chunk);
    expect(hash.digest("hex")).toBe(createHash("sha512").update(bytes.subarray(1000, 3_000_000)).digest("hex"));
    expect(faulty.seen.filter((line) => line.startsWith("GET"))).toHaveLength(4);
  });

  test("ends with an error, not with fewer bytes, if the fault persists", async () => {
    const { sha512 } = await store.put(randomBytes(mib));
    const blob = await store.open(sha512);
    faulty.decide = ({ method }) => (method === "GET" ? "reset" : "pass");
    const cut = await store.open(sha512).catch((error: unknown) => error);
    expect(cut).toBeInstanceOf(BlobStorageUnavailable);
    expect((await blob!.stream.toArray()).reduce((sum: number, chunk: Buffer) => sum + chunk.byteLength, 0)).toBe(mib);
    faulty.decide = troubleFor(1, "cut-answer", (line) => line.startsWith("GET"));
    const half = await store.open(sha512);
    faulty.decide = ({ method }) => (method === "GET" ? "reset" : "pass");
    await expect(half!.stream.toArray()).rejects.toThrow(BlobStorageUnavailable);
  });

  test("closes its connections if the stream is not read to the end", async () => {
    const { sha512 } = await store.put(randomBytes(8 * mib));
    const before = await faulty.countConnections();
    const opened = await Promise.all([1, 2, 3, 4, 5, 6].map(() => store.open(sha512)));
    expect(await faulty.countConnections()).toBeGreaterThan(before);
    for (const unread of opened.slice(0, 3)) unread!.stream.destroy();
    for (const begun of opened.slice(3)) for await (const _ of begun!.stream) break;
    await expect.poll(() => faulty.countConnections()).toBeLessThanOrEqual(before);
    expect(await isIntact(store, sha512)).toBe(true);
  });

  test("reuses a connection after reading to the end", async () => {
    const { sha512 } = await store.put(randomBytes(mib));
    const before = faulty.connectionsMade;
    for (let round = 0; round < 5; round += 1) expect(await isIntact(store, sha512)).toBe(true);
    expect(faulty.connectionsMade - before).toBeLessThanOrEqual(1);
  });

  test("into memory asks again after a broken answer, and reports a fault that persists", async () => {
    const bytes = randomBytes(200_000);
    const { sha512 } = await store.put(bytes);
    for (const fault of ["cut-answer", "reset", "stall", slowDown] as const) {
      faulty.decide = troubleFor(2, fault, (line) => line.startsWith("GET"));
      expect((await store.read(sha512))!.equals(bytes)).toBe(true);
    }
    for (const fault of ["reset", slowDown] as const) {
      faulty.decide = ({ method }) => (method === "GET" ? fault : "pass");
      await expect(store.read(sha512)).rejects.toThrow(BlobStorageUnavailable);
    }
  });

  test("a probe fails at once while the storage does not answer", async () => {
    faulty.decide = () => slowDown;
    await expect(store.probe()).rejects.toThrow("503 SlowDown");
    expect(faulty.seen).toHaveLength(1);
    faulty.decide = () => "pass";
    await store.probe();
  });
});

/** Collects what is sent, as slowly as a client that is far away. */
function slowClient(): { out: Writable; received(): Buffer } {
  const parts: Buffer[] = [];
  const out = new Writable({
    write(chunk, _, done) {
      // Its memory is used again.
      parts.push(Buffer.from(chunk));
      setTimeout(done, 5);
    },
  });
  return { out, received: () => Buffer.concat(parts) };
}

describe("sending a blob", () => {
  const bytes = randomBytes(3 * mib + 17);
  const fewBytes = randomBytes(100_000);
  let sha512: string;
  let few: string;
  beforeAll(async () => {
    ({ sha512 } = await direct.put(bytes));
    few = (await direct.put(fewBytes)).sha512;
  });

  // Much less than the patience of the store: no fault may be noticed only by waiting.
  test("continues at once where a broken answer stopped", { timeout: 60_000 }, async () => {
    faulty.decide = troubleFor(3, "cut-answer", (line) => line.startsWith("GET"));
    const { out, received } = slowClient();
    const blob = await patient.openToSend(sha512, { start: 1000, end: 2_999_999 });
    await blob!.sendTo(out);
    expect(received().equals(bytes.subarray(1000, 3_000_000))).toBe(true);
    expect(faulty.seen.filter((line) => line.startsWith("GET"))).toHaveLength(4);
  });

  test.each(faults.filter(([name]) => !name.includes("body")))("succeeds after %s", async (_, fault) => {
    faulty.decide = troubleFor(2, fault, (line) => line.startsWith("GET"));
    const { out, received } = slowClient();
    await (await store.openToSend(few))!.sendTo(out);
    expect(received().equals(fewBytes)).toBe(true);
  });

  test("closes the client's connection if the fault persists, and sends no wrong byte", async () => {
    faulty.decide = troubleFor(1, "cut-answer", (line) => line.startsWith("GET"));
    const half = await store.openToSend(sha512);
    faulty.decide = ({ method }) => (method === "GET" ? "reset" : "pass");
    await expect(store.openToSend(sha512)).rejects.toThrow(BlobStorageUnavailable);
    const { out, received } = slowClient();
    await expect(half!.sendTo(out)).rejects.toThrow(BlobStorageUnavailable);
    expect(out.destroyed).toBe(true);
    const begun = received();
    expect(begun.length).toBeLessThan(bytes.length);
    expect(begun.equals(bytes.subarray(0, begun.length))).toBe(true);
  });

  test("closes its connections when clients leave or nothing is sent", async () => {
    const before = await faulty.countConnections();
    const opened = await Promise.all([1, 2, 3, 4, 5, 6].map(() => patient.openToSend(sha512)));
    expect(await faulty.countConnections()).toBeGreaterThan(before);
    for (const blob of opened.slice(0, 3)) blob!.cancel();
    for (const blob of opened.slice(3)) {
      const { out } = slowClient();
      setTimeout(() => out.destroy(), 10);
      await expect(blob!.sendTo(out)).rejects.toThrow("disconnected");
    }
    await expect.poll(() => faulty.countConnections()).toBeLessThanOrEqual(before);
  });

  test("reuses a connection after the last byte, and replaces one that the server has closed", async () => {
    const send = async () => {
      const { out, received } = slowClient();
      await (await patient.openToSend(sha512))!.sendTo(out);
      expect(received().equals(bytes)).toBe(true);
    };
    await send();
    const before = faulty.connectionsMade;
    for (let round = 0; round < 3; round += 1) await send();
    expect(faulty.connectionsMade).toBe(before);
    faulty.closeIdleConnections();
    await send();
    expect(faulty.connectionsMade).toBe(before + 1);
  });

  test("to a hundred clients at once gives each of them all bytes", async () => {
    const sent = Array.from({ length: 100 }, async () => {
      const { out, received } = slowClient();
      await (await patient.openToSend(few))!.sendTo(out);
      return received().equals(fewBytes);
    });
    expect(new Set(await Promise.all(sent))).toEqual(new Set([true]));
  });
});
