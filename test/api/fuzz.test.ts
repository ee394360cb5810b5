// Law: no request makes the server fail. Thousands of requests over every route of the OpenAPI document, valid and
// broken, with every kind of credential; different ones on each engine. FUZZ_REQUESTS=100000 sends more, FUZZ_SEED=…
// sends others, FUZZ_SEED=random sends new ones.
import { Agent, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { routes } from "#app.js";
import { errorStatuses } from "#platform/errors.js";
import { createLog } from "#platform/http/log-lines.js";
import { toOpenApi } from "#platform/http/openapi.js";
import { siteUrl, testApp } from "#test/server/harness.js";
import { makeCast, plant, planted } from "./fuzz-cast.js";
import { type FuzzRequest, fuzzRequests, RequestMaker, readSeed, toTargets } from "./fuzz-requests.js";

const count = fuzzRequests;
const seed = readSeed(process.env.FUZZ_SEED);
const inFlight = 20;
/** Requests delete accounts, end sessions and change tokens: after this many requests there are new ones. */
const castLife = 250;
const hangMs = 120_000;

const lines: string[] = [];
const log = createLog("error", { write: (line) => void lines.push(line) });
const app = await testApp({
  log,
  settings: { MODSHELF_OAUTH_GITHUB_CLIENT_ID: "fuzz", MODSHELF_OAUTH_GITHUB_CLIENT_SECRET: "fuzz" },
});
const agent = new Agent({ keepAlive: true, maxSockets: inFlight });

const endpoints = routes.map(({ endpoint }) => ({ ...endpoint, internal: undefined }));
const document = toOpenApi(endpoints as never, { version: "0", url: siteUrl });

interface Answer {
  status: number;
  type: string;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

function send({ method, path, headers, body }: FuzzRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app.origin);
    const length = body && { "content-length": String(body.length) };
    const options = { agent, hostname, port, method, path, headers: { ...length, ...headers }, timeout: hangMs };
    const call = request(options, (response) => {
      const { statusCode: status = 0, headers } = response;
      buffer(response).then(
        (bytes) => resolve({ status, headers, type: headers["content-type"] ?? "", body: bytes }),
        reject,
      );
    });
    call.on("timeout", () => call.destroy(new Error(`no answer within ${hangMs} ms`)));
    call.on("error", reject);
    call.end(body);
  });
}

/** Requests for a page, or for one outside the interface, may be refused in HTML. */
const isForPeople = ({ target, path, headers }: FuzzRequest): boolean =>
  target.isPage || (!/^\/(?:api|cdn|maven)\b/.test(path) && `${headers.accept}`.includes("text/html"));

/** The fault in the answer, if any. */
function fault(made: FuzzRequest, { status, type, headers, body }: Answer): string | undefined {
  if (status >= 500) return `answered ${status} ${body}`;
  if (!headers["x-request-id"] && status !== 400 && status !== 431) return `answered ${status} without a request id`;
  if (Object.keys(headers).some((name) => name.startsWith("x-injected"))) return "let a header in";
  if (status < 400 || made.method === "HEAD") return undefined;
  if (type.startsWith("text/html") && isForPeople(made)) return undefined;
  if (!type.startsWith("application/json")) return `answered ${status} as ${type}: ${body.subarray(0, 200)}`;
  const told = JSON.parse(body.toString());
  const shape = told.success === false && typeof told.message === "string" && typeof told.requestId === "string";
  if (!shape || errorStatuses[told.code as keyof typeof errorStatuses] !== status)
    return `refused in another shape: ${status} ${body.subarray(0, 200)}`;
  return undefined;
}

/** The parser refuses before it knows the method, so its refusal has a body even for HEAD, which the client rejects. */
const isBodyForHead = ({ method }: FuzzRequest, error: Error): boolean =>
  method === "HEAD" && error.message.includes("Data after `Connection: close`");

const describeRequest = ({ target, method, path, headers, body }: FuzzRequest): string =>
  `${target.id}: ${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${JSON.stringify(body?.toString().slice(0, 300))}`;

test(`${count} requests over every route get no answer of 500 or above`, { timeout: 60_000 + count * 60 }, async () => {
  process.stdout.write(`fuzz: FUZZ_SEED=${seed} FUZZ_REQUESTS=${count}\n`);
  const bystander = await plant(app);
  const before = await planted(app, bystander);
  const targets = toTargets(document);
  const maker = new RequestMaker(seed, targets);
  const faults: string[] = [];
  const statuses = new Map<string, Map<number, number>>();
  let cast = makeCast(app);
  let next = 0;

  const work = async () => {
    while (next < count && faults.length < 10) {
      const at = next++;
      if (at % castLife === 0) cast = makeCast(app);
      const made = maker.make(at, await cast);
      const found = await send(made).then(
        (answer) => {
          const seen = statuses.get(made.target.id) ?? statuses.set(made.target.id, new Map()).get(made.target.id)!;
          seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
          return fault(made, answer);
        },
        (error) => (isBodyForHead(made, error) ? undefined : `broke off: ${error.message}`),
      );
      if (found) faults.push(`#${at} ${describeRequest(made)} → ${found}`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  agent.destroy();

  expect(faults, `FUZZ_SEED=${seed}\n${lines.slice(0, 10).join("")}`).toEqual([]);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(await planted(app, bystander)).toEqual(before);

  // A fuzz test with only early refusals shows nothing: most routes must have succeeded sometimes.
  const isGood = ([status]: [number, number]) => status < 400;
  const idle = targets.map(({ id }) => id).filter((id) => ![...(statuses.get(id) ?? [])].some(isGood));
  const good = [...statuses.values()]
    .flatMap((seen) => [...seen].filter(isGood))
    .reduce((sum, [, times]) => sum + times, 0);
  process.stdout.write(`fuzz: ${good} answers below 400; none from ${idle.join(", ")}\n`);
  expect(good).toBeGreaterThan(count * 0.2);
  if (count >= 5000) expect(idle.length).toBeLessThan(targets.length / 2);
});
