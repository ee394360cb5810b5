// `npm run dev`: the server, restarted after every change of its sources that builds.
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { watchAndServe } = await import("./watch.mjs");
  const node = await prepare({ dev: true, built: false });
  return watchAndServe(node, process.argv.slice(2));
});
