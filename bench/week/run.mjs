// `npm run bench -- --week`: replays a week of the downloads of a large site at a fraction of its scale, through the
// product's own counter, on a clock that runs ahead. The batches are as large as those of the whole site, and there are
// as many fewer of them. Shows what counting costs from day to day, how tables grow, and that all sums agree with the rule.
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readConfig } from "../../dist/server/src/config/config.js";
import { DownloadCounter } from "../../dist/server/src/content/downloads/counter.js";
import { forgetClients } from "../../dist/server/src/content/downloads/forget.js";
import { closeResources, openResources } from "../../dist/server/src/operations/assembly/resources.js";
import { anonymous } from "../../dist/server/src/platform/http/viewer.js";
import { openEngine } from "../life/engines.mjs";
import { cpuSeconds } from "../life/processes.mjs";
import { copyData, findOrMakeData } from "../life/registry/data-set.mjs";
import { createWorld, toId } from "../life/registry/world.mjs";
import { countRows, createRule, readSums } from "./checks.mjs";
import { report } from "./report.mjs";
import { downloadsOf, hourShares, mondayBefore, week } from "./traffic.mjs";

const { values: given } = parseArgs({
  options: {
    week: { type: "boolean" },
    projects: { type: "string", default: "124000" },
    engine: { type: "string", default: "sqlite" },
    seed: { type: "string", default: "1" },
    // Folder of generated data, which is used again when the parameters are the same.
    data: { type: "string", default: join(tmpdir(), "modshelf-life") },
    downloads: { type: "string", default: String(week.downloads) },
    // The replay has one of so many downloads.
    scale: { type: "string", default: "100" },
    write: { type: "string", default: "yes" },
  },
});
const [projects, seed, scale] = [Number(given.projects), Number(given.seed), Number(given.scale)];
const downloads = Math.round(Number(given.downloads) / scale);
/** The server counts every three seconds: so many seconds of the replay have as many downloads. */
const flushMs = 3000 * scale;
const [hour, day] = [3_600_000, 86_400_000];
const addressOf = (player) => `10.${(player >> 16) & 255}.${(player >> 8) & 255}.${player & 255}`;

mkdirSync(given.data, { recursive: true });
const engine = await openEngine(given.engine, given.data);
const data = await findOrMakeData({ folder: given.data, projects, seed, engine, log: console.log });
const folder = `${data.home}-week`;
const settings = await copyData(data, engine, folder);
const begin = mondayBefore(data.now + 7 * day);
const clock = { time: begin, now: () => clock.time };
const resources = await openResources(readConfig({ ...settings, MODSHELF_LOG_LEVEL: "warn" }, folder), { clock });
try {
  report(await replay(resources), { ...given, data, downloads, scale, versions: data.versions });
} finally {
  await closeResources(resources);
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

async function replay({ db }) {
  const world = createWorld({ projects, seed, now: data.now });
  const players = Math.ceil(downloads / (1 / (1 - week.session.more)) / week.sessionsPerPlayer);
  const counter = new DownloadCounter(resources);
  const rule = createRule();
  const pids = [process.pid, ...engine.pids()];
  const before = await readSums(db);
  const seen = new Set();
  const days = [];
  let [measured, noted, mostRecent] = [0, 0, 0];
  for (const [at, share] of hourShares().entries()) {
    const list = downloadsOf(world, { at, count: Math.round(downloads * share), players, begin, seed });
    for (const { player, project, version, time } of list) {
      rule.count(player, project, version, time);
      seen.add(version);
    }
    rule.forget(begin + (at + 1) * hour);
    const cpu = cpuSeconds(pids);
    let next = 0;
    for (let end = begin + at * hour + flushMs; next < list.length; end += flushMs) {
      for (; next < list.length && list[next].time < end; next++) note(counter, list[next]);
      clock.time = end;
      await counter.flush();
    }
    clock.time = begin + (at + 1) * hour;
    mostRecent = Math.max(mostRecent, await countRows(db, "recent_downloads"));
    await forgetClients(db, clock.time);
    measured += cpuSeconds(pids) - cpu;
    noted += list.length;
    if (at % 24 !== 23) continue;
    const sums = await readSums(db);
    days.push({
      ...{ noted, counted: rule.counted, distinct: seen.size, cpuSeconds: measured, mostRecent },
      dayRows: sums.dayRows - before.dayRows,
    });
    console.log(`day ${days.length}: ${noted} downloads, ${((1e6 * measured) / noted).toFixed(0)} µs of CPU time each`);
    for (const name of ["versions", "projects", "days", "totals"])
      if (sums[name] - before[name] !== rule.counted)
        throw new Error(`The sum of ${name} is ${sums[name] - before[name]}, and the rule counts ${rule.counted}`);
    [measured, noted, mostRecent] = [0, 0, 0];
  }
  return { days, players };
}

function note(counter, { player, project, version, time }) {
  clock.time = time;
  const place = { projectId: toId("project", project), versionId: toId("version", version) };
  counter.note(anonymous, addressOf(player), place);
}
