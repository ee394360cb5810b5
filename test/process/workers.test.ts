// The primary process and its workers: limits that they share, and starts and ends that go wrong. Behaviour that depends on
// the database is tested in server/src/platform/workers, on both engines.
import { createServer } from "node:net";
import { afterAll, expect, test } from "vitest";
import { openLines, workerPids } from "./lines.js";
import { anyPort, type RunningServer, startProgram, startServer, useProcesses } from "./program.js";
import { isRefused } from "./raw-connection.js";

useProcesses({ shared: true });

const twoWorkers = { ...anyPort, MODSHELF_WORKERS: "2", MODSHELF_LOG_LEVEL: "debug" };
let server: RunningServer;

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Workers that a failed test has left behind. */
afterAll(() => {
  for (const pid of server ? workerPids(server.program) : []) if (isRunning(pid)) process.kill(pid, "SIGKILL");
});

test("a quota is the same with two workers, whichever of them a request reaches", async () => {
  server = await startServer({ settings: { ...twoWorkers, MODSHELF_RATE_LIMITS: "on" } });
  const lines = await openLines(server);
  const statuses: number[] = [];
  // 20 an hour. The body is invalid, which is found out after the quota was taken.
  for (let times = 0; times < 30; times++) {
    const line = lines[times < 16 ? 0 : 1]!;
    statuses.push((await line.call("POST", "/api/report", { json: {} })).status);
  }
  expect(statuses.filter((status) => status !== 429)).toHaveLength(20);
  expect(statuses.slice(20)).toEqual(Array(10).fill(429));
  const last = await lines[0]!.call("POST", "/api/report", { json: {} });
  expect(Number(last.headers["retry-after"])).toBeGreaterThan(0);
  for (const line of lines) line.close();
});

test("workers end by themselves when the primary process was killed, and a new server starts", async () => {
  const pids = workerPids(server.program);
  expect(pids.every(isRunning)).toBe(true);
  await server.kill();
  await expect.poll(() => pids.some(isRunning)).toBe(false);
  await expect.poll(() => isRefused(server.port)).toBe(true);
  server = await server.restart();
  expect(await server.anyone.get("/readyz")).toSucceed();
});

test("a second signal ends all processes at once", async () => {
  const pids = workerPids(server.program);
  // A request that never ends keeps the server from stopping.
  const upload = fetch(`${server.origin}/api/auth/signup`, {
    ...{ method: "POST", headers: { "content-type": "application/json" }, duplex: "half" },
    body: new ReadableStream({ start: (sending) => sending.enqueue(new TextEncoder().encode("{")) }),
  } as RequestInit).catch(() => undefined);
  await server.anyone.get("/healthz");
  server.program.child.kill("SIGTERM");
  await server.program.heard(/"Stopping"/);
  server.program.child.kill("SIGINT");
  expect((await server.program.exited).signal).toBe("SIGINT");
  await expect.poll(() => pids.some(isRunning)).toBe(false);
  await upload;
});

test("a port that is in use ends the start with one message", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  const { port } = other.address() as { port: number };
  const program = await startProgram(["serve"], { settings: { ...twoWorkers, MODSHELF_PORT: String(port) } });
  expect((await program.exited).code).toBe(1);
  expect(program.stderr).toMatch(/^The server cannot listen on 127\.0\.0\.1, port \d+\. Another program listens there/);
  other.close();
});

test("a worker that dies at every start ends the server with a message", async () => {
  const dieInWorker = "data:text/javascript,if (process.argv[1].endsWith('worker.js')) process.exit(7)";
  const program = await startProgram(["serve"], { settings: twoWorkers, nodeArgs: ["--import", dieInWorker] });
  expect((await program.exited).code).toBe(1);
  expect(program.stderr).toContain("ended 5 times before it could answer (exit code 7)");
});
