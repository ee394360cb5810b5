// One node of a cluster: the server as a process, on a port that it chooses itself. Its log goes to a file in its folder.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../files.mjs";
import { Failure } from "../process.mjs";

export async function startNode(number, folder, settings) {
  mkdirSync(folder, { recursive: true });
  const log = join(folder, "log.jsonl");
  const env = {
    ...process.env,
    ...settings,
    MODSHELF_DATA_DIR: folder,
    MODSHELF_HOST: "127.0.0.1",
    MODSHELF_PORT: "0",
  };
  const child = spawn(process.execPath, [join(root, "dist/server/src/main.js"), "serve"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
    // Ctrl-C stops the nodes before their database.
    detached: true,
  });
  const exited = once(child, "exit");
  child.stdout.pipe(createWriteStream(log, { flags: "a" }));
  const origin = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text = (text + chunk).slice(-20_000);
      const found = /"listening":"(http:[^"]+)"/.exec(text);
      if (found) resolve(found[1]);
    });
    exited.then(() => reject(new Failure(`Node ${number} did not start; its log is ${log}`)));
  });
  return {
    ...{ origin, pid: child.pid },
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
