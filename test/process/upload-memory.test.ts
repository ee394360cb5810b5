// Reliability L-5: uploads stream. For any size and number of parallel files, the server's memory stays constant. Small
// by default; `npm run test:upload-memory` sends ten files of 500 MiB.
import { once } from "node:events";
import { request } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { Actor } from "#test/callers/actors.js";
import { directoryRecord, localRecord, type ZipEntry, zip } from "#test/files/archives.js";
import { metricsPortOf, type RunningServer, siteUrl, startServer, useProcesses } from "./program.js";

useProcesses();

const MiB = 1024 * 1024;
const isFull = process.env.UPLOAD_MEMORY === "full";
const { uploads, fileMiB } = isFull ? { uploads: 10, fileMiB: 500 } : { uploads: 4, fileMiB: 24 };
const allowed = { resident: 64 * MiB, own: 32 * MiB };

/** An archive with one stored entry of this size, generated while it is sent. Each number has different content. */
function* largeArchive(number: number, mebibytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(MiB, `upload ${number} `);
  let crc = 0;
  for (let at = 0; at < mebibytes; at++) crc = crc32(piece, crc);
  const size = mebibytes * MiB;
  const entry: ZipEntry = { name: "a.bin", isStored: true, fields: { crc, size, compressedSize: size } };
  yield localRecord(entry);
  for (let at = 0; at < mebibytes; at++) yield piece;
  const plain = { name: Buffer.from("a.bin"), packed: piece, method: 0, flags: 0, crc, size, compressedSize: size };
  const directory = directoryRecord(entry, plain, 0);
  const offset = localRecord(entry).length + size;
  yield Buffer.concat([directory, zip([], { end: { entries: 1, size: directory.length, offset } })]);
}

const boundary = "memory";
function* uploadBody(number: number, mebibytes: number): Generator<Buffer> {
  const texts = { versionNumber: `1.${mebibytes}.${number}`, gameVersions: '["0.4.8"]' };
  for (const [name, value] of Object.entries(texts))
    yield Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
  yield Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="primaryFile"; filename="a.jar"\r\n\r\n`);
  yield* largeArchive(number, mebibytes);
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}

async function upload(server: RunningServer, cookie: string, number: number, mebibytes: number): Promise<void> {
  const call = request(`${server.origin}/api/project/memory/version`, {
    method: "POST",
    headers: {
      cookie,
      origin: siteUrl,
      "content-type": `multipart/form-data; boundary=${boundary}`,
    },
  });
  const answered = once(call, "response");
  await pipeline(Readable.from(uploadBody(number, mebibytes)), call);
  const [answer] = await answered;
  const text = (await answer.setEncoding("utf8").toArray()).join("");
  expect(answer.statusCode, text).toBe(200);
}

test(`${uploads} uploads of ${fileMiB} MiB at once do not grow the server's memory`, {
  timeout: 900_000,
}, async () => {
  const server = await startServer({ settings: { MODSHELF_METRICS_PORT: "0" } });
  const metricsPort = await metricsPortOf(server.program);
  const account = { userName: "author", email: "author@example.org", password: "a long enough password" };
  const cookie = (await server.anyone.post("/api/auth/signup", account)).headers.get("set-cookie")!.split(";")[0]!;
  const author = server.withCookie(cookie);
  const project = { name: "Memory", slug: "memory", type: ["mod"], visibility: "listed", summary: "x" };
  expect(await author.post("/api/project", project)).toSucceed();

  const metrics = new Actor(`http://127.0.0.1:${metricsPort}`);
  const figure = (text: string, name: string) => Number(new RegExp(`^modshelf_${name} (\\S+)$`, "m").exec(text)?.[1]);
  const look = async () => {
    const { text } = await metrics.get("/metrics");
    return {
      /** The memory as the operating system counts it. */
      resident: figure(text, "process_resident_memory_bytes"),
      /** The memory that the program holds or has not freed yet. */
      own: figure(text, "nodejs_heap_size_used_bytes") + figure(text, "nodejs_external_memory_bytes"),
    };
  };

  /** The most memory while so many files of this size are uploaded at once. */
  const most = async (mebibytes: number) => {
    const sending = Array.from({ length: uploads }, (_, number) => upload(server, cookie, number, mebibytes));
    const sent = Promise.all(sending).then(() => true);
    const most = await look();
    while (!(await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, 20, false))]))) {
      const now = await look();
      most.resident = Math.max(most.resident, now.resident);
      most.own = Math.max(most.own, now.own);
    }
    return most;
  };

  // Starts the thread that prepares answers.
  expect(await server.anyone.get("/api/project/memory")).toFail(404);
  // The same number of small files needs the same connections, streams and modules, and leaves the same kind of garbage.
  const small = await most(1);
  const large = await most(fileMiB);
  const grown = { resident: large.resident - small.resident, own: large.own - small.own };
  const inMiB = (bytes: number) => `${(bytes / MiB).toFixed(1)} MiB`;
  process.stdout.write(
    `${uploads} × ${fileMiB} MiB: resident memory ${inMiB(small.resident)} + ${inMiB(grown.resident)}, heap and buffers ${inMiB(small.own)} + ${inMiB(grown.own)}\n`,
  );
  expect(grown.resident).toBeLessThan(allowed.resident);
  expect(grown.own).toBeLessThan(allowed.own);
});
