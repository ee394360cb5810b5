// The index of a .mrpack, the only file that an exported pack contains (docs/exporting.md).
import type { Environment } from "#content/taxonomy/taxonomy.js";
import { type ModLoader, type Pack, type PackFile, toPaths } from "./pack.js";

export const mrpackIndex = "modrinth.index.json";

const loaderIds: Readonly<Record<ModLoader, string>> = {
  fabric: "fabric-loader",
  quilt: "quilt-loader",
  forge: "forge",
  neoforge: "neoforge",
};

export function toMrpackIndex({ name, version, summary, minecraft, loader, files }: Pack): Buffer {
  const paths = toPaths(files);
  const index = {
    formatVersion: 1,
    game: "minecraft",
    versionId: version,
    name,
    ...(summary !== "" && { summary }),
    files: files.map((file, at) => ({
      path: paths[at],
      hashes: { sha1: file.sha1, sha512: file.sha512 },
      ...toEnv(file),
      downloads: [file.url],
      fileSize: file.size,
    })),
    dependencies: { minecraft, ...(loader && { [loaderIds[loader.name]]: loader.version }) },
  };
  return Buffer.from(`${JSON.stringify(index, undefined, 2)}\n`);
}

/** Without it, a file is for both sides; so a side that the author has not described gets the file too. */
function toEnv({ clientSide, serverSide }: Pick<PackFile, "clientSide" | "serverSide">) {
  const sides = [clientSide, serverSide];
  if (sides.every((side) => side === "unknown") || sides.every((side) => side === "unsupported")) return {};
  const known = (side: Environment) => (side === "unknown" ? "required" : side);
  return { env: { client: known(clientSide), server: known(serverSide) } };
}
