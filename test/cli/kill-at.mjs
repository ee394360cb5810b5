// Loaded before the program with --import: counts the calls that change files, and kills the process at one of them
// (KILL_AT), before it happens or, where the call writes, in the middle of it. At the end it tells how many there were.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const at = Number(process.env.KILL_AT);
let count = 0;
/** Whether this is the moment. */
const isNow = () => ++count === at;
const end = () => process.kill(process.pid, "SIGKILL");

const { promises } = fs;
const watched = [
  ...["mkdir", "rm", "rmdir", "rename", "link", "unlink", "open"].map((name) => [promises, name]),
  ...["linkSync", "unlinkSync", "renameSync"].map((name) => [fs, name]),
];
for (const [place, name] of watched) {
  const original = place[name];
  place[name] = (...args) => {
    if (isNow()) end();
    return original(...args);
  };
}
const { writeFile } = promises;
promises.writeFile = async (path, text, options) => {
  if (isNow()) end();
  if (isNow()) {
    fs.writeFileSync(path, String(text).slice(0, String(text).length / 2), options);
    end();
  }
  return writeFile(path, text, options);
};
const probe = await promises.open(join(tmpdir(), `kill-at-${process.pid}`), "w");
const FileHandle = Object.getPrototypeOf(probe);
await probe.close();
fs.rmSync(join(tmpdir(), `kill-at-${process.pid}`));
count = 0;
for (const name of ["sync", "truncate", "write"]) {
  const original = FileHandle[name];
  FileHandle[name] = function (...args) {
    if (isNow()) end();
    return original.apply(this, args);
  };
}
syncBuiltinESMExports();
process.on("exit", () => process.stderr.write(`calls: ${count}\n`));
