// The living benchmark in its shortest form: it must run from the generated data to the tables. Nothing is timed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { build, temporaryFolder, useProcesses } from "./program.js";

useProcesses();
const script = fileURLToPath(new URL("../../bench/life/run.mjs", import.meta.url));

test("the living benchmark measures quiet traffic, one kind of question and living traffic beside the ceiling", async () => {
  await build();
  const sizes = { projects: 90, requests: 80, seconds: 60, "kind-seconds": 60, "living-seconds": 60 };
  const short = { "warm-seconds": 0, "calm-seconds": 0, "ceiling-seconds": 0.1, only: "quiet,hashes,living" };
  const args = Object.entries({ ...sizes, ...short, data: temporaryFolder() });
  const child = spawn(process.execPath, [script, ...args.flatMap(([name, value]) => [`--${name}`, String(value)])]);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
  const [code] = await once(child, "close");
  expect(code, said).toBe(0);
  const rows = said.split("\n").filter((line) => line.startsWith("| "));
  const firstCells = rows.map((row) => row.split(" | ")[0]!.slice(2));
  expect(firstCells).toEqual(expect.arrayContaining(["quiet", "living", "20 to 140 hashes", "pages", "downloads"]));
  expect(said).toMatch(/Published [1-9]\d* versions/);
});
