// The start of every command in this folder. This file and the files that import it statically use only syntax of
// Node.js 14, so that users of an old version get a message instead of a syntax error. Everything else is loaded later.
const oldestMajor = 18;

/** Runs `main` and ends this process as its result says: `{ code, signal }` of a child, or nothing for success. */
export function enter(main) {
  if (Number(process.versions.node.split(".")[0]) < oldestMajor) {
    console.error(
      `modshelf: This is Node.js ${process.version}; the setup of Modshelf needs Node.js ${oldestMajor} or newer.\n` +
        "Install a current version from https://nodejs.org and run the same command again.",
    );
    process.exit(1);
  }
  main().then(leave, (error) => {
    console.error(error.isExpected ? `modshelf: ${error.message}` : error);
    leave(error.ending || { code: 1 });
  });
}

function leave(ending) {
  // By the signal, callers can tell "stopped" from "failed".
  if (ending && ["SIGINT", "SIGTERM", "SIGHUP"].includes(ending.signal)) process.kill(process.pid, ending.signal);
  else process.exitCode = ending ? ending.code : 0;
}
