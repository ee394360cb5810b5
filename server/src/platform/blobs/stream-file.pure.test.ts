// Sends files to real sockets: whole, in part, to clients that disconnect, and to more clients than there are buffers.
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, open, rm, truncate, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { streamFile } from "./stream-file.js";

const folder = await mkdtemp(join(tmpdir(), "modshelf-sendTo-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const bytes = randomBytes(3 * 1024 * 1024 + 17);
const path = join(folder, "file");
await writeFile(path, bytes);

/** Both ends of a connection. */
async function connection(): Promise<{ sender: Socket; receiver: Socket }> {
  const { promise, resolve } = Promise.withResolvers<Socket>();
  const server = createServer(resolve).listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const receiver = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const sender = await promise;
  // As in an HTTP server: a client that disconnects early is not an error.
  sender.on("error", () => undefined);
  server.close();
  return { sender, receiver };
}

async function pourTo(sender: Socket, start = 0, end = bytes.length - 1, from = path): Promise<void> {
  await streamFile(await open(from, "r"), { start, end }, sender);
}

const digest = (content: Buffer) => createHash("sha256").update(content).digest("hex");

describe("a file that is sent through shared buffers", () => {
  test.each([
    [0, bytes.length - 1],
    [0, 0],
    [5, 262_148],
    [262_144, 524_287],
    [1, 1_048_577],
    [3, 2_097_154],
    [bytes.length - 1, bytes.length - 1],
  ])("arrives unchanged from byte %i to byte %i", async (start, end) => {
    const { sender, receiver } = await connection();
    const [arrived] = await Promise.all([buffer(receiver), pourTo(sender, start, end)]);
    expect(digest(arrived)).toBe(digest(bytes.subarray(start, end + 1)));
  });

  test("arrives at a hundred clients at once, also at slow ones", async () => {
    const arrivals = Array.from({ length: 100 }, async (_, index) => {
      const { sender, receiver } = await connection();
      if (index % 3 === 0) receiver.pause();
      const pouring = pourTo(sender);
      await new Promise((turn) => setImmediate(turn));
      const [arrived] = await Promise.all([buffer(receiver), pouring]);
      return digest(arrived);
    });
    expect(new Set(await Promise.all(arrivals))).toEqual(new Set([digest(bytes)]));
  });

  test("is abandoned when the client disconnects, and the next client gets none of its bytes", async () => {
    for (let times = 0; times < 5; times++) {
      const { sender, receiver } = await connection();
      receiver.on("error", () => undefined);
      receiver.once("data", () => receiver.resetAndDestroy());
      await expect(pourTo(sender)).rejects.toThrow();
      expect(sender.destroyed).toBe(true);
    }
    const { sender, receiver } = await connection();
    const [arrived] = await Promise.all([buffer(receiver), pourTo(sender)]);
    expect(digest(arrived)).toBe(digest(bytes));
  });

  test("ends the connection if the file has become shorter", async () => {
    const shorter = join(folder, "shorter");
    await writeFile(shorter, bytes);
    const { sender, receiver } = await connection();
    receiver.on("error", () => undefined);
    const file = await open(shorter, "r");
    await truncate(shorter, 1000);
    receiver.resume();
    await expect(streamFile(file, { start: 0, end: bytes.length - 1 }, sender)).rejects.toThrow("shorter");
    expect(sender.destroyed).toBe(true);
  });
});
