// `npm run bench -- --workers`: one process beside two workers, on the same data. Machines whose cores the client shares
// cannot show how many more requests two workers answer, so the CPU time of each process for an answer is measured: a
// server is as fast as its busiest process. Prints a table and writes it to RESULTS-workers.md.
import { execFileSync, fork, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openEngine } from "./life/engines.mjs";
import { cpuSeconds, memoryOf } from "./life/processes.mjs";
import { copyData, findOrMakeData } from "./life/registry/data-set.mjs";
import { createWorld } from "./life/registry/world.mjs";
import { freePort } from "./postgres.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const options = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, "").split("=")));
const projects = Number(options.projects ?? 5000);
const seconds = Number(options.seconds ?? 3);
const rounds = Number(options.rounds ?? 5);
const connections = Number(options.connections ?? 32);

const home = options.data ?? join(tmpdir(), "modshelf-life");
mkdirSync(home, { recursive: true });
const engine = await openEngine("sqlite");
const data = await findOrMakeData({ folder: home, projects, seed: 1, engine, log: console.log });
const { counts, project, hashesOf } = createWorld(data);

async function start(workers) {
  const dataDir = mkdtempSync(join(home, "run-"));
  const settings = await copyData(data, engine, dataDir);
  const port = await freePort();
  const env = {
    ...process.env,
    ...settings,
    MODSHELF_PORT: port,
    MODSHELF_LOG_LEVEL: "warn",
    MODSHELF_WORKERS: workers,
  };
  const child = spawn(process.execPath, [`${here}../dist/server/src/main.js`, "serve"], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const begun = performance.now();
  while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok) await pause(20);
  const readySeconds = (performance.now() - begun) / 1000;
  await untilCalm(child.pid);
  const children = workers === 1 ? [] : listChildren(child.pid);
  return {
    ...{ port, readySeconds, pid: child.pid, pids: workers === 1 ? [child.pid] : children },
    idle: memoryOf([child.pid]),
    async stop() {
      child.kill("SIGTERM");
      await new Promise((resolve) => child.once("exit", resolve));
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A server that has just started prepares answers, which is not measured. On a busy machine it may get no time for a while. */
async function untilCalm(pid) {
  for (let calm = 0; calm < 5; ) {
    const before = cpuSeconds([pid]);
    await pause(1000);
    calm = cpuSeconds([pid]) - before < 0.06 ? calm + 1 : 0;
  }
}

const listChildren = (pid) => readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);

const get = (path) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
const post = (path, body) => {
  const text = JSON.stringify(body);
  return `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
};
const spread = (count, step, make) => Array.from({ length: count }, (_, n) => make((n * step) % projects));
const hashesFrom = (n) => spread(100, 37, (m) => hashesOf((n + m) % projects, 0).sha512.toString("hex"));
const busy = spread(2000, 7, (n) => n).filter((n) => counts[n] > 0);

const kinds = [
  { name: "project", requests: busy.map((n) => get(`/api/project/${project(n).slug}`)) },
  { name: "version list", requests: busy.map((n) => get(`/api/project/${project(n).slug}/version`)) },
  { name: "100 hashes", requests: spread(300, 11, (n) => post("/api/version-files", { hashes: hashesFrom(n) })) },
  { name: "search", requests: ["stone", "light", "map", "storage"].map((word) => get(`/api/search?query=${word}`)) },
  { name: "project page", requests: busy.slice(0, 60).map((n) => get(`/project/${project(n).slug}`)) },
  {
    name: "project, a connection for each request",
    isFresh: true,
    requests: busy.map((n) => get(`/api/project/${project(n).slug}`)),
  },
];

async function measure(server, { requests, isFresh = false }) {
  const client = fork(`${here}load.mjs`);
  const cpuOf = () => server.pids.map((pid) => cpuSeconds([pid]));
  const [before, allBefore] = [cpuOf(), cpuSeconds([server.pid])];
  client.send({ port: server.port, requests, connections, seconds, isFresh });
  const figures = await new Promise((resolve) => client.once("message", resolve));
  client.kill();
  if (figures.error) throw new Error(figures.error);
  const each = cpuOf().map((after, at) => after - before[at]);
  const all = cpuSeconds([server.pid]) - allBefore;
  return {
    perSecond: figures.perSecond,
    micros: (all / figures.count) * 1e6,
    busiest: (Math.max(...each, all - each.reduce((sum, one) => sum + one, 0)) / figures.count) * 1e6,
    primary: (all - each.reduce((sum, one) => sum + one, 0)) / all,
  };
}

const [one, two] = [await start(1), await start(2)];
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const lines = [];
for (const kind of kinds) {
  for (const server of [one, two]) await measure(server, kind);
  const results = [];
  for (let round = 0; round < rounds; round++) {
    // The order alternates, so that other load on the machine affects both.
    const first = round % 2 === 0 ? undefined : await measure(two, kind);
    const alone = await measure(one, kind);
    results.push({ alone, both: first ?? (await measure(two, kind)) });
  }
  const of = (pick) => median(results.map(pick));
  const line = [
    kind.name,
    Math.round(of(({ alone }) => alone.perSecond)),
    Math.round(of(({ both }) => both.perSecond)),
    of(({ alone }) => alone.micros).toFixed(0),
    of(({ both }) => both.micros).toFixed(0),
    of(({ alone, both }) => both.micros / alone.micros).toFixed(2),
    `${(of(({ both }) => both.primary) * 100).toFixed(1)} %`,
    of(({ alone, both }) => alone.busiest / both.busiest).toFixed(2),
  ];
  lines.push(line);
  console.log(line.join("  "));
}

const header = [
  ...["request", "requests/s, one process", "two workers", "CPU µs per answer, one process", "two workers", "ratio"],
  ...["share of the primary process", "times as many answers, with a core for each process"],
];
const table = [header, header.map(() => "---"), ...lines].map((line) => `| ${line.join(" | ")} |`).join("\n");
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: here, encoding: "utf8" }).trim();
const memory = (server) => `${server.idle.pss} MiB`;
const text = `# Two workers beside one process

Made by \`npm run bench -- --workers\` at ${commit}, on ${cpus().length} × ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux, Node ${process.versions.node}, SQLite.
${projects.toLocaleString("en")} projects, ${data.versions.toLocaleString("en")} versions; ${connections} connections; median of ${rounds} alternating rounds of ${seconds} s.
The client shares the ${cpus().length} cores with the server, and one process together with the client uses them already. So requests per second cannot show what two
workers are able to do; the CPU time of each process can. The last column compares the busiest process of both servers: it is the speed-up
if every process has its own core and the client has others. Memory after the start (proportional set size): ${memory(one)}, with two workers ${memory(two)}.

${table}
`;
if (options.write !== "no") writeFileSync(join(here, "RESULTS-workers.md"), text);
console.log(`\n${text}`);
await Promise.all([one.stop(), two.stop()]);
process.exit(0);
