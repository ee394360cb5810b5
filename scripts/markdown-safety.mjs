// `npm run test:markdown`: 20,000 attacks on the markdown renderer in a real browser (test/browser/markdown-safety.test.ts).
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { root } = await import("./files.mjs");
  const { run } = await import("./process.mjs");
  const node = await prepare({ dev: true, built: true });
  const args = [
    `${root}/node_modules/vitest/vitest.mjs`,
    "run",
    "--project",
    "browser",
    "test/browser/markdown-safety",
  ];
  return run(node, args, { cwd: root, env: { ...process.env, PAGES: "full", MARKDOWN_ATTACKS: "20000" } });
});
