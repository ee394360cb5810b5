// The decoding process as a whole: when it starts and ends, and that a hostile picture affects nothing else.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { performance } from "node:perf_hooks";
import sharp from "sharp";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Busy } from "#lib/queue.js";
import { cardIcon, drawCard } from "./card.js";
import { openImageTools } from "./tools.js";
import { openWorkerClient, type WorkerClient, type WorkerClientOptions } from "./worker-client.js";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const one of opened.splice(0)) await one.close();
});

function open(options?: WorkerClientOptions): WorkerClient {
  const client = openWorkerClient(options);
  opened.push(client);
  return client;
}

async function toPng(background: string, width = 64, height = 64): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Waits for a decoder that has finished one job and is idle. */
async function openIdle(options?: WorkerClientOptions): Promise<{ client: WorkerClient; pid: number; bytes: Buffer }> {
  const client = open(options);
  const bytes = await toPng("#ff0000");
  expect(await client.run({ kind: "icon", bytes })).toHaveProperty("icon");
  return { client, pid: client.findPid()!, bytes };
}

describe("the decoder's life cycle", () => {
  test("there is no process before the first picture, and one for all that follow", async () => {
    const client = open();
    expect(client.findPid()).toBeUndefined();
    const bytes = await toPng("#00ff00");
    await client.run({ kind: "icon", bytes });
    const pid = client.findPid();
    await client.run({ kind: "picture", bytes });
    expect(pid).toBeDefined();
    expect(client.findPid()).toBe(pid);
  });

  test("an idle decoder does not keep the server running", async () => {
    const countHeld = () => process.getActiveResourcesInfo().filter((kind) => /Process|Pipe/.test(kind)).length;
    const before = countHeld();
    const { client, pid, bytes } = await openIdle();
    expect(countHeld()).toBe(before);
    const working = client.run({ kind: "icon", bytes });
    await Promise.resolve().then(() => {});
    expect(countHeld()).toBeGreaterThan(before);
    await working;
    expect(isAlive(pid)).toBe(true);
  });

  test("an idle decoder is ended after a while, and the next picture starts another one", async () => {
    const { client, pid, bytes } = await openIdle({ idleMs: 1 });
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(client.findPid()).toBeUndefined();
    expect(await client.run({ kind: "icon", bytes })).toHaveProperty("icon");
  });

  test("closing ends the process, may be repeated, and later pictures are refused", async () => {
    const { client, pid, bytes } = await openIdle();
    await client.close();
    await client.close();
    expect(isAlive(pid)).toBe(false);
    await expect(client.run({ kind: "icon", bytes })).rejects.toThrow("closed");
    expect(client.findPid()).toBeUndefined();
  });

  test("closing during a start with waiting pictures leaves no process and no pending promise", async () => {
    const client = open();
    const bytes = await toPng("#00ff00");
    const jobs = [1, 2, 3].map(() => client.run({ kind: "icon", bytes }));
    const outcomes = Promise.allSettled(jobs);
    await new Promise(setImmediate);
    const pid = client.findPid()!;
    expect(isAlive(pid)).toBe(true);
    await client.close();
    expect(isAlive(pid)).toBe(false);
    expect((await outcomes).map((outcome) => outcome.status)).toEqual(["rejected", "rejected", "rejected"]);
  });

  test("a decoder ends when its server is gone", async () => {
    const worker = JSON.stringify(new URL("./worker.ts", import.meta.url).pathname);
    const execArgv = JSON.stringify(["--import", new URL("../../lib/source-imports.ts", import.meta.url).href]);
    const stdio = JSON.stringify(["ignore", "inherit", "ignore", "ipc"]);
    const script = `require("node:child_process")
      .fork(${worker}, { serialization: "advanced", execArgv: ${execArgv}, stdio: ${stdio} })
      .once("message", () => process.kill(process.pid, "SIGKILL"))`;
    const server = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "ignore"] });
    server.stdout.resume();
    // The pipe closes when the last process that holds it has ended, and the decoder holds it too.
    await once(server, "close");
    expect(server.signalCode).toBe("SIGKILL");
  });

  test("signals to the server's process group do not stop the decoder", async () => {
    const { client, pid, bytes } = await openIdle();
    process.kill(pid, "SIGTERM");
    process.kill(pid, "SIGINT");
    expect(await client.run({ kind: "icon", bytes })).toHaveProperty("icon");
    expect(client.findPid()).toBe(pid);
  });
});

