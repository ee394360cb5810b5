// The loop of `npm run dev`: build, restart the server after a successful build with changes, wait for the next change.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { build, sources } from "./compile.mjs";
import { root } from "./files.mjs";
import { withLock } from "./lock.mjs";
import { forwardSignals, say, watchParent } from "./process.mjs";
import { watchTree } from "./watch-tree.mjs";

// Editors and git write several files in quick succession.
const settleMs = 80;
const patienceMs = 5_000;

/** Serves with the given Node.js until a signal ends it; returns that signal. */
export async function watchAndServe(node, args) {
  const changes = createBell();
  const tree = watchTree(sources, changes.ring, (error) => say(`server/src cannot be watched: ${error.message}`));
  let signal;
  const end = (received) => {
    signal = received;
    changes.ring();
  };
  for (const one of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(one, end);
  const parent = watchParent();

  let server;
  while (!signal) {
    const outcome = await rebuild(tree);
    if (outcome === "new" || (outcome === "same" && !server?.isRunning())) {
      if (server) say("The code has changed: restarting the server.");
      await server?.stop("SIGTERM");
      if (!signal) server = startServer(node, args);
    }
    if (!signal) await changes.heard();
    if (!signal) await sleep(settleMs);
    changes.forget();
  }
  parent.stop();
  tree.close();
  await server?.stop();
  return { signal };
}

/** "new", "same", or "failed" if it could not be built and the running server stays. */
async function rebuild(tree) {
  try {
    tree.refresh();
    return (await withLock(build)) ? "new" : "same";
  } catch (error) {
    say(error.isExpected ? error.message : `The build failed: ${error.stack}`);
    return "failed";
  }
}

function startServer(node, args) {
  const child = spawn(node, ["--enable-source-maps", `${root}/dist/server/src/main.js`, "serve", ...args], {
    stdio: "inherit",
    // One process starts sooner.
    env: { MODSHELF_WORKERS: "1", ...process.env },
  });
  const forwarding = forwardSignals(child);
  let isAsked = false;
  const exited = once(child, "exit").then(([code, signal]) => {
    const isWanted = forwarding.stop() !== null || isAsked;
    if (!isWanted) say(`The server ended (${signal ?? `code ${code}`}); waiting for a change.`);
  });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    isRunning,
    /** Waits for the end; without `signal` it was asked to stop already. Kills it if it takes too long. */
    async stop(signal) {
      isAsked = true;
      if (signal && isRunning()) child.kill(signal);
      const force = setTimeout(() => child.kill("SIGKILL"), patienceMs);
      await exited;
      clearTimeout(force);
    },
  };
}

/** Remembers a ring until it is forgotten, so that a change during a build is not lost. */
function createBell() {
  let isRung = false;
  let wake = () => {};
  return {
    ring() {
      isRung = true;
      wake();
    },
    async heard() {
      if (!isRung) await new Promise((resolve) => (wake = resolve));
    },
    forget() {
      isRung = false;
    },
  };
}
