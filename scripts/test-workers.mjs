// `npm run test:workers`: the long form of the tests of worker processes, on both engines: hundreds of writes that are read
// through another worker, dozens of kills during publishing, and a worker that hangs.
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { root } = await import("./files.mjs");
  const { run } = await import("./process.mjs");
  const node = await prepare({ dev: true, built: true });
  const files = [
    "server/src/platform/workers",
    "server/src/platform/http/shared-buckets",
    "test/process/workers.test.ts",
  ];
  const args = [`${root}/node_modules/vitest/vitest.mjs`, "run", "--maxWorkers=1", ...files, ...process.argv.slice(2)];
  return run(node, args, { cwd: root, env: { TEST_LONG: "1", ...process.env } });
});
