// `npm run docs`: writes the generated documents: docs/configuration.md, the default taxonomy as JSON, the types of
// packages/client, the transcripts in docs/command-line.md, and the examples of the API reference, which are answers of a
// real server. Tests fail if one of them is stale; the transcripts are not compared.
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { root } = await import("./files.mjs");
  const { run } = await import("./process.mjs");
  const node = await prepare({ dev: true, built: true });
  const written = await run(node, [`${root}/scripts/write-docs.mjs`]);
  if (written.code !== 0) return written;
  return run(node, [`${root}/node_modules/vitest/vitest.mjs`, "run", "--project", "examples"], {
    cwd: root,
    env: { ...process.env, EXAMPLES: "write" },
  });
});
