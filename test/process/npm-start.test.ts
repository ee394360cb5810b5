// `npm start` under a supervisor: whichever signal ends npm or the program that it starts, the server stops cleanly and
// does not keep running.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { anyPort, Program, portOf, temporaryFolder, useProcesses } from "./program.js";
import { RawConnection } from "./raw-connection.js";

useProcesses();

const root = fileURLToPath(new URL("../../", import.meta.url));
const starts = { npm: ["npm", "start"], "scripts/modshelf.mjs": [process.execPath, "scripts/modshelf.mjs", "serve"] };

/** In a separate process group, as a service manager starts it. */
async function start(command: readonly string[], settings = {}): Promise<Program> {
  const [file = "", ...args] = command;
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, MODSHELF_DATA_DIR: temporaryFolder(), ...anyPort, ...settings };
  const program = new Program(spawn(file, args, { cwd: root, env, detached: true, stdio: ["ignore", "pipe", "pipe"] }));
  await program.heard(/Modshelf is running at/);
  return program;
}

/** The output is closed when its last writer has ended, so a server that was left running would keep it open. */
async function expectStopped(program: Program): Promise<void> {
  await program.exited;
  expect(program.stdout).toContain('"Stopped"');
}

describe.concurrent("the server stops", () => {
  test.each([
    ["npm", "SIGTERM"],
    ["npm", "SIGINT"],
    ["npm", "SIGHUP"],
    ["npm", "SIGKILL"],
    ["scripts/modshelf.mjs", "SIGTERM"],
    ["scripts/modshelf.mjs", "SIGINT"],
    ["scripts/modshelf.mjs", "SIGKILL"],
  ] as const)("when %s gets %s", async (what, signal) => {
    const program = await start(starts[what]);
    program.child.kill(signal);
    await expectStopped(program);
  });

  test("cleanly when its whole process group gets SIGTERM, which reaches it several times", async () => {
    const program = await start(starts.npm, { MODSHELF_WORKERS: "2" });
    process.kill(-program.child.pid!, "SIGTERM");
    await expectStopped(program);
  });
});

test("npm ends after the server, so that a container runs until the last request is answered", async () => {
  const program = await start(starts.npm);
  const connection = await RawConnection.open(await portOf(program));
  connection.send("POST /api/auth/signin/credential HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n");
  connection.send("content-type: application/json\r\ncontent-length: 2\r\n\r\n");
  await connection.heard(/^HTTP\/1\.1 100 Continue/);
  const ended = once(program.child, "exit").then(() => "ended");
  program.child.kill("SIGTERM");
  await program.heard(/"Stopping"/);
  const isRunning = connection.heard(/HTTP\/1\.1 4\d\d/).then(() => "answered");
  connection.send("{}");
  expect(await Promise.race([ended, isRunning])).toBe("answered");
  await expectStopped(program);
});
