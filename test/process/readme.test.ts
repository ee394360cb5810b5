// The README's tour works as printed: its commands run in a shell against the real program.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startServer, temporaryFolder, useProcesses } from "./program.js";

useProcesses();

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const [tour = ""] = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, commands]) => commands ?? "");

function hasCurl(): boolean {
  try {
    execFileSync("curl", ["--version"]);
    return true;
  } catch {
    // Without curl, only this test is skipped.
    return false;
  }
}

test.runIf(hasCurl())("every command of the tour succeeds", async () => {
  const server = await startServer();
  expect(tour).toContain("http://localhost:3000");
  const script = tour
    .replace("http://localhost:3000", server.origin)
    .replaceAll("curl -s", "curl -sS --fail-with-body");
  const output = execFileSync("sh", ["-eu", "-c", script], { cwd: temporaryFolder(), encoding: "utf8" });
  expect(output).not.toContain('"success":false');
  expect(output).toContain('"userName":"ada"');
  expect(output).toContain('"slug":"fancy-lamps"');
  expect(output).toContain("simply_shaders");
});
