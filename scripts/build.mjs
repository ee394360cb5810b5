// `node scripts/build.mjs`: a full build, even if the last one is current. The other commands build by themselves.
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { build } = await import("./compile.mjs");
  const { withLock } = await import("./lock.mjs");
  await prepare({ dev: false, built: false });
  await withLock(build);
});
