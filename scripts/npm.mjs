// Finds npm and runs it with a given Node.js.
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { Failure, run } from "./process.mjs";

/**
 * Runs npm in `folder` with the given Node.js. npm omits optional packages that do not suit the Node.js that it runs
 * with, so packages must be installed with the Node.js that will use them. Throws `failure` if npm fails. `output` is the file
 * descriptor for its standard output.
 */
export async function npm(node, folder, args, failure, output = 2) {
  // The explicit prefix wins over one inherited from `npm --prefix … start`.
  const all = [...args, "--prefix", ".", "--loglevel=error", "--engine-strict=false", "--no-audit", "--no-fund"];
  const options = { cwd: folder, env: withPath(dirname(node)), stdio: ["ignore", output, 2] };
  const script = findScript();
  let ending;
  try {
    if (script) ending = await run(node, [script, ...all], options);
    else if (process.platform === "win32")
      ending = await run(`npm.cmd ${all.join(" ")}`, [], { ...options, shell: true });
    else ending = await run("npm", all, options);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    throw new Failure("npm was not found. It comes with Node.js: install both from https://nodejs.org and try again.");
  }
  if (ending.received) throw new Failure("Stopped.", { signal: ending.received });
  if (ending.code !== 0) throw new Failure(failure);
}

/** npm's own program: the one that runs this command, or the one that came with this Node.js. */
function findScript() {
  const caller = process.env.npm_execpath ?? "";
  // yarn and pnpm name themselves in the same variable.
  if (/(^|[\\/])npm-cli\.[cm]?js$/.test(caller)) return caller;
  const home = dirname(process.execPath);
  return [home, join(home, "..", "lib")]
    .map((folder) => join(folder, "node_modules", "npm", "bin", "npm-cli.js"))
    .find((path) => existsSync(path));
}

/** The environment with `folder` first in PATH, so that programs started by npm find the same Node.js. */
function withPath(folder) {
  const name = Object.keys(process.env).find((one) => one.toUpperCase() === "PATH") ?? "PATH";
  return { ...process.env, [name]: [folder, process.env[name]].filter(Boolean).join(delimiter) };
}
