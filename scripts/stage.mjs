// `node scripts/stage.mjs FOLDER`: builds the server and puts its package into an empty folder, ready for "npm pack" or for an
// image. Its only dependency is the one that the build does not contain, in the version that was tested.
import { enter } from "./enter.mjs";

enter(async () => {
  const { resolve } = await import("node:path");
  const { build } = await import("./compile.mjs");
  const { withLock } = await import("./lock.mjs");
  const { prepare } = await import("./prepare.mjs");
  const { Failure } = await import("./process.mjs");
  const { stageServer } = await import("./server-package.mjs");
  const [folder] = process.argv.slice(2);
  if (!folder) throw new Failure("Usage: node scripts/stage.mjs FOLDER");
  await prepare({ dev: false, built: false });
  await withLock(() => build({ isExact: true }));
  stageServer(resolve(folder));
});
