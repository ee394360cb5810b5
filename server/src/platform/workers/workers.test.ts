// The real program with two workers: they behave as one server, also when one of them is killed.
import { once } from "node:events";
import { request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jarFile, toForm } from "#test/callers/uploads.js";
import { Line, openLines, workerPids } from "#test/process/lines.js";
import {
  metricsPortOf,
  type RunningServer,
  type Settings,
  siteUrl,
  startServer,
  useProcesses,
} from "#test/process/program.js";
import { RawConnection } from "#test/process/raw-connection.js";
import { createDatabase } from "#test/server/harness.js";
import { isLong } from "#test/setup/long.js";
import { startReceiver } from "#test/setup/webhook-receiver.js";

useProcesses({ shared: true });

const account = { userName: "keeper", email: "keeper@example.org", password: "a long enough password" };
let server: RunningServer;
let database: Awaited<ReturnType<typeof createDatabase>>;
let lines: [Line, Line];
/** The headers of an administrator. */
let admin: Record<string, string>;

const start = async (more: Settings = {}) => {
  database = await createDatabase();
  return startServer({
    settings: {
      ...{ MODSHELF_WORKERS: "2", MODSHELF_LOG_LEVEL: "debug", MODSHELF_TRUSTED_PROXIES: "loopback" },
      ...{ MODSHELF_WEBHOOK_ALLOW_PRIVATE: "on" },
      ...{ MODSHELF_ADMIN_USER: account.userName, MODSHELF_ADMIN_EMAIL: account.email },
      ...{ MODSHELF_ADMIN_PASSWORD: account.password, MODSHELF_METRICS_PORT: "0" },
      ...(database && { MODSHELF_DATABASE_URL: database.url }),
      ...more,
    },
  });
};

const call = (line: Line, method: string, path: string, json?: unknown) =>
  line.call(method, path, { headers: admin, json });

async function makePublicProject(slug: string): Promise<string> {
  const input = { name: slug, slug, type: ["mod"], visibility: "listed", summary: "x" };
  const made = await call(lines[0], "POST", "/api/project", input);
  expect(made.status, made.text).toBe(200);
  const approved = await call(lines[1], "POST", `/api/moderation/project/${slug}`, { status: "approved" });
  expect(approved.status, approved.text).toBe(200);
  return slug;
}

const readMetrics = async (): Promise<string> =>
  (await fetch(`http://127.0.0.1:${await metricsPortOf(server.program)}`)).text();

const readJobs = async () => (await call(lines[0], "GET", "/admin/jobs")).text;

const sumOf = (figures: string, name: string): number =>
  [...figures.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, "gm"))].reduce(
    (sum, [, value]) => sum + Number(value),
    0,
  );

async function publish(line: Line, slug: string, versionNumber: string) {
  const form = toForm({ versionNumber, gameVersions: ["0.4.8"], primaryFile: jarFile() });
  return line.call("POST", `/api/project/${slug}/version`, { headers: admin, form });
}

beforeAll(async () => {
  server = await start();
  lines = (await openLines(server)) as [Line, Line];
  const signIn = await lines[0].call("POST", "/api/auth/signin/credential", {
    json: { email: account.userName, password: account.password },
  });
  admin = { cookie: String(signIn.headers["set-cookie"]).split(";")[0]!, origin: siteUrl };
});

afterAll(async () => {
  for (const line of lines) line.close();
  if (server.program.child.exitCode === null) await server.stop();
  await database?.drop();
});