describe("a failure of one picture", () => {
  test("a decoder that dies fails only its own picture", async () => {
    const { client, pid, bytes } = await openIdle();
    const lost = client.run({ kind: "picture", bytes: await toPng("#0000ff", 5000, 4000) });
    const next = client.run({ kind: "icon", bytes });
    await new Promise(setImmediate);
    process.kill(pid, "SIGKILL");
    expect(await lost).toEqual({ refused: "broken" });
    expect(await next).toHaveProperty("icon");
    expect(client.findPid()).not.toBe(pid);
  });

  test("a decoder that gets no CPU time is replaced, and its picture is not refused for that", async () => {
    const { client, pid, bytes } = await openIdle();
    process.kill(pid, "SIGSTOP");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const outcome = expect(client.run({ kind: "icon", bytes })).rejects.toBeInstanceOf(Busy);
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    await outcome;
    expect(isAlive(pid)).toBe(false);
    expect(await client.run({ kind: "icon", bytes })).toHaveProperty("icon");
  });

  test("a picture that exceeds its time is too expensive", async () => {
    const images = openImageTools({ jobMs: 1 });
    opened.push(images);
    const bytes = await toPng("#0000ff", 5000, 4000);
    const results = await Promise.all([images.picture(bytes), images.icon(bytes)]);
    expect(results).toEqual([1, 2].map(() => ({ ok: false, reason: "tooExpensive" })));
  });
});

describe("many pictures at once", () => {
  test("twenty are all answered, each with its own result", async () => {
    const images = openImageTools();
    opened.push(images);
    const greys = Array.from({ length: 20 }, (_, index) => `#${(index * 10).toString(16).padStart(2, "0").repeat(3)}`);
    const results = await Promise.all(
      greys.map(async (grey, index) =>
        images.icon(index % 5 === 4 ? (await toPng(grey)).subarray(0, 60) : await toPng(grey)),
      ),
    );
    const answers = results.map((result) => (result.ok ? result.value.color : result.reason));
    expect(answers).toEqual(greys.map((grey, index) => (index % 5 === 4 ? "broken" : grey)));
  });

  test("pictures beyond the queue limit are refused as busy, earlier ones complete", async () => {
    const client = open({ maxUnanswered: 2 });
    const bytes = await toPng("#ff0000");
    const answers = await Promise.allSettled([1, 2, 3, 4].map(() => client.run({ kind: "icon", bytes })));
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
    expect(answers[3]).toMatchObject({ reason: expect.any(Busy) });
    expect(await client.run({ kind: "icon", bytes })).toHaveProperty("icon");
  });

  test("ninety cards let uploads pass and make none of them fail", async () => {
    const images = openImageTools();
    opened.push(images);
    const svg = drawCard({ name: "a", summary: "b", line: "c", tags: [], color: "#000000", site: "d" });
    const icon = await toPng("#0000ff");
    let drawn = 0;
    const cards = Array.from({ length: 90 }, () =>
      images.card({ svg, icon, ...cardIcon }).then(
        () => drawn++,
        (error) => expect(error).toBeInstanceOf(Busy),
      ),
    );
    const uploads = await Promise.all(Array.from({ length: 32 }, () => images.icon(icon)));
    expect(uploads.every(({ ok }) => ok)).toBe(true);
    // The one that was being drawn, and perhaps the next.
    expect(drawn).toBeLessThanOrEqual(2);
    await Promise.all(cards);
    expect(drawn).toBe(9);
  });

  test("the server keeps answering while a large picture is decoded", async () => {
    const { client } = await openIdle();
    const bytes = await toPng("#123456", 5000, 5000);
    const own = process.threadCpuUsage();
    const start = performance.now();
    expect(await client.run({ kind: "picture", bytes })).toHaveProperty("picture");
    const decoding = performance.now() - start;
    // CPU time of this thread, in which it cannot answer; other programs on the machine do not affect it.
    const { user, system } = process.threadCpuUsage(own);
    expect((user + system) / 1000).toBeLessThan(decoding / 3);
  });
});
