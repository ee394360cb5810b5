// Three real nodes on one PostgreSQL and one S3-compatible server, under traffic: a change on one node is seen on the
// others, a killed node loses nothing, and a restart of the database only delays. `npm run test:long -- cluster` makes
// more changes and checks how long each takes.
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "#lib/clock.js";
import { systemRandom } from "#lib/random.js";
import { ChangeLog } from "#platform/changes/change-log.js";
import { ServerMemory } from "#platform/changes/server-memory.js";
import { write } from "#platform/changes/write.js";
import { openDatabase } from "#platform/db/open.js";
import { Actor, type Reply } from "#test/callers/actors.js";
import { toForm } from "#test/callers/uploads.js";
import { zip } from "#test/files/archives.js";
import { isLong } from "#test/setup/long.js";
import { type PostgresServer, startPostgres } from "#test/setup/postgres-server.js";
import { startS3, type TestS3 } from "#test/setup/s3.js";
import { type RunningServer, startServer, useProcesses } from "./program.js";

useProcesses({ shared: true });

const changes = isLong ? 300 : 8;
/** Projects that change all the time, and for how many tenths of a second. */
const [busyProjects, busyTenths] = isLong ? [200, 100] : [10, 5];
/** Only the long run needs exact times and much traffic. */
const [betweenReadsMs, betweenLooksMs] = isLong ? [5, 2] : [25, 20];
const account = {
  MODSHELF_ADMIN_USER: "author",
  MODSHELF_ADMIN_EMAIL: "author@example.org",
  MODSHELF_ADMIN_PASSWORD: "a long enough password",
};
const slug = "shared";
let postgres: PostgresServer;
let s3: TestS3;
let nodes: RunningServer[];
let cookie: string;
let traffic: Traffic;

const author = (node: RunningServer): Actor => node.withCookie(cookie);

/** Readers that ask all nodes for the same things again and again; every answer is noted. */
class Traffic {
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>[];
  readonly seen = new Map<string, number>();
  /** Answers that no client should get: neither right, nor a refusal with a time to try again. */
  readonly wrong: string[] = [];

  constructor(readers: readonly RunningServer[]) {
    this.#running = readers.map((node) => this.#read(node));
  }

  async #read({ anyone }: RunningServer): Promise<void> {
    const paths = [`/api/project/${slug}`, `/api/project/${slug}/version`, "/api/search?q=shared", `/mod/${slug}`];
    for (let turn = 0; !this.#stopping.signal.aborted; turn++) {
      const path = paths[turn % paths.length]!;
      // A killed node answers nothing.
      const reply = await anyone.get(path).catch(() => undefined);
      if (reply) this.note(path, reply);
      await pause(betweenReadsMs);
    }
  }

  note(path: string, { status, headers, text }: Reply): void {
    this.seen.set(`${status}`, (this.seen.get(`${status}`) ?? 0) + 1);
    if (status === 503 ? headers.has("retry-after") : status < 400) return;
    this.wrong.push(`${path}: ${status} ${text.slice(0, 200)}`);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
  }
}

