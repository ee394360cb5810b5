// Tests the probe itself: a suite that notices nothing proves nothing.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { probe } from "./measured-server.js";

const MiB = 1024 * 1024;

/** The report of the probe after the program was told to do that. */
async function costOf(order: "burn" | "waste" | "keep" | "rest"): Promise<{ held: number; grown: number }> {
  const program = fork(fileURLToPath(new URL("./costly.mjs", import.meta.url)), {
    execArgv: ["--expose-gc", "--import", probe],
    env: { ADVERSARY_MOST_BYTES: String(32 * MiB) },
  });
  onTestFinished(() => void program.kill("SIGKILL"));
  const ask = async (question: string) => {
    const answered = once(program, "message");
    program.send(question);
    return (await answered)[0];
  };
  await ask("collect");
  if (order !== "rest") await ask(order);
  return ask("cost");
}

test("notices a blocked event loop", async () => {
  expect((await costOf("burn")).held).toBeGreaterThan(70);
});

test("notices retained memory, and ignores garbage", async () => {
  expect((await costOf("keep")).grown).toBeGreaterThan(32 * MiB);
  expect((await costOf("waste")).grown).toBeLessThan(32 * MiB);
});

test("notices nothing if nothing is done", async () => {
  const { held, grown } = await costOf("rest");
  expect(held).toBeLessThan(30);
  expect(grown).toBe(0);
});
