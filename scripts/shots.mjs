// `npm run shots [-- --only=pattern --part=demo|empty|limit|readme --language=de --views=desktop-light,phone-dark]`: takes
// screenshots of every page with and without demo content, at desktop and phone width, light and dark, into ./shots, and
// those of the README into docs/images. Pictures in another language than English are in folders of their own.
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { root } = await import("./files.mjs");
  const { run } = await import("./process.mjs");
  const node = await prepare({ dev: true, built: true });
  return run(node, [`${root}/scripts/shots/take.mjs`, ...process.argv.slice(2)], { cwd: root });
});