beforeAll(async () => {
  [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  const settings = {
    ...account,
    MODSHELF_DATABASE_URL: postgres.url,
    MODSHELF_DATABASE_POOL_SIZE: "4",
    MODSHELF_STORAGE_URL: `s3://${s3.bucket}?endpoint=${s3.endpoint}&region=${s3.region}`,
    MODSHELF_S3_ACCESS_KEY_ID: s3.accessKeyId,
    MODSHELF_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    MODSHELF_SECRET_KEY: randomBytes(32).toString("base64"),
  };
  nodes = await Promise.all([1, 2, 3].map(() => startServer({ settings })));
  const signIn = { email: "author", password: account.MODSHELF_ADMIN_PASSWORD };
  const signedIn = await nodes[0]!.anyone.post("/api/auth/signin/credential", signIn);
  cookie = signedIn.headers.get("set-cookie")!;
  const project = { name: "Shared", slug, type: ["mod"], visibility: "listed", summary: "x" };
  expect(await author(nodes[0]!).post("/api/project", project)).toSucceed();
  expect(await author(nodes[0]!).post(`/api/moderation/project/${slug}`, { status: "approved" })).toSucceed();
  for (const { anyone } of nodes) await until(async () => (await anyone.get(`/api/project/${slug}`)).status === 200);
  traffic = new Traffic(nodes);
});

afterAll(async () => {
  await traffic?.stop();
  for (const node of nodes ?? []) if (node.program.child.exitCode === null) await node.kill();
  await s3?.stop();
  await postgres?.stop();
});

const publish = (node: RunningServer, versionNumber: string): Promise<Reply> =>
  author(node).call("POST", `/api/project/${slug}/version`, {
    body: toForm({
      versionNumber,
      gameVersions: ["0.4.8"],
      primaryFile: { name: "file.jar", bytes: zip([{ name: "id.txt", content: versionNumber }]) },
    }),
  });

/** How long it takes until the condition holds, in ms. */
async function until(holds: () => Promise<boolean>): Promise<number> {
  const begun = performance.now();
  while (!(await holds())) await pause(betweenLooksMs);
  return performance.now() - begun;
}

/** Only the long run, which has the machine for itself, checks times. */
function expectTimes(what: string, times: number[], longest: number): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(0);
  process.stdout.write(`${what}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of ${times.length}\n`);
  if (isLong) expect(Number(at(0.99))).toBeLessThanOrEqual(longest);
}

/** Changes projects as a server does, but many of them in one transaction. */
function openWriter() {
  const database = openDatabase({ engine: "postgres", url: postgres.url, poolSize: 2 }, () => {});
  const changeLog = new ChangeLog(database, { warn() {} });
  const memory = new ServerMemory({ changeLog, clock: systemClock });
  const to = { db: database.db, clock: systemClock, random: systemRandom, changeLog, memory };
  return {
    change: (ids: readonly string[], summary: string) =>
      write(to, {}, async (tx) => {
        await tx.db.updateTable("projects").set({ summary }).where("id", "in", ids).execute();
        for (const id of ids) tx.changed("project", id);
      }),
    close: () => database.close(),
  };
}

