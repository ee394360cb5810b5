// `node scripts/test.mjs all|only|check [arguments for vitest]`: checks and tests, only the tests, or only the checks.
// A check that fails ends the tests.
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const [what, ...args] = process.argv.slice(2);
  const node = await prepare({ dev: true, built: false });
  if (what === "check") return runChecks(node);
  const stopping = new AbortController();
  const checks = what === "all" ? runChecks(node) : undefined;
  // Most of the time only the check of the server's types is left, which uses one core: the tests do not wait for it.
  const tests = prepare({ dev: true, built: true }).then(() => runTests(node, args, stopping.signal));
  // They are awaited below: the messages of the checks explain more than those of the build.
  tests.catch(() => undefined);
  const failed = await checks;
  if (!failed) return tests;
  stopping.abort();
  return failed;
});

async function runChecks(node) {
  const { say } = await import("./process.mjs");
  say("Checking types (tsc) and style (biome).");
  const endings = await Promise.all([
    // Its threads would check shared types once each, which takes twice the CPU time.
    runCheck(node, "typescript/bin/tsc", [...checkTypes("server"), "--singleThreaded"], "--pretty"),
    runCheck(node, "typescript/bin/tsc", [...checkTypes("scripts"), "-p", "tsconfig.scripts.json"], "--pretty"),
    runCheck(node, "typescript/bin/tsc", [...checkTypes("client"), "-p", "packages/client"], "--pretty"),
    runCheck(node, "typescript/bin/tsc", [...checkTypes("cli"), "-p", "packages/cli"], "--pretty"),
    runCheck(node, "@biomejs/biome/bin/biome", ["check", "."], "--colors=force"),
  ]);
  return endings.find((ending) => ending.code !== 0);
}

// Files that have not changed since the last check, and that import nothing that has, are not checked again.
const checkTypes = (name) => [
  "--noEmit",
  "--incremental",
  "--tsBuildInfoFile",
  `node_modules/.cache/${name}.tsbuildinfo`,
];

// The checks run concurrently; the output of each is buffered until its end so that they do not mix.
async function runCheck(node, script, args, colors) {
  const { root } = await import("./files.mjs");
  const { run, say } = await import("./process.mjs");
  const chunks = [];
  const all = [`${root}/node_modules/${script}`, ...args, ...(process.stderr.isTTY ? [colors] : [])];
  const ending = await run(node, all, { cwd: root, onOutput: (chunk) => chunks.push(chunk) });
  process.stderr.write(Buffer.concat(chunks));
  if (ending.code !== 0) say(`Failed: ${script.split("/").pop()} ${args.join(" ")}`);
  return ending;
}

async function runTests(node, args, signal) {
  const { root } = await import("./files.mjs");
  const { run, say } = await import("./process.mjs");
  say("Running the tests (vitest).");
  return run(node, [`${root}/node_modules/vitest/vitest.mjs`, "run", ...args], { cwd: root, signal });
}
