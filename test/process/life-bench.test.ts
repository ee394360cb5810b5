// The living benchmark in its shortest form: it must run from the generated data to the tables. Nothing is timed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { build, temporaryFolder, useProcesses } from "./program.js";

useProcesses();
const script = fileURLToPath(new URL("../../bench/life/run.mjs", import.meta.url));

const data = temporaryFolder();

async function measure(options: Record<string, string | number>) {
  const args = Object.entries({ projects: 90, "calm-seconds": 0, data, ...options });
  const child = spawn(process.execPath, [script, ...args.flatMap(([name, value]) => [`--${name}`, String(value)])]);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
  const [code] = await once(child, "close");
  expect(code, said).toBe(0);
  const rows = said.split("\n").filter((line) => line.startsWith("| "));
  return { said, firstCells: rows.map((row) => row.split(" | ")[0]!.slice(2)) };
}

test("the living benchmark measures quiet traffic, one kind of question and living traffic beside the ceiling", async () => {
  await build();
  const sizes = { requests: 80, seconds: 60, "kind-seconds": 60, "living-seconds": 60 };
  const short = { "warm-seconds": 0, "ceiling-seconds": 0.1, only: "quiet,hashes,living" };
  const { said, firstCells } = await measure({ ...sizes, ...short });
  expect(firstCells).toEqual(expect.arrayContaining(["quiet", "living", "20 to 140 hashes", "pages", "downloads"]));
  expect(said).toMatch(/Published [1-9]\d* versions/);
});

test("a long run of living traffic has a row for each interval", async () => {
  const { said, firstCells } = await measure({ minutes: 0.05, write: "no" });
  const intervals = firstCells.filter((cell) => /^\d+\.\d to \d+\.\d$/.test(cell));
  // Twelve at most: so short ones may be joined on a busy machine.
  expect(intervals.length).toBeGreaterThanOrEqual(2);
  expect(intervals.length).toBeLessThanOrEqual(12);
  expect(firstCells).toEqual(expect.arrayContaining(["a project", "search", "downloads"]));
  expect(said).toMatch(/\b[1-9]\d* versions published, 0 left out/);
  expect(said).toMatch(/PSS: [1-9]\d* MiB before the traffic, median [1-9]/);
});
