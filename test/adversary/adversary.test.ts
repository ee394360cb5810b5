// Law: no single request of any client holds the event loop for more than 50 ms of processor time or takes more than
// 32 MiB. The real server is sent the dearest requests that can be made for every route. `npm test` makes some of them,
// `npm run test:adversary` all.
import { expect, test } from "vitest";
import { routes } from "../../server/src/app.js";
import type { EndpointSpec } from "../../server/src/http/endpoint.js";
import { useProcesses } from "../process/program.js";
import { type Case, CaseMaker } from "./cases.js";
import { type Cost, MeasuredServer } from "./measured-server.js";
import { makeWorld } from "./world.js";

useProcesses();

/** ADVERSARY_ROUTES=… asks only the routes whose id fits. */
const only = new RegExp(process.env.ADVERSARY_ROUTES ?? "");
const isFull = process.env.ADVERSARY === "full";
const MiB = 1024 * 1024;
const most = { heldMs: 50, grownBytes: 32 * MiB };
/** What is dear once may have been unlucky: code was compiled, or somebody else's garbage collected. */
const tries = 5;
/** So many are sent at once; only where they are dear together, each is tried alone. */
const together = 8;
const mostFindings = isFull ? 50 : 10;

/** What they do cannot be undone: they come last. */
const isDestructive = ({ method, id }: EndpointSpec): boolean =>
  method === "DELETE" || /delete|remove|leave|signOut|revoke|endSession|erase/i.test(id);

/** Busy, and a full disk: refusals that have nothing to do with the request. */
const isFault = (status = 0): boolean => status >= 500 && status !== 503 && status !== 507;

const isTooDear = (cost: Cost | undefined): boolean =>
  !cost || cost.heldMs > most.heldMs || cost.grownBytes > most.grownBytes || cost.statuses.some(isFault);

const describeCost = (cost: Cost | undefined): string =>
  cost
    ? `answered ${cost.statuses[0] ?? "nothing"}, held the loop for ${cost.heldMs.toFixed(0)} ms and ${(cost.grownBytes / MiB).toFixed(1)} MiB`
    : "did not answer and had to be killed";

/** The cheapest of several tries, each with other content; the first that is cheap enough is believed. */
async function tryAlone(server: MeasuredServer, { make }: Case, salt: number): Promise<Cost | undefined> {
  let best: Cost | undefined;
  for (let at = 0; at < tries; at++) {
    await server.settle();
    const cost = await server.send([make(salt + at)]);
    if (!isTooDear(cost)) return cost;
    // Killed twice is enough.
    if (!cost && !best && at > 0) return undefined;
    if (cost && (!best || cost.heldMs < best.heldMs)) best = cost;
  }
  return best;
}

const groupsOf = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));

test("no request holds the event loop for 50 ms or takes 32 MiB", { timeout: 7_200_000 }, async () => {
  const world = await makeWorld();
  const server = new MeasuredServer(world.folder, most.grownBytes);
  const maker = new CaseMaker(world, isFull);
  const endpoints = routes.map(({ endpoint }) => endpoint).filter(({ id }) => only.test(id));
  const ordered = [...endpoints.filter((each) => !isDestructive(each)), ...endpoints.filter(isDestructive)];
  const cases = ordered.flatMap((endpoint) => maker.of(endpoint));
  const found = new Map<string, string>();
  const statuses: (number | undefined)[] = [];
  let salt = 1000;
  let suspects = 0;
  let turn = 0;

  for (const group of groupsOf(cases, together)) {
    if (found.size >= mostFindings) break;
    const unknown = group.filter(({ attack }) => !found.has(attack));
    const send = () => server.send(unknown.map(({ make }) => make(salt++)));
    if (isFull || turn++ % 8 === 0 || unknown.some(({ attack }) => attack.startsWith("file:"))) await server.settle();
    const cost = await send();
    statuses.push(...(cost?.statuses ?? []));
    if (!isTooDear(cost) || !isTooDear(cost && (await send()))) continue;
    for (const each of unknown) {
      if (found.has(each.attack)) continue;
      suspects++;
      salt += 10;
      const alone = await tryAlone(server, each, salt);
      if (!isTooDear(alone)) continue;
      const { method, path, id } = each.endpoint;
      found.set(each.attack, `${each.attack}: ${method} ${path} (${id}) as ${each.who} ${describeCost(alone)}`);
      process.stdout.write(`adversary: ${found.get(each.attack)}\n`);
    }
  }
  await server.kill();

  const counted = [...Map.groupBy(statuses, (status) => status ?? 0)].sort(([a], [b]) => a - b);
  const told = counted.map(([status, all]) => `${all.length} × ${status || "cut off"}`).join(", ");
  process.stdout.write(`adversary: ${cases.length} requests, ${told}; ${suspects} were tried again alone\n`);
  expect([...found.values()]).toEqual([]);
  // Attacks that are turned away at the door show nothing.
  expect(statuses.filter((status) => status && status < 400).length).toBeGreaterThan(cases.length / 10);
});
