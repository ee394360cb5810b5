// `npm run bench -- --shelf`: `shelf install` of many files beside `curl --parallel` of the same files, from the same server in
// the same run. Prints a table and writes it to RESULTS-shelf.md. Only ratios are meaningful, because machines are shared.
import { execFileSync, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildCommandLine } from "../scripts/packages.mjs";

const { values: options } = parseArgs({
  options: {
    shelf: { type: "boolean" },
    rounds: { type: "string", default: "7" },
    write: { type: "string", default: "yes" },
  },
});
/** The networks between a player and a registry: bytes a second, and milliseconds before each answer. */
const networks = {
  "100 Mbit/s, 20 ms": { rate: 12_500_000, delay: 20 },
  "1 Gbit/s, 10 ms": { rate: 125_000_000, delay: 10 },
  none: undefined,
};
const rows = [
  ["100 Mbit/s, 20 ms", 200, 24_000],
  ["100 Mbit/s, 20 ms", 40, 1_000_000],
  ["1 Gbit/s, 10 ms", 200, 1_000_000],
  ["none", 200, 24_000],
  ["none", 200, 1_000_000],
  ["none", 40, 10_000_000],
];
const aim = 0.8;

const top = mkdtempSync(join(tmpdir(), "modshelf-shelf-"));
const program = join(top, "shelf.cjs");
await buildCommandLine(program);

/** Sends the bytes from memory, and names the files by their hashes as a registry does. */
async function serve(count, size, network) {
  const bytes = Array.from({ length: count }, () => randomBytes(size));
  const send = network ? sendThrough(network) : (response, content) => response.end(content);
  const server = createServer(async (request, response) => {
    request.resume();
    if (request.method === "GET") return send(response, bytes[Number(request.url.slice(6, -4))]);
    if (network) await setTimeout(network.delay);
    const versions = Object.fromEntries(
      projects.map(({ project, version, number, file, sha512 }) => {
        const primaryFile = { name: file, size, url: `${host}/file-${file.slice(5)}`, sha512_hash: sha512 };
        const facts = { id: version, projectId: project, versionNumber: number, releaseChannel: "release" };
        return [sha512, { ...facts, primaryFile, files: [primaryFile] }];
      }),
    );
    return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(versions));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const host = `http://127.0.0.1:${server.address().port}`;
  const projects = bytes.map((content, n) => ({
    ...{ project: `p${n}`, slug: `mod-${n}`, version: `v${n}`, number: "1.0", file: `file-${n}.jar` },
    ...{ sha512: createHash("sha512").update(content).digest("hex"), pinned: false, wanted: true },
  }));
  return { server, host, projects };
}

/** All answers together get the rate of the network. */
function sendThrough({ rate, delay }) {
  let isFreeAt = 0;
  return async (response, content) => {
    await setTimeout(delay);
    for (let at = 0; at < content.length && !response.destroyed; at += 16_384) {
      const piece = content.subarray(at, at + 16_384);
      isFreeAt = Math.max(isFreeAt, performance.now()) + (piece.length / rate) * 1000;
      // Timers have milliseconds: several pieces may leave in the same one.
      const wait = isFreeAt - performance.now();
      if (wait > 1) await setTimeout(wait);
      response.write(piece);
    }
    response.end();
  };
}

/** Seconds until the program has ended, and the number of files that it made. */
async function time(command, args, folder) {
  const start = performance.now();
  const child = spawn(command, args, {
    stdio: "ignore",
    env: { ...process.env, SHELF_CONFIG: join(top, "none.json") },
  });
  const [code] = await once(child, "close");
  const seconds = (performance.now() - start) / 1000;
  if (code !== 0) throw new Error(`${command} failed with ${code}`);
  return { seconds, files: readdirSync(folder).filter((name) => name.endsWith(".jar")).length };
}

function newFolder(name) {
  const folder = join(top, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  return folder;
}

async function measure([name, count, size]) {
  const { server, host, projects } = await serve(count, size, networks[name]);
  const rounds = [];
  try {
    for (let round = 0; round < Number(options.rounds); round++) {
      const ours = newFolder("shelf");
      writeFileSync(join(ours, "shelf.lock"), JSON.stringify({ host, setup: {}, projects }));
      const theirs = newFolder("curl");
      const urls = projects.flatMap(({ file }) => ["-o", join(theirs, file), `${host}/${file}`]);
      const own = () => time(process.execPath, [program, "install", "-d", ours, "--yes"], ours);
      const curl = () => time("curl", ["-s", "--parallel", "--parallel-max", "8", ...urls], theirs);
      // Alternating, because the machine is not equally busy all the time.
      const [first, second] = round % 2 === 0 ? [await own(), await curl()] : [await curl(), await own()];
      const [mine, other] = round % 2 === 0 ? [first, second] : [second, first];
      if (mine.files !== count || other.files !== count) throw new Error("Files are missing");
      rounds.push({ own: mine.seconds, curl: other.seconds, ratio: other.seconds / mine.seconds });
    }
  } finally {
    server.close().closeAllConnections();
  }
  return rounds;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

try {
  const lines = [];
  for (const row of rows) {
    const rounds = await measure(row);
    const [network, count, size] = row;
    const files = `${count} of ${size < 1_000_000 ? `${size / 1000} KB` : `${size / 1_000_000} MB`}`;
    const ratios = rounds.map(({ ratio }) => ratio);
    const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    const times = [rounds.map(({ own }) => own), rounds.map(({ curl }) => curl)].map((all) => median(all).toFixed(2));
    lines.push([network, files, ...times, median(ratios).toFixed(2), range, aim]);
    console.log(lines.at(-1).join("  "));
  }
  const heads = ["network", "files", "shelf, seconds", "curl, seconds", "ratio", "range", "aim"];
  const table = [heads, heads.map(() => "---"), ...lines].map((line) => `| ${line.join(" | ")} |`).join("\n");
  if (options.write === "yes") {
    const here = fileURLToPath(new URL(".", import.meta.url));
    const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: here, encoding: "utf8" }).trim();
    writeFileSync(join(here, "RESULTS-shelf.md"), toReport(table, commit));
  }
} finally {
  rmSync(top, { recursive: true });
}

function toReport(table, commit) {
  return `# The command line

Made by \`npm run bench -- --shelf\`: the time of \`shelf install\` of the files of a lock file beside \`curl --parallel\` with 8
transfers at once, from the same \`node:http\` server in the same run. \`shelf\` also starts Node.js, asks for the files by their hashes,
verifies each SHA-512, waits until each file is on the disk, and writes its journal; \`curl\` does none of that. A ratio above 1
means that \`shelf\` is faster. The server sends all answers together at the rate of the network, each after the delay; "none" is
the machine itself, which no player has. All programs share the machine, so only ratios are meaningful; the range shows all rounds.

At ${commit}, on ${cpus().length} × ${cpus()[0].model}, Node ${process.versions.node}; median of ${options.rounds} alternating rounds.

${table}
`;
}