describe("two workers", () => {
  test("show every acknowledged write in the next answer of either", async () => {
    const slug = await makePublicProject("shared");
    for (let times = 0; times < (isLong ? 200 : 6); times++) {
      const [writer, reader] = (times % 2 === 0 ? lines : lines.toReversed()) as [Line, Line];
      const summary = `Summary ${times}`;
      expect((await call(writer, "PATCH", `/api/project/${slug}`, { summary })).status).toBe(200);
      for (const line of [reader, writer]) {
        expect((await line.call("GET", `/api/project/${slug}`)).body.project.summary).toBe(summary);
        expect((await line.call("GET", `/project/${slug}`)).text).toContain(summary);
        expect((await line.call("GET", "/api/search?query=shared")).text).toContain(summary);
      }
      const version = await publish(writer, slug, `1.0.${times}`);
      expect(version.status, version.text).toBe(200);
      const [newest] = (await reader.call("GET", `/api/project/${slug}/version`)).body.data;
      expect(newest.versionNumber).toBe(`1.0.${times}`);
      const byHash = await reader.call("GET", `/api/version-file/${newest.primaryFile.sha512_hash}?algorithm=sha512`);
      expect(byHash.body.id, byHash.text).toBe(newest.id);
    }
  });

  test("count a download of a client once, and all downloads", async () => {
    const slug = await makePublicProject("counted");
    await publish(lines[0], slug, "1.0");
    const [{ primaryFile }] = (await lines[1].call("GET", `/api/project/${slug}/version`)).body.data;
    const clients = Array.from({ length: 20 }, (_, at) => `203.0.113.${at}`);
    for (const client of clients)
      for (const line of lines) {
        const file = await line.call("GET", new URL(primaryFile.url).pathname, {
          headers: { "x-forwarded-for": client },
        });
        expect(file.status).toBe(200);
      }
    for (const line of lines)
      await expect
        .poll(async () => (await line.call("GET", `/api/project/${slug}`)).body.project.downloads)
        .toBe(clients.length);
  });

  test("send every message of a webhook once", async () => {
    const slug = await makePublicProject("watched");
    const receiver = await startReceiver();
    const webhook = { url: receiver.url, events: ["project.edited"] };
    expect((await call(lines[1], "POST", `/api/project/${slug}/webhooks`, webhook)).status).toBe(200);
    for (let times = 0; times < 6; times++)
      await call(lines[times % 2]!, "PATCH", `/api/project/${slug}`, { summary: `Edit ${times}` });
    await expect.poll(() => receiver.messages.length).toBe(6);
    // No delivery is left in the queue.
    expect(await readJobs()).toContain("delete-expired");
    await expect.poll(readJobs).not.toContain("deliver-webhook");
    expect(new Set(receiver.messages.map(({ headers }) => headers["webhook-id"])).size).toBe(6);
    expect(receiver.messages.length).toBe(6);
  });

  test("are both on the page for administrators and in the figures", async () => {
    const page = (await lines[0].call("GET", "/admin", { headers: admin })).text;
    for (const pid of workerPids(server.program)) expect(page).toContain(`>${pid}<`);
    const figures = await readMetrics();
    expect(figures).toContain("modshelf_workers 2");
    expect(figures).toContain('modshelf_build_info{version="0.1.0"} 1');
  });
});

