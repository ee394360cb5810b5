// Packages as users get them: packed, and installed without network in an empty folder. `npm test` uses the Node.js versions
// of this machine, `npm run test:long` all that the packages support.
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { isLong } from "./long.js";

export const root = join(import.meta.dirname, "../..");

/** Runs a program; a failure includes its output. */
export const run = async (
  command: string,
  args: string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string> => {
  const { stdout } = await promisify(execFile)(command, args, { cwd, env: { ...process.env, ...env } }).catch(
    (error) => {
      throw new Error(`${command} ${args.join(" ")}\n${error.stdout}\n${error.stderr}`);
    },
  );
  return stdout;
};

/** The other Node.js versions of this machine that the packages support, or one of each in the long run. */
export async function findNodes(folder: string): Promise<string[]> {
  if (isLong) {
    const name = `node-${process.platform}-${process.arch}`;
    const majors = ["20", "22", "24", "26"];
    for (const major of majors)
      await run("npm", ["install", "--no-save", "--prefix", join(folder, major), `${name}@${major}`], folder);
    return majors.map((major) => join(folder, major, "node_modules", name, "bin", "node"));
  }
  const others = (process.env.PATH ?? "")
    .split(delimiter)
    .map((place) => join(place, "node"))
    .filter(existsSync);
  const byVersion = new Map<string, string>();
  for (const path of [process.execPath, ...others]) {
    const version = (await run(path, ["--version"], folder)).trim();
    if (Number(version.slice(1).split(".")[0]) >= 20 && !byVersion.has(version)) byVersion.set(version, path);
  }
  return [...byVersion.values()];
}

/** Deno and Bun, in the long run: the program, and the words before the name of a script. */
export async function findOtherRuntimes(folder: string): Promise<string[][]> {
  if (!isLong) return [];
  const { platform, arch } = process;
  const deno = `@deno/${platform}-${arch}${platform === "linux" ? "-glibc" : ""}`;
  const bun = `@oven/bun-${platform}-${arch === "arm64" ? "aarch64" : arch}`;
  await run("npm", ["install", "--no-save", "--prefix", join(folder, "others"), deno, bun], folder);
  const at = (...path: string[]) => join(folder, "others", "node_modules", ...path);
  return [[at(deno, "deno"), "run", "--allow-all"], [at(bun, "bin", "bun")]];
}

/** `build` puts the package's dist into the folder that it gets. Returns the folder in which the package is installed. */
export async function installPacked(
  folder: string,
  name: "client" | "cli",
  build: (place: string) => Promise<unknown>,
): Promise<string> {
  const place = join(folder, name);
  mkdirSync(place);
  for (const file of ["package.json", "LICENSE", "README.md"])
    cpSync(join(root, "packages", name, file), join(place, file));
  await build(place);
  await run("npm", ["pack", "--ignore-scripts", place, "--pack-destination", folder], folder);
  const installed = join(folder, "installed");
  mkdirSync(installed);
  writeFileSync(join(installed, "package.json"), "{}");
  const [tarball] = readdirSync(folder).filter((file) => file.endsWith(".tgz"));
  await run("npm", ["install", "--offline", `../${tarball}`], installed);
  return installed;
}
