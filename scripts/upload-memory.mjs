// `npm run test:upload-memory`: ten uploads of 500 MiB at once (test/process/upload-memory.test.ts). Takes 10 GB of disk.
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { root } = await import("./files.mjs");
  const { run } = await import("./process.mjs");
  const node = await prepare({ dev: true, built: true });
  const args = [`${root}/node_modules/vitest/vitest.mjs`, "run", "--project", "pure", "test/process/upload-memory"];
  return run(node, args, { cwd: root, env: { ...process.env, UPLOAD_MEMORY: "full" } });
});
