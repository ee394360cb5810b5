// `npm run test:pages [-- word]`: every flow and page in a real browser (test/browser).
import { availableParallelism } from "node:os";
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { root } = await import("./files.mjs");
  const { run } = await import("./process.mjs");
  const node = await prepare({ dev: true, built: true });
  // Browsers compute all the time, unlike most tests: more of them than there are cores only wait for each other.
  const workers = `--maxWorkers=${availableParallelism()}`;
  const vitest = `${root}/node_modules/vitest/vitest.mjs`;
  const args = [vitest, "run", "--project", "browser", workers, ...process.argv.slice(2)];
  return run(node, args, { cwd: root, env: { ...process.env, PAGES: "full" } });
});
