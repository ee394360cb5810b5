// `npm run shots [-- --only=pattern --part=demo|empty|limit|readme]`: a picture of every page with the demo content and
// with none, at desktop and phone width, light and dark, in ./shots; and the few that the README shows, in docs/images.
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { root } = await import("./files.mjs");
  const { run } = await import("./process.mjs");
  const node = await prepare({ dev: true, built: true });
  return run(node, [`${root}/scripts/shots/take.mjs`, ...process.argv.slice(2)], { cwd: root });
});
