// The table of the benchmark of files, on the screen and in RESULTS-files.md: a section for each engine
// and processor.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";

const path = fileURLToPath(new URL("../RESULTS-files.md", import.meta.url));
const head = `# Downloads and uploads

Made by \`npm run bench -- --files\`: CPU time per request (user and system, of all processes of the server, with PostgreSQL)
beside bare \`node:http\` servers in the same run. For downloads the bare server sends \`fs.createReadStream(path)\` or passes on the
answer of the same object store; for uploads it reads the body, computes SHA-1 and SHA-512, and writes it to a file. Unless it says otherwise, each download comes
from a new address and is counted, and the time includes counting, of which the bare server does nothing: a round ends when its last
downloads are counted. (For tables before 1f9b2e4f it ended after a fixed pause, in which the idle server sometimes collected all garbage.)
A row "beside a stream from disk" compares downloads from S3 with \`fs.createReadStream(path)\` of the same files.
A ratio above 1 means that the server needs less CPU time than the bare one. Client, server and ceiling share the machine, so only ratios are meaningful; the range shows all rounds.
Ratios on different processors cannot be compared.
`;

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

export function report(results, { engine, rounds, only, write }) {
  const lines = results.map(({ row, rounds: all, memory }) => {
    const ratios = all.map(({ ratio }) => ratio);
    return [
      row.name,
      (median(all.map(({ own }) => own)) * 1000).toFixed(3),
      (median(all.map(({ bound }) => bound)) * 1000).toFixed(3),
      median(ratios).toFixed(2),
      `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
      row.aim,
      memory,
    ];
  });
  const heads = ["request", "CPU ms", "bare CPU ms", "ratio", "range", "aim", "memory MiB"];
  const table = [heads, heads.map(() => "---"), ...lines].map((line) => `| ${line.join(" | ")} |`).join("\n");
  console.log(`\n${table}`);
  if (only || write !== "yes") return;
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    encoding: "utf8",
  }).trim();
  const name = `## ${engine}, on ${cpus()[0].model}`;
  const section = `${name}

At ${commit}, ${cpus().length} cores, Node ${process.versions.node}; median of ${rounds} alternating rounds.

${table}
`;
  const before = existsSync(path)
    ? readFileSync(path, "utf8")
        .split(/^(?=## )/m)
        .slice(1)
    : [];
  const others = before.filter((text) => !text.startsWith(`${name}\n`)).map((text) => text.trimEnd());
  writeFileSync(path, [head.trimEnd(), ...[...others, section.trimEnd()].sort()].join("\n\n").concat("\n"));
}
