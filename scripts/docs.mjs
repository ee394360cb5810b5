// `npm run docs`: writes the pages that are made from the code. A test fails when one of them is stale.
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { root } = await import("./files.mjs");
  const { run } = await import("./process.mjs");
  const node = await prepare({ dev: false, built: true });
  return run(node, [`${root}/scripts/write-docs.mjs`]);
});
