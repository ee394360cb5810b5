// Law: every request is answered or cut off, for every kind of body: empty, interrupted, one byte at a time, and larger
// than every limit. For every route, in every content type. `npm test` sends two kinds of body to each route,
// `npm run test:long` all of them.
import { connect } from "node:net";
import { expect, test } from "vitest";
import { routes } from "#app.js";
import type { EndpointSpec } from "#platform/http/endpoint.js";
import { makeCast } from "#test/api/fuzz-cast.js";
import { testApp } from "#test/server/harness.js";
import { sampleOf } from "#test/setup/long.js";

/**
 * For bodies, the service itself waits a hundred times as long. A request that is still being processed gets more time,
 * since the first page with a text waits until the thread that renders it has started, which takes seconds on a busy
 * machine.
 */
const patience = { wholeMs: 300, spanMs: 300, stillMs: 12_000 };
/** A request that has not ended by then never ends. */
const hangMs = 25_000;
const inFlight = 40;
const slowMs = 50;

const app = await testApp({ patience });
const { hints, sessions } = await makeCast(app);

const boundary = "----watchdog";
const types = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  multipart: `multipart/form-data; boundary=${boundary}`,
  text: "text/plain",
  bytes: "application/octet-stream",
};
const starts: Record<keyof typeof types, string> = {
  json: '{"a":"',
  form: "a=",
  multipart: `--${boundary}\r\ncontent-disposition: form-data; name="a"; filename="a.jar"\r\n\r\n`,
  text: '{"a":"',
  bytes: "a",
};

const bodies = ["empty", "short", "slow", "oversized"] as const;
type Kind = (typeof bodies)[number];

const lengths: Record<Kind, number> = { empty: 0, short: 1000, slow: 100_000, oversized: 2 ** 40 };

interface Attempt {
  endpoint: EndpointSpec;
  kind: Kind;
  type: keyof typeof types;
  isMember: boolean;
}

function headOf({ endpoint, kind, type, isMember }: Attempt): string {
  const noun = /^\/(?:api\/)?(\w+)/.exec(endpoint.path)?.[1];
  const path = endpoint.path
    .replace(/\*$/, ":path")
    .replace(/:(\w+)/g, (_, name) => encodeURIComponent((hints[`${noun} ${name}`] ?? hints[name])?.[0] ?? "sample"));
  const credential = isMember ? Object.entries(sessions[0]!).map(([name, value]) => `${name}: ${value}\r\n`) : [];
  return `${endpoint.method} ${path} HTTP/1.1\r\nhost: modshelf.test\r\n${credential.join("")}content-type: ${types[type]}\r\ncontent-length: ${lengths[kind]}\r\n\r\n`;
}

/** Undefined if the request was answered or cut off; otherwise the problem. */
function attempt(made: Attempt): Promise<string | undefined> {
  const { kind, type, endpoint, isMember } = made;
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(app.origin).port), "127.0.0.1");
    const timers: NodeJS.Timeout[] = [];
    const end = (fault?: string) => {
      for (const timer of timers) clearTimeout(timer);
      socket.destroy();
      resolve(fault && `${endpoint.id} (${type}, ${kind}, ${isMember ? "member" : "guest"}): ${fault}`);
    };
    timers.push(setTimeout(() => end("neither answered nor cut off"), hangMs));
    socket.on("data", (bytes: Buffer) => {
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(bytes.toString("latin1"))?.[1]);
      // The watchdog sends 503 if nothing else has answered: some code waits for an event that never comes.
      end(status === 503 || status === 500 ? `answered ${bytes.toString("latin1").slice(0, 500)}` : undefined);
    });
    socket.on("error", () => end());
    socket.on("close", () => end());
    socket.write(headOf(made) + (kind === "empty" ? "" : starts[type]));
    const piece = Buffer.alloc(64 * 1024, "a");
    const more = () => {
      while (socket.writable && socket.write(piece));
      socket.once("drain", more);
    };
    if (kind === "slow") timers.push(setInterval(() => socket.write("a"), slowMs));
    if (kind === "oversized") more();
  });
}

test("every request is answered or cut off, for every kind of body", { timeout: 600_000 }, async () => {
  const all = routes.flatMap(({ endpoint }, at) =>
    sampleOf([...bodies.entries()], { step: 2, turn: at }).map(([turn, kind]): Attempt => {
      const names = Object.keys(types) as (keyof typeof types)[];
      const isMember = (at + turn) % 2 === 0 || endpoint.access.kind === "needs" || endpoint.access.kind === "session";
      return { endpoint, kind, type: names[(at + turn) % names.length]!, isMember };
    }),
  );
  // Launchers send these, and they take the hot path.
  const hot = routes.map(({ endpoint }) => endpoint).filter(({ path }) => path.startsWith("/api/version-files"));
  expect(hot.length).toBeGreaterThan(1);
  const onHotPath = hot.flatMap((endpoint) =>
    bodies.map((kind): Attempt => ({ endpoint, kind, type: "json", isMember: false })),
  );
  const waiting = [...onHotPath, ...all];
  const faults: string[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next && faults.length < 10; next = waiting.shift()) {
      const fault = await attempt(next);
      if (fault) faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  expect(faults).toEqual([]);
  expect(await app.as.anyone.get("/healthz")).toSucceed();
});
