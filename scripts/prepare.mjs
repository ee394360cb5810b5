// What must be in place before the code can run, and doing only what is missing: runtime, packages, build.
import { build, isBuilt } from "./compile.mjs";
import { install, isInstalled } from "./install.mjs";
import { withLock } from "./lock.mjs";
import { say } from "./process.mjs";
import { fetchNode, findNode } from "./runtime.mjs";

/** Returns the path of the Node.js to run with. `dev` asks for the packages for testing, `built` for a fresh build. */
export async function prepare({ dev, built }) {
  const isReady = () => findNode() !== undefined && isInstalled(dev) && (!built || isBuilt());
  // Nothing is written when nothing is missing, so a ready folder may be read-only.
  if (!isReady()) {
    await withLock(async () => {
      if (!findNode()) await fetchNode();
      if (!isInstalled(dev)) await install(dev);
      if (built && !isBuilt()) {
        say("Building.");
        await build();
      }
    });
  }
  return findNode();
}
