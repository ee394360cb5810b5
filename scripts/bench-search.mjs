// `npm run bench:search [-- --projects=N --engine=sqlite|postgres --questions=N --rounds=N]`: see bench/search.mjs.
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { root } = await import("./files.mjs");
  const { run } = await import("./process.mjs");
  const node = await prepare({ dev: true, built: true });
  return run(node, ["--expose-gc", `${root}/bench/search.mjs`, ...process.argv.slice(2)]);
});
