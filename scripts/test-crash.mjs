// `npm run test:crash`: the real server dies at every fail point in turn, and in the middle of everything (test/process);
// `npm test` takes every third point of publishing.
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { root } = await import("./files.mjs");
  const { run } = await import("./process.mjs");
  const node = await prepare({ dev: true, built: true });
  const args = [`${root}/node_modules/vitest/vitest.mjs`, "run", "--project", "pure", "crash"];
  return run(node, args, { cwd: root, env: { ...process.env, CRASH: "all" } });
});
