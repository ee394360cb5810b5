// `npm run bench -- --life`: living traffic on a registry of any size, beside the ceiling. Quiet traffic, each kind of
// question by itself, then living traffic with downloads and uploads. The distributions are in parameters.mjs.
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openEngine } from "./engines.mjs";
import { Load } from "./load.mjs";
import { traffic } from "./parameters.mjs";
import { copyData, findOrMakeData, readPrepared, runFolder } from "./registry/data-set.mjs";
import { report } from "./report.mjs";
import { describeRow, reportLong } from "./report-long.mjs";
import { giveToken, prepareOnce, startCeiling, startProduct } from "./servers.mjs";
import { livingKinds, quietKinds } from "./traffic.mjs";

const { values: given } = parseArgs({
  options: {
    life: { type: "boolean" },
    projects: { type: "string", default: "5000" },
    engine: { type: "string", default: "sqlite" },
    seed: { type: "string", default: "1" },
    encoding: { type: "string", default: "mixed" },
    // Folder of generated data, which is used again when the parameters are the same.
    data: { type: "string", default: join(tmpdir(), "modshelf-life") },
    // Each phase, and each kind by itself, has so many. In each round the ceiling answers the same questions right after the server.
    rounds: { type: "string", default: "3" },
    // The longest time of a round of each phase, and of each kind by itself; 0 leaves the phase out.
    seconds: { type: "string", default: "30" },
    "kind-seconds": { type: "string", default: "6" },
    "living-seconds": { type: "string", default: "30" },
    // The server has finished its start when it has been idle for this time: it prepares answers in pauses, and V8 gives back
    // the memory of the start only after some seconds.
    "calm-seconds": { type: "string", default: "20" },
    // Whether the system has the prepared answers in its memory when the traffic begins, as it has after some hours on a machine
    // with enough memory.
    "in-memory": { type: "string", default: "yes" },
    // Living traffic before all phases: after a start, no code is compiled yet. It gets a line of its own.
    "warm-seconds": { type: "string", default: "20" },
    // The ceiling answers the sequences of all rounds again and again for this time, because it is so quick. The server must
    // not be idle for so long that it collects garbage between two rounds (server/src/platform/processes/idle-memory.ts).
    "ceiling-seconds": { type: "string", default: "3" },
    // The number of questions in the sequence of a round: each is asked once.
    requests: { type: "string", default: "30000" },
    // The living phase: the share of downloads, and the versions that are published per second.
    downloads: { type: "string", default: String(traffic.living.downloads) },
    publications: { type: "string", default: String(traffic.living.publishedPerSecond) },
    // Living traffic with ever new questions for this time, without a pause, instead of all phases.
    minutes: { type: "string", default: "0" },
    only: { type: "string" },
    // A folder for a CPU profile of the server.
    profile: { type: "string" },
    write: { type: "string", default: "yes" },
  },
});
const number = (name) => Number(given[name]);
const options = {
  ...given,
  ...{ projects: number("projects"), seed: number("seed"), requests: number("requests"), rounds: number("rounds") },
  ...{ seconds: number("seconds"), kindSeconds: number("kind-seconds") },
  ...{ livingSeconds: number("living-seconds"), warmSeconds: number("warm-seconds") },
  ...{ ceilingSeconds: number("ceiling-seconds"), calmSeconds: number("calm-seconds") },
  ...{
    downloads: number("downloads"),
    publications: number("publications"),
    minutes: number("minutes"),
  },
};
const log = (text) => console.log(text);
mkdirSync(options.data, { recursive: true });
const engine = await openEngine(options.engine, options.data);
const data = await findOrMakeData({ ...options, folder: options.data, engine, log });
const copy = runFolder(data.home);
const results = { data, options, phases: {}, kinds: {} };
const begun = [];

try {
  await measure();
} finally {
  for (const end of begun.reverse()) await end();
  await engine.close();
  rmSync(copy, { recursive: true, force: true });
}
if (options.minutes > 0) reportLong(results);
else report(results);
process.exit(results.long?.failure ? 1 : 0);

async function measure() {
  await prepareOnce(data, engine, { ...options, log });
  const settings = await copyData(data, engine);
  const token = await giveToken(settings, data);
  const product = await startProduct(settings, options);
  begun.push(product.stop);
  results.product = product;
  log(`Ready after ${product.readySeconds.toFixed(1)} s, idle with ${product.idle.rss} MiB`);
  const ceiling = await startCeiling();
  const load = new Load({ data, options, folder: copy, product, ceiling, databasePids: engine.pids() });
  begun.push(ceiling.stop, load.stop);
  if (given["in-memory"] === "yes") await readPrepared(copy);
  const { projects } = data.publisher;
  const publish = options.publications > 0 && { token, perSecond: options.publications, projects };
  if (options.minutes > 0) {
    const onRow = (row) => log(describeRow(row));
    results.long = await load.last(options.minutes, { kinds: livingKinds(options.downloads), publish, onRow });
    return;
  }
  if (options.warmSeconds > 0) {
    results.first = await load.warm(livingKinds(options.downloads), options.warmSeconds, publish);
    log(`first: ${Math.round(results.first.perCpuSecond)} answers per CPU second`);
  }
  const phase = async (group, name, plan) => {
    if (plan.seconds === 0 || (options.only && !options.only.split(",").includes(name))) return;
    results[group][name] = await load.phase(name, plan);
    const { perCpuSecond, ratios } = results[group][name];
    log(
      `${name}: ${Math.round(perCpuSecond)} answers per CPU second, ${ratios.map((ratio) => ratio.toFixed(3)).join(" ")}`,
    );
  };
  await phase("phases", "quiet", { kinds: quietKinds, seconds: options.seconds });
  for (const kind of [...Object.keys(traffic.mix), "download"])
    await phase("kinds", kind, { kinds: [[1, kind]], seconds: options.kindSeconds });
  await phase("phases", "living", { kinds: livingKinds(options.downloads), seconds: options.livingSeconds, publish });
}
