// `npm run test:adversary`: every attack on every route (test/adversary); `npm test` makes some of them. Takes half an hour.
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { root } = await import("./files.mjs");
  const { run } = await import("./process.mjs");
  const node = await prepare({ dev: true, built: true });
  const args = [`${root}/node_modules/vitest/vitest.mjs`, "run", "--project", "pure", "test/adversary"];
  return run(node, args, { cwd: root, env: { ...process.env, ADVERSARY: "full" } });
});
