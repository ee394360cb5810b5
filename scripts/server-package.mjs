// The server's package: the files that package.json lists, and a manifest of its own. The repository's manifest would install
// every package that the build already contains.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nativePackage } from "./compile.mjs";
import { readPackages, root } from "./files.mjs";

/** Pictures and the reasons for decisions stay in the repository; source maps would double the size. */
const isWanted = (path) => !/\.map$|[\\/]docs[\\/](?:decisions|design|images)$/.test(path);

/** @param {string} folder gets a copy of the current build and everything that it needs */
export function stageServer(folder) {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { name, version, description, license, type, engines, bin, files } = manifest;
  const native = readPackages(join(root, "package-lock.json"))[`node_modules/${nativePackage}`].version;
  const dependencies = { [nativePackage]: native };
  mkdirSync(folder, { recursive: true });
  for (const path of ["LICENSE", "README.md", ...files])
    cpSync(join(root, path), join(folder, path), { recursive: true, filter: isWanted });
  const own = { name, version, description, license, type, engines, bin, files, dependencies };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(own, undefined, 2)}\n`);
}
