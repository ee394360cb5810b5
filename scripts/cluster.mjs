// `npm run cluster [-- --nodes N --port N --data FOLDER]`: PostgreSQL, an S3-compatible server, several nodes and a small
// proxy on this machine, to try how Modshelf runs on more than one server (scripts/cluster).
import { enter } from "./enter.mjs";

enter(async () => {
  const { prepare } = await import("./prepare.mjs");
  const { root } = await import("./files.mjs");
  const { run } = await import("./process.mjs");
  // PostgreSQL and the S3-compatible server are packages for development.
  const node = await prepare({ dev: true, built: true });
  return run(node, [`${root}/scripts/cluster/run.mjs`, ...process.argv.slice(2)]);
});
