// `npm run bench`: measures the real server on generated data beside a bare node:http server that sends the same bytes,
// in the same run. Prints a table and writes it to RESULTS-routes.md. Only ratios are meaningful, because machines are shared.
import { execFileSync, fork, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openEngine } from "./life/engines.mjs";
import { copyData, findOrMakeData } from "./life/registry/data-set.mjs";
import { blobPath, knowStored } from "./life/registry/stored-files.mjs";
import { createWorld, locate } from "./life/registry/world.mjs";
import { freePort } from "./postgres.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const options = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, "").split("=")));
const projects = Number(options.projects ?? 5000);
// Many short rounds, because other load on the machine changes within seconds.
const seconds = Number(options.seconds ?? 1);
const rounds = Number(options.rounds ?? 11);
const connections = Number(options.connections ?? 32);

const message = (child) => new Promise((resolve) => child.once("message", resolve));

const home = options.data ?? join(tmpdir(), "modshelf-life");
mkdirSync(home, { recursive: true });
const dataDir = mkdtempSync(join(home, "run-"));
const port = await freePort();
const env = {
  ...process.env,
  MODSHELF_PORT: String(port),
  MODSHELF_LOG_LEVEL: options.log ?? "info",
  MODSHELF_WORKERS: "1",
};

const engine = await openEngine("sqlite");
const data = await findOrMakeData({ folder: home, projects, seed: 1, engine, log: console.log });
const world = createWorld(data);
knowStored(world, data.stored);
Object.assign(env, await copyData(data, engine, dataDir), { MODSHELF_RATE_LIMITS: options.limits ?? "off" });
const known = listKnown(world);
const file = findLargeFile(world);

const server = spawn(
  process.execPath,
  [
    ...(options.profile ? ["--cpu-prof", `--cpu-prof-dir=${options.profile}`] : []),
    `${here}../dist/server/src/main.js`,
    "serve",
  ],
  { env, stdio: ["ignore", "ignore", "inherit"] },
);
const bare = fork(`${here}bare.mjs`);
// Also after a failure.
process.once("exit", () => {
  server.kill("SIGKILL");
  bare.kill();
  rmSync(dataDir, { recursive: true, force: true });
});
const { port: barePort } = await message(bare);
await untilHealthy();
await untilCalm();

/** Existing ids, slugs and hashes, for the requests. */
function listKnown({ counts, project, version, hashesOf }) {
  const all = { projects: [], versions: [], files: [] };
  for (let n = 0; n < projects; n++) {
    const { id, slug } = project(n);
    all.projects.push({ id, slug });
    for (let k = 0; k < counts[n]; k++) {
      all.versions.push({ id: version(n, k).id, projectId: id });
      all.files.push(hashesOf(n, k).sha512.toString("hex"));
    }
  }
  return all;
}

function findLargeFile({ stored, fileName, project, version, ...rest }) {
  const [at, { sha512 }] = [...stored].find(([, { size }]) => size >= 5_000_000);
  const { n, k } = locate(rest, at);
  const name = fileName(project(n), version(n, k));
  return {
    path: blobPath(dataDir, sha512),
    url: `/cdn/data/project/${project(n).id}/version/${version(n, k).id}/${name}`,
  };
}

