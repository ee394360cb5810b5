// Law: bytes that are not a valid request get a valid refusal or none, never a fault, and never more answers than they
// contain requests. The same seeds as in fuzz.test.ts.
import { connect } from "node:net";
import { expect, test } from "vitest";
import { routes } from "#app.js";
import { createLog } from "#platform/http/log-lines.js";
import { toOpenApi } from "#platform/http/openapi.js";
import { parseRaw, sendRaw } from "#test/callers/raw-http.js";
import { siteUrl, testApp } from "#test/server/harness.js";
import { brokenBytes } from "./broken-bytes.js";
import { makeCast, plant, planted } from "./fuzz-cast.js";
import { chooser, fuzzRequests, RequestMaker, readSeed, toTargets } from "./fuzz-requests.js";

const count = Math.ceil(fuzzRequests / 8);
const seed = readSeed(process.env.FUZZ_SEED);
const inFlight = 20;
const hangMs = 25_000;

const lines: string[] = [];
const app = await testApp({ log: createLog("error", { write: (line) => void lines.push(line) }) });

/** Sends the bytes, ends the connection's output, and returns everything that is received. */
function exchange(bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(app.origin);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const finish = () => resolve(Buffer.concat(chunks).toString("latin1"));
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    socket.setTimeout(hangMs, () => {
      socket.destroy();
      reject(new Error(`still open after ${hangMs} ms`));
    });
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("close", finish);
    // The server may close before it has read everything; the answers until then count.
    socket.on("error", finish);
  });
}

/** Splits the received bytes into answers and returns the fault, if any. */
function fault(text: string, isHead: boolean): string | undefined {
  for (let rest = text; rest !== ""; ) {
    const interim = /^HTTP\/1\.1 100 Continue\r\n\r\n/.exec(rest)?.[0];
    if (interim) {
      rest = rest.slice(interim.length);
      continue;
    }
    if (!/^HTTP\/1\.1 \d{3} [\w ]*\r\n/.test(rest)) return `answered something else: ${rest.slice(0, 200)}`;
    const { status, headers, body } = parseRaw(rest);
    if (status >= 500) return `answered ${status} ${body}`;
    if (headers["x-injected"] !== undefined) return "let a header in";
    // Without a length the answer extends to the end; one to HEAD has a length and no body.
    if (headers["content-length"] === undefined || isHead) return undefined;
    if (body.length !== Number(headers["content-length"])) return `broke an answer off: ${rest.slice(0, 200)}`;
    if (status >= 400 && headers["content-type"]?.startsWith("application/json") && JSON.parse(body).success !== false)
      return `refused in another shape: ${body}`;
    rest = rest.slice(rest.indexOf("\r\n\r\n") + 4 + body.length);
  }
  return undefined;
}

test(`${count} broken requests, byte by byte, get no answer of 500 or above`, {
  timeout: 60_000 + count * 500,
}, async () => {
  process.stdout.write(`raw fuzz: FUZZ_SEED=${seed} FUZZ_REQUESTS=${count * 8}\n`);
  const bystander = await plant(app);
  const before = await planted(app, bystander);
  const endpoints = routes.map(({ endpoint }) => endpoint);
  const maker = new RequestMaker(seed, toTargets(toOpenApi(endpoints, { version: "0", url: siteUrl })));
  const faults: string[] = [];
  let cast = makeCast(app);
  let next = 0;
  let answered = 0;

  const work = async () => {
    while (next < count && faults.length < 10) {
      const at = next++;
      if (at % 250 === 0) cast = makeCast(app);
      const made = maker.make(at, await cast);
      const bytes = brokenBytes(made, chooser(seed ^ at));
      const found = await exchange(bytes).then(
        (text) => {
          if (text !== "") answered++;
          return fault(text, made.method === "HEAD");
        },
        (error) => error.message,
      );
      if (found) faults.push(`#${at} ${JSON.stringify(bytes.subarray(0, 600).toString("latin1"))} → ${found}`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));

  expect(faults, `FUZZ_SEED=${seed}\n${lines.slice(0, 10).join("")}`).toEqual([]);
  // A client that disconnects is not a fault of the server, and must not be logged.
  expect(lines).toEqual([]);
  expect(answered).toBeGreaterThan(count / 2);
  expect(await planted(app, bystander)).toEqual(before);
  expect(await app.as.anyone.get("/healthz")).toSucceed();
});

test("a request with Expect: 100-continue gets no interim answer inside a real one", async () => {
  const body = '{"hashes":[]}';
  const first = "GET /api/tags/licenses HTTP/1.1\r\nhost: modshelf.test\r\n\r\n";
  const second = `POST /api/auth/signup HTTP/1.1\r\nhost: modshelf.test\r\nexpect: 100-continue\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const text = await sendRaw(app.origin, first + second);
  expect(fault(text, false)).toBeUndefined();
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses.filter((status) => status !== "100")).toEqual(["200", "400"]);
});
