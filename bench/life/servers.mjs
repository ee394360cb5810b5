// Starts the measured server, as an operator would, and the ceiling; gives the publisher an access token.
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readConfig } from "../../dist/server/src/config/config.js";
import { systemRandom } from "../../dist/server/src/lib/random.js";
import { newSecretToken, tokenDigest } from "../../dist/server/src/lib/secret-token.js";
import { openDatabase } from "../../dist/server/src/platform/db/open.js";
import { allocatorSettings, nodeOptions } from "../../scripts/server-start.mjs";
import { freePort } from "../postgres.mjs";
import { cpuSeconds, memoryOf } from "./processes.mjs";
import { arePrepared, copyData, keepPrepared } from "./registry/data-set.mjs";

const program = fileURLToPath(new URL("../../dist/server/src/main.js", import.meta.url));
const bare = fileURLToPath(new URL("ceiling.mjs", import.meta.url));

export async function startProduct(settings, { profile, calmSeconds }) {
  const port = await freePort();
  const env = {
    ...allocatorSettings,
    ...process.env,
    ...settings,
    MODSHELF_PORT: String(port),
    MODSHELF_LOG_LEVEL: "warn",
    MODSHELF_WORKERS: "1",
    MODSHELF_METRICS_TOKEN: metricsToken,
  };
  const nodeArgs = [...nodeOptions, ...(profile ? ["--cpu-prof", `--cpu-prof-dir=${profile}`] : [])];
  const begun = performance.now();
  const child = spawn(process.execPath, [...nodeArgs, program, "serve"], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const gone = once(child, "exit");
  while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error("The server did not start");
    await pause(20);
  }
  const readySeconds = (performance.now() - begun) / 1000;
  await untilCalm(child.pid, calmSeconds);
  return {
    ...{ port, pid: child.pid, readySeconds, calmSeconds: (performance.now() - begun) / 1000 },
    startCpu: cpuSeconds([child.pid]),
    idle: memoryOf([child.pid]),
    memoryParts: () => readMemoryParts(port),
    async stop() {
      if (child.exitCode === null) child.kill("SIGTERM");
      await gone;
    },
  };
}

/** Answers and pages are prepared by the first server that starts with the data; all others find them. */
export async function prepareOnce(data, engine, { calmSeconds, log }) {
  if (arePrepared(data)) return;
  const first = await startProduct(await copyData(data, engine), { calmSeconds });
  await first.stop();
  await keepPrepared(data, engine);
  log(`Answers prepared in ${first.calmSeconds.toFixed(1)} s (${first.startCpu.toFixed(1)} s of CPU)`);
}

const metricsToken = "figures-of-a-benchmark";

/** MiB that the server itself knows of: objects of JavaScript, buffers outside of them, and its caches. */
async function readMemoryParts(port) {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
  const sumOf = (name) =>
    [...text.matchAll(new RegExp(`^modshelf_${name}(?:\\{[^}]*\\})? (\\S+)$`, "gm"))].reduce(
      (sum, [, value]) => sum + Number(value),
      0,
    ) /
    2 ** 20;
  return {
    heap: sumOf("nodejs_heap_size_total_bytes"),
    external: sumOf("nodejs_external_memory_bytes"),
    caches: sumOf("cache_bytes"),
  };
}

const longestStart = 7200;

/** A server that has just started loads and prepares data in the background, which is not measured. */
async function untilCalm(pid, calmSeconds) {
  let calm = 0;
  for (let tries = 0; tries < longestStart && calm < calmSeconds; tries++) {
    const before = cpuSeconds([pid]);
    await pause(1000);
    calm = cpuSeconds([pid]) - before < 0.1 ? calm + 1 : 0;
  }
}

export async function startCeiling() {
  const child = fork(bare);
  const [{ port }] = await once(child, "message");
  return {
    ...{ port, pid: child.pid },
    async load(path) {
      child.send({ path });
      await once(child, "message");
    },
    stop: () => child.kill(),
  };
}

/** An access token of the user who publishes. */
export async function giveToken(settings, { publisher }) {
  const config = readConfig(settings, settings.MODSHELF_DATA_DIR);
  const database = openDatabase(config.database, console.error);
  const token = newSecretToken("msp_", systemRandom);
  const now = Date.now();
  await database.db
    .insertInto("tokens")
    .values({
      ...{ id: "LifeBnch", user_id: publisher.user, name: "Life", token_digest: tokenDigest(token) },
      ...{
        scopes: '["version_create","version_read","project_read"]',
        date_created: now,
        date_expires: now + 86_400_000,
      },
      date_last_used: null,
    })
    .execute();
  await database.close();
  return token;
}
