// `node scripts/build.mjs`: a full build, even if the last one is current, and the packages in packages/, ready for
// "npm pack". The other commands build the server by themselves.
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { build } = await import("./compile.mjs");
  const { withLock } = await import("./lock.mjs");
  const { buildPackages } = await import("./packages.mjs");
  const node = await prepare({ dev: true, built: false });
  await withLock(build);
  await buildPackages(node);
});
