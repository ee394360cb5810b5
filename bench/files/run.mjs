// `npm run bench -- --files`: CPU time per download and per upload, beside bare servers in the same run that send the same
// files as `fs` streams, pass on the answers of the same object store, or read and hash the same bodies.
import { fork } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openEngine } from "../life/engines.mjs";
import { registry } from "../life/parameters.mjs";
import { cpuSeconds, memoryOf } from "../life/processes.mjs";
import { copyData, findOrMakeData, runFolder } from "../life/registry/data-set.mjs";
import { blobPath, knowStored } from "../life/registry/stored-files.mjs";
import { createWorld, locate } from "../life/registry/world.mjs";
import { giveToken, prepareOnce, startProduct } from "../life/servers.mjs";
import { report } from "./report.mjs";
import { rows } from "./rows.mjs";

const { values: options } = parseArgs({
  options: {
    files: { type: "boolean" },
    engine: { type: "string", default: "sqlite" },
    // Folder of generated data, which is used again when the parameters are the same.
    data: { type: "string", default: join(tmpdir(), "modshelf-life") },
    rounds: { type: "string", default: "7" },
    // A larger number makes rounds longer.
    scale: { type: "string", default: "1" },
    only: { type: "string" },
    // A folder for a CPU profile of the server.
    profile: { type: "string" },
    write: { type: "string", default: "yes" },
  },
});

// More small files than the server keeps in memory.
registry.stored.small = 6000;
const projects = 6100;
/** The server makes pages in the background, but not in the first ten seconds. */
const calmSeconds = 15;

const here = fileURLToPath(new URL(".", import.meta.url));
const message = (child) =>
  new Promise((resolve, reject) => {
    child.once("message", (text) => (text.error ? reject(new Error(text.error)) : resolve(text)));
  });

mkdirSync(options.data, { recursive: true });
const engine = await openEngine(options.engine, options.data);
const data = await findOrMakeData({ folder: options.data, projects, seed: 1, engine, log: console.log });
const world = createWorld(data);
knowStored(world, data.stored);
const copy = runFolder(data.home);
const files = [...world.stored].map(([at, { sha512, size }]) => {
  const { n, k } = locate(world, at);
  const [project, version] = [world.project(n), world.version(n, k)];
  const url = `/cdn/data/project/${project.id}/version/${version.id}/${world.fileName(project, version)}`;
  return { url, path: blobPath(copy, sha512), size };
});
const [bare, client, store] = ["bare", "client", "object-store"].map((name) => fork(`${here}${name}.mjs`));
const [{ port: barePort }, { port: storePort }] = await Promise.all([message(bare), message(store)]);
const results = [];
let addresses = 0;

const s3 = {
  MODSHELF_STORAGE_URL: `s3://bench?endpoint=http://127.0.0.1:${storePort}&region=us-east-1`,
  MODSHELF_S3_ACCESS_KEY_ID: "bench",
  MODSHELF_S3_SECRET_ACCESS_KEY: "not-a-secret",
};

let settings;
try {
  await prepareOnce(data, engine, { calmSeconds, log: console.log });
  settings = await copyData(data, engine);
  const token = await giveToken(settings, data);
  for (const storage of ["disk", "s3"]) {
    const wanted = rows.filter((row) => row.storage === storage && (!options.only || row.name.includes(options.only)));
    if (wanted.length === 0) continue;
    const product = await startProduct({ ...settings, ...(storage === "s3" && s3) }, { ...options, calmSeconds });
    try {
      for (const row of wanted) results.push(await measure(row, product, token));
    } finally {
      await product.stop();
    }
  }
} finally {
  for (const child of [bare, client, store]) child.kill();
  await engine.close();
  // If another run has the copy, it is not ours.
  if (settings) rmSync(copy, { recursive: true, force: true });
}
report(results, options);
process.exit(0);

async function measure(row, product, token) {
  const publish = {
    token,
    projects: data.publisher.projects.map((n) => world.project(n)),
    game: world.gameVersions[0],
  };
  const given = files.filter(({ size }) => (row.size === "small" ? size < 1e6 : size >= 1e6));
  const plan = { ...row, count: Math.ceil(row.count * Number(options.scale)), files: given, publish };
  if (row.kind === "download") {
    const source = (row.beside ?? row.storage) === "s3" ? { store: storePort } : {};
    bare.send({ files: given, chunk: row.chunk, ...source });
    store.send({ folder: copy });
    await message(bare);
  } else bare.send({ folder: copy });
  const ours = () => run(plan, product.port, [product.pid, ...engine.pids()]);
  const ceiling = () => run(plan, barePort, [bare.pid]);
  await ours();
  await ceiling();
  const rounds = [];
  for (let round = 0; round < Number(options.rounds); round++) {
    // The order alternates, so that other load on the machine affects both.
    const first = round % 2 === 0 ? undefined : await ceiling();
    const own = await ours();
    const bound = first ?? (await ceiling());
    rounds.push({ own, bound, ratio: bound / own });
  }
  const result = { row, rounds, memory: memoryOf([product.pid]).rss };
  console.log(row.name, rounds.map(({ ratio }) => ratio.toFixed(2)).join(" "));
  return result;
}

/** CPU seconds per answer. A round ends when its downloads are counted. */
async function run(plan, port, pids) {
  client.send({ ...plan, port, isBare: port === barePort, firstAddress: addresses });
  addresses += plan.count;
  await message(client);
  const before = cpuSeconds(pids);
  client.send("go");
  const { count } = await message(client);
  const spent = cpuSeconds(pids) - before;
  client.send("end");
  await message(client);
  return spent / count;
}
