// The public change log as a stream, across two servers on one database.
import { describe, expect, test } from "vitest";
import { catchUp } from "#platform/changes/consumer.js";
import { type EventStream, openEventStream } from "#test/callers/event-stream.js";
import { siteUrl, type TestApp, testApp, uniqueName } from "#test/server/harness.js";
import { makeProject, setProject } from "#test/worlds/content.js";
import { publicChangesConsumer } from "./consumer.js";
import type { PublicChange } from "./contract.js";
import { eventsAfter } from "./streams.js";
import { tailOf } from "./tail.js";

const here = await testApp();
const there = await testApp({ sharedWith: here });
const owner = await here.make.user();
await makeProject(here, owner);
await catchUp(here.resources, publicChangesConsumer);

const changesOf = (stream: EventStream) => stream.events.map(({ data }) => data as PublicChange);
const idsOf = (stream: EventStream) => changesOf(stream).map(({ id }) => id);
const open = (app: TestApp, query = "", headers: Record<string, string> = {}) =>
  openEventStream(`${app.origin}/api/changes/stream${query}`, headers);
const lastNumber = () => tailOf(here.resources).last();

describe("streamChanges", () => {
  test("sends a client of one server every public change made on both, once and in order", async () => {
    const start = await lastNumber();
    const stream = await open(there);
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
    expect(stream.headers.get("cache-control")).toBe("no-store");
    // Starts once the first event has arrived, so that the changes of both servers mix.
    await expect.poll(() => stream.text).toContain("id: ");
    const projects = await Promise.all(
      Array.from({ length: 24 }, (_, n) => makeProject([here, there][n % 2]!, owner, { slug: uniqueName("streamed") })),
    );
    for (const [n, { id }] of projects.entries())
      await setProject([here, there][n % 2]!, id, { summary: `Other words ${n}` });
    const [first] = projects;
    await expect.poll(() => new Set(idsOf(stream)).size).toBe(24);
    // Changes of one project that follow each other quickly can be one event, so each of them is waited for.
    await catchUp(here.resources, publicChangesConsumer);
    const eventsOfFirst = () => idsOf(stream).filter((id) => id === first!.id).length;
    await expect.poll(() => stream.events.at(-1)?.id).toBe(String(await lastNumber()));
    for (const summary of ["first", "second", "third"]) {
      const before = eventsOfFirst();
      await setProject(here, first!.id, { summary });
      await expect.poll(eventsOfFirst).toBeGreaterThan(before);
    }
    await setProject(there, first!.id, { visibility: "private" });
    await expect.poll(() => changesOf(stream).at(-1)).toMatchObject({ id: first!.id, act: "deleted" });
    stream.close();

    const listed = (await here.as.anyone.get(`/api/changes?since=${start}&limit=1000`)).body.changes;
    expect(changesOf(stream)).toEqual(listed);
    const numbers = listed.map(({ seq }: PublicChange) => seq);
    expect(numbers).toEqual([...new Set<number>(numbers)].toSorted((a, b) => a - b));
    for (const { id } of projects)
      expect(listed.filter((change: PublicChange) => change.id === id && change.act === "created")).toHaveLength(1);
    const ofFirst = listed.filter(({ id }: PublicChange) => id === first!.id).map(({ act }: PublicChange) => act);
    expect(ofFirst.slice(-4)).toEqual(["updated", "updated", "updated", "deleted"]);
    expect(stream.events.map(({ id, event }) => [id, event])).toEqual(
      numbers.map((seq: number) => [String(seq), "change"]),
    );
  });

  test("continues after Last-Event-ID, on any server, and ignores since then", async () => {
    const start = await lastNumber();
    const made = [await makeProject(here, owner), await makeProject(here, owner)];
    const first = await open(here, `?since=${start}`);
    await expect.poll(() => idsOf(first)).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
    first.close();
    const lastEventId = String(changesOf(first)[0]!.seq);
    const second = await open(there, "?since=0", { "last-event-id": lastEventId });
    await expect.poll(() => second.events.length).toBe(first.events.length - 1);
    expect(changesOf(second)).toEqual(changesOf(first).slice(1));
    expect(second.text.startsWith(`retry: 3000\nid: ${lastEventId}\n\n`)).toBe(true);
    second.close();
  });

  test("gives clients that do not request a stream the pending changes, and ends", async () => {
    const reply = await here.as.anyone.get("/api/changes/stream?since=0");
    expect(reply).toSucceed();
    const listed = (await here.as.anyone.get("/api/changes?since=0&limit=1000")).body.changes;
    expect(reply.text.match(/^event: change$/gm)).toHaveLength(listed.length);
    const now = await here.as.anyone.get("/api/changes/stream");
    expect(now.text).toBe(`retry: 3000\nid: ${await lastNumber()}\n\n`);
    const head = await here.as.anyone.head("/api/changes/stream", { headers: { accept: "text/event-stream" } });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  });

  test("allows requests from pages of other origins", async () => {
    const stream = await open(here, "", { origin: "https://elsewhere.example" });
    expect(stream.headers.get("access-control-allow-origin")).toBe("*");
    expect(siteUrl).not.toContain("elsewhere");
    stream.close();
  });

  test.each(["x", "-1", "1.5", "1e9", "99999999999999999999"])("refuses %s as Last-Event-ID", async (id) => {
    const reply = await here.as.anyone.get("/api/changes/stream", { headers: { "last-event-id": id } });
    expect(reply).toFail(400, "invalidRequest");
  });

  test("refuses a client that comes from another database before it starts", async () => {
    const stream = await open(here, "?since=9007199254740991");
    expect([stream.status, stream.headers.get("content-type")]).toEqual([410, "application/json; charset=utf-8"]);
    stream.close();
  });

  test("can be opened eight times by one address, until one of them is closed", async () => {
    const streams = await Promise.all(Array.from({ length: 8 }, () => open(here)));
    const ninth = await open(here);
    expect([ninth.status, ninth.headers.get("retry-after")]).toEqual([429, "60"]);
    // Each node has its own limit, and answers that are not kept open do not count.
    expect((await here.as.anyone.get("/api/changes/stream")).status).toBe(200);
    streams[0]!.close();
    await expect
      .poll(async () => {
        const next = await open(here);
        next.close();
        return next.status;
      })
      .toBe(200);
    for (const stream of streams) stream.close();
  });

  test("sends a heartbeat while nothing changes, and ends on request", async () => {
    const ending = new AbortController();
    const position = await lastNumber();
    const events = eventsAfter(tailOf(here.resources), position, { signal: ending.signal, quietMs: 5 });
    expect((await events.next()).value).toContain(`id: ${position}`);
    expect((await events.next()).value).toBe(":\n\n");
    expect((await events.next()).value).toBe(":\n\n");
    ending.abort();
    expect((await events.next()).done).toBe(true);
  });

  test("on a server that stops ends immediately and cleanly", async () => {
    const stopping = await testApp({ sharedWith: here, settings: { MODSHELF_SHUTDOWN_SECONDS: "3600" } });
    const streams = await Promise.all([open(stopping), open(stopping), open(stopping, "?since=0")]);
    await expect.poll(() => streams[2]!.events.length).toBeGreaterThan(0);
    await stopping.stop();
    // An aborted stream would reject.
    await Promise.all(streams.map(({ ended }) => ended));
  });
});
