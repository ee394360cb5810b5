// `npm run test:adversary`: attacks on every route (test/adversary), in rounds for 14 minutes, or for as many minutes
// as ADVERSARY_MINUTES says; `npm test` makes a sample of one round.
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { root } = await import("./files.mjs");
  const { run } = await import("./process.mjs");
  const node = await prepare({ dev: true, built: true });
  const args = [`${root}/node_modules/vitest/vitest.mjs`, "run", "--project", "pure", "test/adversary/adversary"];
  return run(node, args, { cwd: root, env: { ADVERSARY_MINUTES: "14", ...process.env } });
});
