#!/usr/bin/env node
// The command `modshelf`: runs the server's command line in the caller's folder. In a clone it first prepares everything that
// is missing; the package from npm has nothing to prepare.
import { enter } from "./enter.mjs";

enter(async () => {
  const { isClone, root } = await import("./files.mjs");
  const { run } = await import("./process.mjs");
  const { allocatorSettings, nodeOptions } = await import("./server-start.mjs");
  const node = isClone()
    ? await (await import("./prepare.mjs")).prepare({ dev: false, built: true })
    : (await import("./runtime.mjs")).getNode();
  // The compile cache makes the next start a fifth quicker.
  const env = { NODE_COMPILE_CACHE: `${root}/.runtime/compiled`, ...allocatorSettings, ...process.env };
  // If this process is killed, the channel closes and the server stops instead of continuing unnoticed.
  const stdio = ["inherit", "inherit", "inherit", "ipc"];
  // Without source maps, which would take 65 MB: stack traces name functions, and the map beside each file of the build says
  // where a place is in the source. `npm run dev` uses the maps.
  return run(node, [...nodeOptions, `${root}/dist/server/src/main.js`, ...process.argv.slice(2)], { env, stdio });
});
