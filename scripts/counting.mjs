// `npm run test:counting`: ten minutes of 1,000 downloads a second, of one file and of 10,000, on both engines, as fast
// as they can be counted (server/src/content/downloads/counting.test.ts). Prints the CPU time and memory of the first
// and the last part.
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { root } = await import("./files.mjs");
  const { run } = await import("./process.mjs");
  const node = await prepare({ dev: true, built: false });
  const file = "server/src/content/downloads/counting.test.ts";
  const args = [`${root}/node_modules/vitest/vitest.mjs`, "run", "--maxWorkers=1", "--execArgv=--expose-gc", file];
  return run(node, [...args, ...process.argv.slice(2)], { cwd: root, env: { ...process.env, COUNTING: "full" } });
});
