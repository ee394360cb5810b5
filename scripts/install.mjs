// The packages in node_modules: are they those of package-lock.json, and if not, install them.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readIfThere, readPackages, root } from "./files.mjs";
import { npm } from "./npm.mjs";
import { say } from "./process.mjs";
import { findNode } from "./runtime.mjs";

// Written by npm as the last act of an install: it covers installs made by hand too, and an interrupted one has none.
const record = join(root, "node_modules", ".package-lock.json");
// Written by us after an install of ours: which record npm left, and on which machine.
const stamp = join(root, "node_modules", ".modshelf");

export function isInstalled(withDev) {
  const locked = readPackages(join(root, "package-lock.json"));
  const installed = readPackages(record);
  if (!locked || !installed) return false;
  const isMissing = ([path, wanted]) =>
    path.includes("node_modules/") && !installed[path] && !isDispensable(wanted) && (withDev || !wanted.dev);
  const isOther = ([path, { version, integrity }]) =>
    path.includes("node_modules/") && (locked[path]?.version !== version || locked[path].integrity !== integrity);
  if (Object.entries(locked).some(isMissing) || Object.entries(installed).some(isOther)) return false;
  return readIfThere(stamp)?.toString() === describeInstall() || isTrusted(installed);
}

/** Whether an install that is not ours will do: npm on an old Node.js silently leaves out what the pinned one needs. */
function isTrusted(installed) {
  return findNode() === process.execPath && Object.values(installed).every(suitsMachine);
}

export async function install(withDev) {
  const before = readPackages(record);
  // What a contributor has for testing is not taken away by a mere start.
  const isFull = withDev || Object.values(before ?? {}).some((one) => one.dev);
  const reason = before ? "do not match package-lock.json or the runtime" : "are not here yet";
  const which = isFull ? "packages, those for testing included," : "packages";
  say(`The ${which} ${reason}: installing them with "npm ci" (once, may take a minute).`);
  await npm(
    findNode(),
    root,
    // Packages run no code of theirs at the install: the few that would (test/laws/install-scripts.test.ts) need none.
    ["ci", "--ignore-scripts", isFull ? "--include=dev" : "--omit=dev"],
    `"npm ci" failed, nothing was started; npm's reason stands above.
If it is the network: check the connection, and the proxy if there is one ("npm config get proxy").
If it is package.json or package-lock.json: take both as they are in the repository (npm before 8.19 misreads them).
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

/** A folder shared between machines (a container and its host) may hold binaries of the other one. */
function suitsMachine({ os, cpu }) {
  return allows(os, process.platform) && allows(cpu, process.arch);
}

function allows(list, value) {
  const entries = [list ?? []].flat();
  if (entries.includes(`!${value}`)) return false;
  const named = entries.filter((entry) => !entry.startsWith("!"));
  return named.length === 0 || named.includes(value) || named.includes("any");
}
