// `npm run bench [-- --projects=N --seconds=N --rounds=N --only=word]`: see bench/run.mjs.
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { root } = await import("./files.mjs");
  const { run } = await import("./process.mjs");
  const node = await prepare({ dev: false, built: true });
  return run(node, [`${root}/bench/run.mjs`, ...process.argv.slice(2)]);
});