describe("a worker that is killed", () => {
  // A worker that dies again and again is replaced after a pause of up to ten seconds.
  const timeout = 15 * 60_000;
  test("is replaced; no acknowledged write is lost, and the port always answers", { timeout }, async () => {
    const kills = isLong ? 20 : 3;
    const acknowledged: { slug: string; number: string }[] = [];
    let isOver = false;
    // While a worker starts, there are fewer requests, so that it soon answers.
    let restMs = 0;
    const slugs = await Promise.all(["load-0", "load-1", "load-2", "load-3"].map(makePublicProject));
    const writing = slugs.map(async (slug) => {
      for (let number = 0; !isOver; number++) {
        await pause(restMs);
        const line = new Line(server.port);
        // A request that the worker was answering when it died gets no answer.
        const reply = await publish(line, slug, String(number)).catch(() => undefined);
        if (reply) expect(reply.status, reply.text).toBe(200);
        if (reply) acknowledged.push({ slug, number: String(number) });
        line.close();
      }
    });
    const probing = (async () => {
      for (let lost = 0; !isOver; ) {
        await pause(restMs);
        const line = new Line(server.port);
        const reply = await line.call("GET", "/healthz").catch(() => undefined);
        lost = reply ? 0 : lost + 1;
        // The connection may have been given to the worker just before it died.
        expect(lost).toBeLessThan(3);
        line.close();
      }
    })();
    const before = await readMetrics();
    for (let times = 0; times < kills; times++) {
      const [...pids] = workerPids(server.program);
      const pid = pids[times % 2]!;
      const sum = acknowledged.length;
      await expect.poll(() => acknowledged.length).toBeGreaterThan(sum + 2);
      process.kill(pid, "SIGKILL");
      restMs = 100;
      await expect.poll(() => workerPids(server.program)[times % 2]).not.toBe(pid);
      restMs = 0;
    }
    isOver = true;
    await Promise.all([...writing, probing]);
    lines = (await openLines(server)) as [Line, Line];
    for (const slug of slugs) {
      const expected = acknowledged.filter((each) => each.slug === slug).map(({ number }) => number);
      for (const line of lines) {
        const { data } = (await line.call("GET", `/api/project/${slug}/version`)).body;
        expect(data.map((each: { versionNumber: string }) => each.versionNumber)).toEqual(
          expect.arrayContaining(expected),
        );
      }
    }
    const after = await readMetrics();
    expect(after).toContain(`modshelf_worker_restarts_total ${kills}`);
    expect(sumOf(after, "modshelf_request_seconds_count")).toBeGreaterThan(
      sumOf(before, "modshelf_request_seconds_count"),
    );
  });

  // It takes the eight seconds that a worker is given.
  test.runIf(isLong)("because it hangs does not delay writes for longer, and cannot answer without them", async () => {
    const slug = await makePublicProject("hanging");
    const [pid] = workerPids(server.program);
    const summary = "Written while a worker hung";
    process.kill(pid!, "SIGSTOP");
    // If the worker had the turn to write, the first tries are refused.
    const edit = async () => (await call(lines[1], "PATCH", `/api/project/${slug}`, { summary })).status;
    await expect.poll(edit).toBe(200);
    expect(() => process.kill(pid!, 0)).toThrow("ESRCH");
    expect(server.program.stdout).toContain("It did not answer in time");
    await expect.poll(() => workerPids(server.program)[0]).not.toBe(pid);
    lines = (await openLines(server)) as [Line, Line];
    expect((await lines[0].call("GET", `/api/project/${slug}`)).body.project.summary).toBe(summary);
  });

  test("does not keep a client waiting whose connection it had not taken yet", async () => {
    const [pid] = workerPids(server.program);
    process.kill(pid!, "SIGSTOP");
    const waiting: Promise<unknown>[] = [];
    const answered: Promise<unknown>[] = [];
    // Connections go to the workers in turn.
    for (let times = 0; times < 4; times++) {
      const asked = new Line(server.port).call("GET", "/healthz");
      answered.push(asked.catch(() => undefined));
      waiting.push(
        asked.then(
          () => "answered",
          () => "closed",
        ),
      );
    }
    await Promise.race(answered);
    process.kill(pid!, "SIGKILL");
    expect((await Promise.all(waiting)).includes("answered")).toBe(true);
    await expect.poll(() => workerPids(server.program)[0]).not.toBe(pid);
  });
});

/** A request that has certainly reached a worker, which waits for its body. */
async function beginRequest(body: string): Promise<() => Promise<number | undefined>> {
  const headers = { "content-type": "application/json", "content-length": String(body.length), expect: "100-continue" };
  const call = request(`${server.origin}/api/version-files`, { method: "POST", headers, agent: false });
  call.flushHeaders();
  await once(call, "continue");
  return async () => {
    const answered = once(call, "response");
    call.end(body);
    const [answer] = await answered;
    answer.resume();
    return answer.statusCode;
  };
}

/** A request on a new connection that no worker has taken yet. */
async function connect(): Promise<RawConnection> {
  const connection = await RawConnection.open(server.port);
  connection.send("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n");
  return connection;
}

test("a server with workers answers every request that has arrived, stops cleanly, and all of them end", async () => {
  const pids = workerPids(server.program);
  const body = JSON.stringify({ hashes: ["0".repeat(128)] });
  const running = await Promise.all(Array.from({ length: 20 }, () => beginRequest(body)));
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  const waiting = await Promise.all(Array.from({ length: 20 }, connect));
  const stopped = server.stop();
  await server.program.heard(/"Stopping"/);
  for (const pid of pids) process.kill(pid, "SIGCONT");
  for (const connection of waiting) await connection.heard(/^HTTP\/1\.1 200 OK/);
  expect(await Promise.all(running.map((finish) => finish()))).toEqual(Array(20).fill(200));
  expect(await stopped).toBe(0);
  expect(server.program.stdout).toContain('"Stopped"');
  expect(server.program.stdout).not.toContain("deadline");
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});
