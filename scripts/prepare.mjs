// Prepares what the code needs to run, and does only what is missing: runtime, packages, build.
import { build, isBuilt } from "./compile.mjs";
import { install, isInstalled } from "./install.mjs";
import { withLock } from "./lock.mjs";
import { say } from "./process.mjs";
import { fetchNode, findNode } from "./runtime.mjs";

/** Returns the path of the Node.js to use. `dev` requires the packages for testing, `built` a current build. */
export async function prepare({ dev, built }) {
  const isReady = () => findNode() !== undefined && isInstalled(dev) && (!built || isBuilt());
  // Nothing is written if nothing is missing, so a prepared folder may be read-only.
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
