// Builds the packages that are published beside the server, into the folder dist of each. The client is plain JavaScript with
// declarations that refer to nothing outside of the package. The command line is one file, with the client in it.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./files.mjs";
import { Failure, run } from "./process.mjs";

/** @param {string} node the program to run the compiler with */
export async function buildPackages(node) {
  // npm packs everything in there, so files of an earlier build must go.
  for (const name of ["client", "cli"]) rmSync(join(root, "packages", name, "dist"), { recursive: true, force: true });
  const { code } = await run(node, [
    join(root, "node_modules/typescript/bin/tsc"),
    "-p",
    join(root, "packages/client"),
  ]);
  if (code !== 0) throw new Failure("The package client cannot be built, see above.");
  await buildCommandLine();
}

/** @param {string} outfile tests build a program of their own */
export async function buildCommandLine(outfile = join(root, "packages/cli/dist/shelf.cjs")) {
  const { build } = await import("esbuild");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const source = (name) => join(root, "packages/client/src", `${name}.ts`);
  await build({
    entryPoints: [join(root, "packages/cli/src/entry.ts")],
    outfile,
    // An import of node:http loads everything that it could export, which takes 60 ms. `require` loads what is used.
    ...{ bundle: true, platform: "node", format: "cjs", target: "node20" },
    alias: { "modshelf-client": source("entry"), "modshelf-client/node": source("node") },
    define: { SHELF_VERSION: JSON.stringify(version) },
  });
}
