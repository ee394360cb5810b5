// The files of a release: a tarball of each package, a bill of materials of everything that the server contains, the notes,
// and the checksums of all of them.
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "./compile.mjs";
import { root } from "./files.mjs";
import { withLock } from "./lock.mjs";
import { npm } from "./npm.mjs";
import { buildPackages } from "./packages.mjs";
import { prepare } from "./prepare.mjs";
import { nameComponents, packageFolders, toChecksums } from "./release-plan.mjs";
import { stageServer } from "./server-package.mjs";

/** @param {string} folder is emptied first */
export async function makeArtifacts(folder, notes) {
  const node = await prepare({ dev: true, built: false });
  await withLock(() => build({ isExact: true }));
  await buildPackages(node);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const stage = mkdtempSync(join(tmpdir(), "modshelf-release-"));
  try {
    stageServer(stage);
    for (const place of packageFolders.map((one) => (one === "." ? stage : join(root, one))))
      await npm(node, folder, ["pack", "--ignore-scripts", "--silent", place], `${place} cannot be packed, see above.`);
  } finally {
    rmSync(stage, { recursive: true });
  }
  await writeMaterials(node, join(folder, "sbom.cdx.json"));
  writeFileSync(join(folder, "NOTES.md"), notes);
  const files = readdirSync(folder).sort();
  writeFileSync(join(folder, "SHA256SUMS"), toChecksums(files.map((name) => [name, readFileSync(join(folder, name))])));
}

/** CycloneDX, from the lock file: the packages that the build contains, and the one that npm installs beside it. */
async function writeMaterials(node, path) {
  const file = openSync(path, "w");
  const options = ["--sbom-format=cyclonedx", "--sbom-type=application", "--package-lock-only", "--omit=dev"];
  try {
    await npm(node, root, ["sbom", ...options], "The bill of materials cannot be made, see above.", file);
  } finally {
    closeSync(file);
  }
  writeFileSync(path, nameComponents(readFileSync(path, "utf8")));
}
