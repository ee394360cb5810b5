// Starts the parts of a cluster in order, says where it is, and stops them in reverse order at a signal.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "../../bench/postgres.mjs";
import { say } from "../process.mjs";
import { startNode } from "./node.mjs";
import { startProxy } from "./proxy.mjs";
import { bucket, startS3 } from "./s3.mjs";
import { findSecrets } from "./secrets.mjs";

const { values: given } = parseArgs({
  options: {
    nodes: { type: "string", default: "3" },
    port: { type: "string", default: "8080" },
    // Without a folder, everything is deleted at the end.
    data: { type: "string" },
  },
});
const folder = given.data === undefined ? mkdtempSync(join(tmpdir(), "modshelf-cluster-")) : resolve(given.data);
mkdirSync(folder, { recursive: true });
const stopping = [];
const stopSignal = new Promise((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, resolve);
});

try {
  await start();
  await stopSignal;
  say("Stopping.");
} finally {
  for (const stop of stopping.reverse()) await stop();
  if (given.data === undefined) rmSync(folder, { recursive: true, force: true });
}

async function start() {
  const secrets = findSecrets(folder);
  const postgres = await startPostgres(folder, { isKept: true });
  stopping.push(postgres.stop);
  say("PostgreSQL is running.");
  const s3 = await startS3(join(folder, "s3"), secrets);
  stopping.push(s3.stop);
  say("The S3-compatible server is running.");
  const proxy = await startProxy(Number(given.port));
  stopping.push(proxy.stop);
  const settings = {
    MODSHELF_URL: proxy.url,
    MODSHELF_DATABASE_URL: postgres.url,
    MODSHELF_STORAGE_URL: `s3://${bucket}?endpoint=${s3.endpoint}&region=us-east-1`,
    MODSHELF_S3_ACCESS_KEY_ID: secrets.accessKeyId,
    MODSHELF_S3_SECRET_ACCESS_KEY: secrets.secretAccessKey,
    MODSHELF_SECRET_KEY: secrets.secretKey,
    MODSHELF_TRUSTED_PROXIES: "loopback",
    // The nodes share this machine.
    MODSHELF_WORKERS: "1",
  };
  for (let number = 1; number <= Number(given.nodes); number++) {
    const node = await startNode(number, join(folder, `node-${number}`), settings);
    stopping.push(node.stop);
    proxy.add(node.origin);
    say(`Node ${number} is running at ${node.origin} (process ${node.pid}).`);
  }
  say(`The cluster is running at ${proxy.url}. Press Ctrl-C to stop it.`);
}