async function untilHealthy() {
  for (let tries = 0; tries < 200; tries++) {
    const alive = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    if (alive?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("The server did not start");
}

/** A server that has just started loads and indexes data; that is not measured either. */
async function untilCalm() {
  for (let tries = 0; tries < 60; tries++) {
    const before = cpuSeconds(server.pid);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    if (cpuSeconds(server.pid) - before < 0.05) return;
  }
}

const get = (path) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
const post = (path, body) => {
  const text = JSON.stringify(body);
  return `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
};
const some = (list, count, offset = 0) =>
  Array.from({ length: count }, (_, n) => list[(offset + n * 37) % list.length]);
/** More than the server caches. */
const many = (request) => Array.from({ length: 3000 }, (_, n) => request(n));
const hot = some(known.projects, 200);
const ids = (offset) =>
  some(known.projects, 100, offset)
    .map(({ id }) => id)
    .join(",");
const hashes = (offset) => some(known.files, 100, offset);
const searches = ["", "q=stone", `q=light&v=${world.gameVersions[0]}`, "l=quilt&sort=downloads"];

const routes = [
  ["project", 0.8, hot.map(({ slug }) => get(`/api/project/${slug}`))],
  ["version list", 0.8, hot.map(({ slug }) => get(`/api/project/${slug}/version`))],
  ["latest version", 0.8, hot.map(({ slug }) => get(`/api/project/${slug}/version/latest?releaseChannel=dev`))],
  [
    "single version",
    0.8,
    some(known.versions, 200).map(({ id, projectId }) => get(`/api/project/${projectId}/version/${id}`)),
  ],
  // Launchers of one modpack send the same requests; a player's own folder is looked up for the first time.
  ["100 projects by id", 0.6, some([0, 11, 23, 42], 4).map((n) => get(`/api/projects?ids=${ids(n)}`))],
  ["100 hashes", 0.6, some([0, 11, 23, 42], 4).map((n) => post("/api/version-files", { hashes: hashes(n) }))],
  [
    "100 hash updates",
    0.6,
    some([0, 11, 23, 42], 4).map((n) =>
      post("/api/version-files/update", { hashes: hashes(n), gameVersions: world.gameVersions.slice(0, 2) }),
    ),
  ],
  ["project in Modrinth's form", 0.6, hot.map(({ slug }) => get(`/v2/project/${slug}`))],
  ["version list in Modrinth's form", 0.6, hot.map(({ slug }) => get(`/v2/project/${slug}/version`))],
  [
    "100 hashes in Modrinth's form",
    0.4,
    some([0, 11, 23, 42], 4).map((n) => post("/v2/version_files", { hashes: hashes(n), algorithm: "sha512" })),
  ],
  ["search in Modrinth's form", 0, [get("/v2/search?query=stone"), get("/v2/search?index=downloads&limit=20")]],
  ["100 projects by id, requested for the first time", 0.6, many((n) => get(`/api/projects?ids=${ids(n)}`))],
  ["100 hashes, requested for the first time", 0.6, many((n) => post("/api/version-files", { hashes: hashes(n) }))],
  [
    "100 hash updates, requested for the first time",
    0.6,
    many((n) => post("/api/version-files/update", { hashes: hashes(n), gameVersions: world.gameVersions.slice(0, 2) })),
  ],
  ["download 5 MB", 0.9, [get(file.url)], file.path],
  // As anonymous users see them; rendered pages are cached until the catalogue changes, for a minute at most.
  ["home page", 0.5, [get("/")]],
  ["search page", 0.5, searches.map((query) => get(`/mods?${query}`))],
  ["project page", 0.5, hot.map(({ slug }) => get(`/project/${slug}`))],
];

/** The answers that the bare server then sends: ours by URL, for as many URLs as is sensible. */
async function sampleAnswers(requests) {
  const answers = [];
  for (const request of requests.length > 200 ? requests.slice(0, 1) : requests)
    answers.push([request.split(" ")[1], await sampleAnswer(request)]);
  return answers;
}

async function sampleAnswer(request) {
  const [head, body] = request.split("\r\n\r\n");
  const [method, path] = head.split(" ");
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    ...(body && { body, headers: { "content-type": "application/json", "accept-encoding": "identity" } }),
    ...(!body && { headers: { "accept-encoding": "identity" } }),
  });
  return Buffer.from(await response.arrayBuffer()).toString("base64");
}

function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function measure(target, pid, requests, time = seconds) {
  const client = fork(`${here}load.mjs`);
  const before = cpuSeconds(pid);
  const count = requests.some((request) => request.includes("/cdn/data/")) ? 8 : connections;
  client.send({ port: target, requests, connections: count, seconds: time });
  const figures = await message(client);
  client.kill();
  if (figures.error) throw new Error(figures.error);
  return { ...figures, perCpuSecond: figures.count / Math.max(0.01, cpuSeconds(pid) - before) };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const lines = [];
for (const [name, aim, requests, path] of routes) {
  if (options.only && !name.includes(options.only.replaceAll("_", " "))) continue;
  bare.send(path ? { file: path } : { answers: await sampleAnswers(requests) });
  await message(bare);
  await measure(port, server.pid, requests, 1);
  const results = [];
  for (let round = 0; round < rounds; round++) {
    // The order alternates, so that other load on the machine affects both.
    const first = round % 2 === 0 ? undefined : await measure(barePort, bare.pid, requests);
    const ours = await measure(port, server.pid, requests);
    const ceiling = first ?? (await measure(barePort, bare.pid, requests));
    results.push({
      ours,
      ceiling,
      ratio: ours.perSecond / ceiling.perSecond,
      cpuRatio: ours.perCpuSecond / ceiling.perCpuSecond,
    });
  }
  const of = (pick) => median(results.map(pick));
  const line = [
    name,
    Math.round(of((r) => r.ours.perSecond)),
    of((r) => r.ours.p50).toFixed(2),
    of((r) => r.ours.p99).toFixed(2),
    Math.round(of((r) => r.ceiling.perSecond)),
    of((r) => r.ratio).toFixed(2),
    of((r) => r.cpuRatio).toFixed(2),
    aim,
  ];
  lines.push(line);
  console.log(line.join("  "));
}

const header = ["route", "requests/s", "p50 ms", "p99 ms", "bare requests/s", "ratio", "ratio per CPU second", "aim"];
const table = [header, header.map(() => "---"), ...lines].map((line) => `| ${line.join(" | ")} |`).join("\n");
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: here, encoding: "utf8" }).trim();
const text = `# One route at a time

Made by \`npm run bench\` at ${commit}, on ${cpus().length} × ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux, Node ${process.versions.node}, SQLite.
${projects.toLocaleString("en")} projects, ${data.versions.toLocaleString("en")} versions; ${connections} connections; median of ${rounds} alternating rounds of ${seconds} s.
The ceiling is a bare \`node:http\` server of the same runtime that has the same bytes ready for each URL; for the download, an \`fs\` stream with chunks of 1 MiB.
Client, server and ceiling share two cores, so the ratios are meaningful, and the requests per second are not.

${table}
`;
if (!options.only) writeFileSync(join(here, "RESULTS-routes.md"), text);
console.log(`\n${table}`);
server.kill("SIGTERM");
await new Promise((resolve) => server.once("exit", resolve));
process.exit(0);
