// Law: no single request of any client blocks the event loop for more than 50 ms of CPU time or uses more than 32 MiB.
// The real server is sent the most expensive requests for every route. `npm test` makes a sample of a round; `npm run
// test:adversary` makes rounds with other attacks on every route until its time is over.
import { expect, test } from "vitest";
import { routes } from "#app.js";
import type { EndpointSpec } from "#platform/http/endpoint.js";
import { useProcesses } from "#test/process/program.js";
import { type Case, CaseMaker } from "./cases.js";
import { type Cost, MeasuredServer } from "./measured-server.js";
import { makeWorld } from "./world.js";

useProcesses();

/** ADVERSARY_ROUTES=… attacks only the routes whose id matches. */
const only = new RegExp(process.env.ADVERSARY_ROUTES ?? "");
/** ADVERSARY_MINUTES=… makes rounds for that long; without it there is a sample of one round. */
const minutes = Number(process.env.ADVERSARY_MINUTES ?? 0);
const MiB = 1024 * 1024;
const most = { heldMs: 50, grownBytes: 32 * MiB };
/** A single expensive run may be accidental: code was compiled, or unrelated garbage was collected. */
const tries = 5;
/**
 * This many requests are sent together. Only if they are expensive together, fewer are sent, and finally each alone.
 */
const together = 8;
const mostFindings = minutes > 0 ? 50 : 10;
const tellEveryMs = 30_000;

/** Their effects cannot be undone, so they come last. */
const isDestructive = ({ method, id }: EndpointSpec): boolean =>
  method === "DELETE" || /delete|remove|leave|signOut|revoke|endSession|erase/i.test(id);

/** Server busy and disk full: refusals that do not depend on the request. */
const isFault = (status = 0): boolean => status >= 500 && status !== 503 && status !== 507;

const isTooDear = (cost: Cost | undefined): boolean =>
  !cost || cost.heldMs > most.heldMs || cost.grownBytes > most.grownBytes || cost.statuses.some(isFault);

const describeCost = (cost: Cost | undefined): string =>
  cost
    ? `answered ${cost.statuses[0] ?? "nothing"}, held the loop for ${cost.heldMs.toFixed(0)} ms and ${(cost.grownBytes / MiB).toFixed(1)} MiB`
    : "did not answer and had to be killed";

/** The cheapest of several attempts, each with other content; stops at the first one that is cheap enough. */
async function tryAlone(server: MeasuredServer, { make }: Case, salt: number): Promise<Cost | undefined> {
  let best: Cost | undefined;
  for (let at = 0; at < tries; at++) {
    await server.settle();
    const cost = await server.send([make(salt + at)]);
    if (!isTooDear(cost)) return cost;
    // Two kills are enough.
    if (!cost && !best && at > 0) return undefined;
    if (cost && (!best || cost.heldMs < best.heldMs)) best = cost;
  }
  return best;
}

const groupsOf = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));

/** `npm test` makes every fourth attack of a round, but all of the largest requests and plain reads. */
function sampleOfRound(cases: readonly Case[]): readonly Case[] {
  let met = 0;
  return minutes > 0
    ? cases
    : cases.filter(({ attack }) => /^(?:a read|fields:|file:)/.test(attack) || met++ % 4 === 0);
}

/** Files are grouped, because garbage is collected before each group of them; destructive requests come last. */
const orderOf = ({ attack, endpoint }: Case): number =>
  isDestructive(endpoint) ? 2 : attack.startsWith("file:") ? 1 : 0;

class Attack {
  readonly found = new Map<string, string>();
  readonly statuses: (number | undefined)[] = [];
  suspects = 0;
  sent = 0;
  readonly #server: MeasuredServer;
  #salt = 1000;

  constructor(server: MeasuredServer) {
    this.#server = server;
  }

  async make(group: readonly Case[]): Promise<void> {
    // Others are compared with the memory after the last collection.
    if (group.some(({ attack }) => attack.startsWith("file:"))) await this.#server.settle();
    this.sent += group.length;
    const cost = await this.#send(group);
    this.statuses.push(...(cost?.statuses ?? []));
    if (isTooDear(cost)) await this.#divide(group);
  }

  #send = (group: readonly Case[]) => this.#server.send(group.map(({ make }) => make(this.#salt++)));

  /** Finds the request that was too expensive. Its memory is measured again, because that may have been the reason. */
  async #divide(group: readonly Case[]): Promise<void> {
    const unknown = group.filter(({ attack }) => !this.found.has(attack));
    if (unknown.length < 2) return this.#judge(unknown[0]);
    for (const half of groupsOf(unknown, Math.ceil(unknown.length / 2))) {
      if (half.length > 1) await this.#server.settle();
      if (half.length < 2 || isTooDear(await this.#send(half))) await this.#divide(half);
    }
  }

  async #judge(one: Case | undefined): Promise<void> {
    if (!one) return;
    this.suspects++;
    this.#salt += 10;
    const alone = await tryAlone(this.#server, one, this.#salt);
    if (!isTooDear(alone)) return;
    const { method, path, id } = one.endpoint;
    const told = `${one.attack}: ${method} ${path} (${id}) as ${one.who} ${describeCost(alone)}`;
    this.found.set(one.attack, told);
    process.stdout.write(`adversary: ${told}\n`);
  }
}

const timeoutMs = (minutes + 30) * 60_000;

test("no request blocks the event loop for 50 ms or uses 32 MiB", { timeout: timeoutMs }, async () => {
  const world = await makeWorld();
  const server = new MeasuredServer(world.folder, most.grownBytes);
  const attack = new Attack(server);
  const endpoints = routes.map(({ endpoint }) => endpoint).filter(({ id }) => only.test(id));
  const begun = performance.now();
  const isOver = () => performance.now() - begun > minutes * 60_000 || attack.found.size >= mostFindings;
  let toldAt = begun;
  let round = 0;

  do {
    const maker = new CaseMaker(world, round++);
    const cases = sampleOfRound(endpoints.flatMap((endpoint) => maker.of(endpoint))).toSorted(
      (a, b) => orderOf(a) - orderOf(b),
    );
    for (const [at, group] of groupsOf(cases, together).entries()) {
      // The first round is always completed.
      if (attack.found.size >= mostFindings || (round > 1 && isOver())) break;
      await attack.make(group);
      if (minutes === 0 || performance.now() - toldAt < tellEveryMs) continue;
      toldAt = performance.now();
      const spent = ((toldAt - begun) / 60_000).toFixed(1);
      process.stdout.write(
        `adversary: round ${round}, ${at * together} of ${cases.length} requests, ${spent} of ${minutes} minutes\n`,
      );
    }
    // The next round starts with all content that this one has deleted.
    await server.kill();
  } while (!isOver());

  const { found, statuses, sent, suspects } = attack;
  const counted = [...Map.groupBy(statuses, (status) => status ?? 0)].sort(([a], [b]) => a - b);
  const told = counted.map(([status, all]) => `${all.length} × ${status || "cut off"}`).join(", ");
  process.stdout.write(`adversary: ${sent} requests in ${round} rounds, ${told}; ${suspects} were tried alone\n`);
  expect([...found.values()]).toEqual([]);
  // Attacks that are refused early show nothing. A run of a few routes may be refused everywhere.
  if (endpoints.length === routes.length)
    expect(statuses.filter((status) => status && status < 400).length).toBeGreaterThan(sent / 10);
});
