// `npm run test:pages [-- word]`: every flow and page in a real browser (test/browser).
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { root } = await import("./files.mjs");
  const { run } = await import("./process.mjs");
  const node = await prepare({ dev: true, built: true });
  const args = [`${root}/node_modules/vitest/vitest.mjs`, "run", "--project", "browser", ...process.argv.slice(2)];
  return run(node, args, { cwd: root, env: { ...process.env, PAGES: "full" } });
});
