// `npm run test:long [-- word]`: the long versions of tests of which `npm test` runs a sample, on both engines: every route
// with every credential, origin and secret, every kind of body and of damage, a crash at every point, clients of every
// generator, the packed client and command line on every version of Node.js (the client also in Deno and Bun), Modrinth's
// own client, a cluster, and thousands of random requests. With a word: only the files whose names contain it.
import { enter } from "./enter.mjs";

const files = ["api/fuzz", "api/moderation-fuzz", "api/raw-fuzz", "api/scope-matrix", "api/pages"];
const once = [
  "process/cluster",
  "process/secrets",
  "process/clients",
  "process/publish-crash",
  "client/package",
  "cli/package",
  "cli/folder-crash",
  "adversary/watchdog",
];
const features = [
  "accounts/providers/trouble",
  "config/settings",
  "content/projects/edit-permissions",
  "content/versions/hostile-uploads",
  "platform/archives/compare",
  "platform/archives/zip-damage",
];

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { root } = await import("./files.mjs");
  const { run } = await import("./process.mjs");
  const node = await prepare({ dev: true, built: true });
  const [word = "", ...options] = process.argv.slice(2);
  const paths = [
    ...[...files, ...once].map((name) => `test/${name}.test.ts`),
    ...features.map((name) => `server/src/${name}`),
  ].filter((path) => path.includes(word));
  const env = { TEST_LONG: "1", FUZZ_REQUESTS: "20000", FUZZ_SEED: "random", ...process.env };
  return run(node, [`${root}/node_modules/vitest/vitest.mjs`, "run", ...paths, ...options], {
    cwd: root,
    env,
  });
});
