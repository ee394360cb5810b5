// Builds the packages that are published beside the server: plain JavaScript, and declarations that refer to nothing
// outside of the package. They are written to the folder dist of each package.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./files.mjs";
import { Failure, run } from "./process.mjs";

export async function buildPackages(node) {
  for (const name of readdirSync(join(root, "packages"))) {
    const folder = join(root, "packages", name);
    // npm packs everything in there, so files of an earlier build must go.
    rmSync(join(folder, "dist"), { recursive: true, force: true });
    const { code } = await run(node, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder]);
    if (code !== 0) throw new Failure(`The package ${name} cannot be built, see above.`);
  }
}