describe("three nodes under traffic", () => {
  test("show a change of one on the others", async () => {
    const times: number[] = [];
    for (let n = 0; n < changes; n++) {
      const [writer, reader] = [nodes[n % 3]!, nodes[(n + 1) % 3]!];
      const description = `The description number ${n}`;
      expect(await author(writer).patch(`/api/project/${slug}/description`, { description })).toSucceed();
      const isSeen = async () =>
        (await reader.anyone.get(`/api/project/${slug}`)).body.project.description === description;
      times.push(await until(isSeen));
    }
    expectTimes("A change is seen on another node after", times, 250);
  });

  test("find a version that was published on another by the hash of its file", async () => {
    for (let n = 0; n < 3; n++) expect(await publish(nodes[n]!, `1.${n}`)).toSucceed();
    const { data } = (await author(nodes[0]!).get(`/api/project/${slug}/version`)).body;
    expect(data).toHaveLength(3);
    const hashes = data.map(({ primaryFile }: { primaryFile: { sha512_hash: string } }) => primaryFile.sha512_hash);
    for (const { anyone } of nodes)
      await expect
        .poll(async () => Object.keys((await anyone.post("/api/version-files", { hashes })).body))
        .toEqual(hashes);
  });

  test("refuse a token that was revoked on another", async () => {
    const times: number[] = [];
    for (let n = 0; n < changes; n++) {
      const [first, second] = [nodes[n % 3]!, nodes[(n + 1) % 3]!];
      const input = {
        name: "short",
        dateExpires: new Date(Date.now() + 3_600_000).toISOString(),
        authScopes: ["user_read"],
      };
      const { id, token } = (await author(first).post("/api/pat", input)).body;
      const caller = new Actor(second.origin, { authorization: `Bearer ${token}` });
      await until(async () => (await caller.get("/api/user")).status === 200);
      expect(await author(first).delete(`/api/pat/${id}`)).toSucceed();
      times.push(await until(async () => (await caller.get("/api/user")).status === 401));
    }
    expectTimes("A revoked token is refused by another node after", times, 1000);
  });

  test("follow a thousand changes a second in answers and in the search", async () => {
    const ids: string[] = [];
    for (let n = 0; n < busyProjects; n++) {
      const project = { name: `Busy ${n}`, slug: `busy-${n}`, type: ["mod"], visibility: "listed", summary: "x" };
      expect(await author(nodes[0]!).post("/api/project", project)).toSucceed();
      expect(await author(nodes[0]!).post(`/api/moderation/project/busy-${n}`, { status: "approved" })).toSucceed();
      ids.push((await author(nodes[0]!).get(`/api/project/busy-${n}`)).body.project.id);
    }
    const writer = openWriter();
    const [answers, searches]: [number[], number[]] = [[], []];
    const begun = performance.now();
    for (let tenth = 0; tenth < busyTenths; tenth++) {
      const summary = `Turn${tenth}`;
      const part = Array.from({ length: Math.min(100, busyProjects) }, (_, n) => ids[(tenth * 100 + n) % ids.length]!);
      await writer.change(part, summary);
      if (tenth % 5 === 4) {
        const { anyone } = nodes[tenth % 3]!;
        const asked = `/api/project/${part[tenth % part.length]!}`;
        answers.push(await until(async () => (await anyone.get(asked)).body.project.summary === summary));
        const search = `/api/search?q=${summary}`;
        searches.push(await until(async () => (await anyone.get(search)).body.estimatedTotalHits === part.length));
      }
      await pause(Math.max(0, begun + (tenth + 1) * 100 - performance.now()));
    }
    const perSecond = (busyTenths * Math.min(100, busyProjects)) / ((performance.now() - begun) / 1000);
    process.stdout.write(`${perSecond.toFixed(0)} changes a second\n`);
    await writer.close();
    expectTimes("An answer of another node shows one of many changes after", answers, 250);
    expectTimes("The search of another node shows many changes after", searches, 1000);
    if (isLong) expect(perSecond).toBeGreaterThan(900);
  });

  test("lose nothing when one of them is killed", async () => {
    const acknowledged: string[] = [];
    const publishing = (async () => {
      for (let n = 0; n < 6; n++) {
        const reply = await publish(nodes[2]!, `2.${n}`).catch(() => undefined);
        if (reply?.status === 200) acknowledged.push(`2.${n}`);
      }
    })();
    await expect.poll(() => acknowledged.length).toBeGreaterThan(1);
    await nodes[2]!.kill();
    await publishing;
    for (const node of nodes.slice(0, 2)) {
      const isThere = async () => {
        const { data } = (await node.anyone.get(`/api/project/${slug}/version`)).body;
        return data.map(({ versionNumber }: { versionNumber: string }) => versionNumber);
      };
      await expect.poll(isThere).toEqual(expect.arrayContaining(acknowledged));
    }
    nodes[2] = await nodes[2]!.restart();
    expect(await publish(nodes[2]!, "2.9")).toSucceed();
  });

  test("answer 503 with Retry-After while PostgreSQL restarts, and then as before", async () => {
    await postgres.restart();
    const times: number[] = [];
    for (const node of nodes)
      times.push(
        await until(async () => {
          const reply = await author(node).patch(`/api/project/${slug}/description`, {
            description: "After the restart",
          });
          traffic.note("PATCH", reply);
          return reply.status === 200;
        }),
      );
    expectTimes("A node writes again after a restart of PostgreSQL after", times, 5000);
    for (const { anyone } of nodes)
      await expect
        .poll(async () => (await anyone.get(`/api/project/${slug}`)).body?.project?.description)
        .toBe("After the restart");
  });

  test("gave no reader a wrong answer", async () => {
    await traffic.stop();
    expect(traffic.wrong).toEqual([]);
    expect(traffic.seen.get("200")).toBeGreaterThan(50);
  });
});
