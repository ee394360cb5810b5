// Checks whether the packages in node_modules match package-lock.json, and installs them if not.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readIfThere, readPackages, root } from "./files.mjs";
import { npm } from "./npm.mjs";
import { say } from "./process.mjs";
import { findNode } from "./runtime.mjs";

// Written by npm at the end of an install, also of a manual one; an interrupted install has no such file.
const record = join(root, "node_modules", ".package-lock.json");
// Written after an install by these scripts: the record that npm left, and the machine.
const stamp = join(root, "node_modules", ".modshelf");

export function isInstalled(withDev) {
  const locked = readPackages(join(root, "package-lock.json"));
  const installed = readPackages(record);
  if (!locked || !installed) return false;
  const isMissing = ([path, wanted]) =>
    path.includes("node_modules/") && !installed[path] && !isDispensable(wanted) && (withDev || !wanted.dev);
  const isOther = ([path, { version, integrity }]) =>
    path.includes("node_modules/") && (locked[path]?.version !== version || locked[path]?.integrity !== integrity);
  if (Object.entries(locked).some(isMissing) || Object.entries(installed).some(isOther)) return false;
  return readIfThere(stamp)?.toString() === describeInstall() || isTrusted(installed);
}

/** Whether another install can be used: npm on an old Node.js silently omits packages that the pinned one needs. */
function isTrusted(installed) {
  return findNode() === process.execPath && Object.values(installed).every(suitsMachine);
}

export async function install(withDev) {
  const before = readPackages(record);
  // Packages that a contributor needs for testing are not removed by starting the server.
  const isFull = withDev || Object.values(before ?? {}).some((one) => one.dev);
  const reason = before ? "do not match package-lock.json or the runtime" : "are not installed yet";
  const which = isFull ? "packages, including those for testing," : "packages";
  say(`The ${which} ${reason}: installing them with "npm ci" (once, may take a minute).`);
  await npm(
    findNode(),
    root,
    // Packages run no install scripts: the few that have one (test/laws/install-scripts.test.ts) do not need it.
    ["ci", "--ignore-scripts", isFull ? "--include=dev" : "--omit=dev"],
    `"npm ci" failed and nothing was started. See npm's message above.
If the network is the problem, check the connection and the proxy ("npm config get proxy").
If package.json or package-lock.json is the problem, restore both from the repository (npm before 8.19 misreads them).
Then run the same command again.`,
  );
  writeFileSync(stamp, describeInstall());
}

function describeInstall() {
  const hash = createHash("sha256").update(readIfThere(record) ?? "");
  return `${process.platform} ${process.arch} ${hash.digest("hex")}\n`;
}

function isDispensable(one) {
  return one.optional || one.devOptional;
}

/** A folder shared between machines (a container and its host) may contain binaries of the other one. */
function suitsMachine({ os, cpu }) {
  return allows(os, process.platform) && allows(cpu, process.arch);
}

function allows(list, value) {
  const entries = [list ?? []].flat();
  if (entries.includes(`!${value}`)) return false;
  const named = entries.filter((entry) => !entry.startsWith("!"));
  return named.length === 0 || named.includes(value) || named.includes("any");
}
