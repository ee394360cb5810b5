// Law: no request of a moderator makes the server fail either. The same requests as in fuzz.test.ts, over the routes
// for moderators alone and with valid credentials; no account here needs protection.
import { Agent, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { routes } from "#app.js";
import { assignableScopes } from "#lib/scopes.js";
import { createLog } from "#platform/http/log-lines.js";
import { toOpenApi } from "#platform/http/openapi.js";
import { siteUrl, testApp } from "#test/server/harness.js";
import { makeCast } from "./fuzz-cast.js";
import { type Cast, type FuzzRequest, fuzzRequests, RequestMaker, readSeed, toTargets } from "./fuzz-requests.js";

const count = Math.ceil(fuzzRequests / 4);
const seed = readSeed(process.env.FUZZ_SEED);
const inFlight = 10;
const castLife = 100;

const lines: string[] = [];
const app = await testApp({ log: createLog("error", { write: (line) => void lines.push(line) }) });
const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
const tags = ["Moderation", "Reports and threads"];
const endpoints = routes.map(({ endpoint }) => endpoint).filter(({ tag }) => tags.includes(tag));
const targets = toTargets(toOpenApi(endpoints as never, { version: "0", url: siteUrl }));

/** Moderators and administrators, and the names of objects that they can act on. */
async function makeDesk(): Promise<Cast> {
  const { make, as, resources } = app;
  const cast = await makeCast(app);
  const [moderator, admin] = [await make.user({ role: "moderator" }), await make.user({ role: "admin" })];
  const { value } = await make.token(moderator, { scopes: [...assignableScopes, "staff"] });
  const desk = as.user(admin);
  const { hints } = cast;
  const { caseId } = (await desk.get(`/api/report/${hints.reportId?.[0]}`)).body;
  const quarantine = { versionId: hints.versionId?.[0], reason: "Does harm" };
  const made = await desk.post("/api/moderation/quarantine", quarantine);
  await resources.db.updateTable("projects").set({ status: "processing" }).execute();
  const cookie = (token: string) => ({ cookie: `auth-token=${token}`, origin: siteUrl });
  return {
    ...cast,
    sessions: [cookie(moderator.sessionToken), cookie(admin.sessionToken)],
    tokens: [{ authorization: `Bearer ${value}` }],
    hints: {
      ...hints,
      "moderation ref": [...hints["project ref"]!.slice(0, 2), ...hints.userId!],
      caseId: [caseId],
      quarantineId: [made.body?.quarantine?.id ?? "AAAAAAAA"],
      sha512: hints.hash!.filter((hash) => hash.length === 128),
      reason: ["A reason", "malicious", "other"],
      action: ["project.status.set", "claim"],
      since: ["2020-01-01"],
      type: ["mod"],
    },
  };
}

interface Answer {
  status: number;
  body: string;
}

const send = ({ method, path, headers, body }: FuzzRequest): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app.origin);
    const length = body && { "content-length": String(body.length) };
    const call = request({ agent, hostname, port, method, path, headers: { ...length, ...headers } }, (response) => {
      buffer(response).then((bytes) => resolve({ status: response.statusCode ?? 0, body: bytes.toString() }), reject);
    });
    // The parser refuses before it knows the method, so its refusal has a body even for HEAD, which the client rejects.
    call.on("error", (error) => (method === "HEAD" ? resolve({ status: 400, body: "" }) : reject(error)));
    call.end(body);
  });

test(`${count} requests of moderators get no answer of 500 or above`, { timeout: 60_000 + count * 60 }, async () => {
  const maker = new RequestMaker(seed, targets);
  const faults: string[] = [];
  const good = new Set<string>();
  let desk = makeDesk();
  let next = 0;
  const work = async () => {
    while (next < count && faults.length < 10) {
      const at = next++;
      if (at % castLife === castLife - 1) desk = makeDesk();
      const made = maker.make(at, await desk);
      const { status, body } = await send(made);
      if (status < 400) good.add(made.target.id);
      if (status >= 500) faults.push(`#${at} ${made.method} ${made.path} ${made.body} → ${status} ${body}`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  agent.destroy();
  expect(faults, `FUZZ_SEED=${seed}\n${lines.slice(0, 10).join("")}`).toEqual([]);
  // Most routes succeeded at least once.
  const idle = targets.map(({ id }) => id).filter((id) => !good.has(id));
  process.stdout.write(`fuzz of moderators: none from ${idle.join(", ")}\n`);
  if (count >= 1250) expect(idle.length).toBeLessThan(targets.length / 3);
});
