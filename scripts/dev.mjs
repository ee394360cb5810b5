// `npm run dev`: the server, restarted after every change of its sources that builds.
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { root } = await import("./files.mjs");
  const { run } = await import("./process.mjs");
  const node = await prepare({ dev: true, built: false });
  // Watching folders recursively on Linux takes a recent Node.js as well.
  if (node !== process.execPath) return run(node, [`${root}/scripts/dev.mjs`, ...process.argv.slice(2)]);
  const { watchAndServe } = await import("./watch.mjs");
  return watchAndServe(process.argv.slice(2));
});
