// The door of every command in this folder. It and the files that import it statically stay in syntax Node.js 14 can
// read, so that a stranger with an old one gets a sentence instead of a syntax error. The rest is loaded after it.
const oldestMajor = 18;

/** Runs `main` and ends this process the way it says: `{ code, signal }` of a child, or nothing for success. */
export function enter(main) {
  if (Number(process.versions.node.split(".")[0]) < oldestMajor) {
    console.error(
      `modshelf: This is Node.js ${process.version}; setting Modshelf up takes Node.js ${oldestMajor} or newer.\n` +
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
  // Callers tell "stopped" from "failed" by the signal.
  if (ending && ["SIGINT", "SIGTERM", "SIGHUP"].includes(ending.signal)) process.kill(process.pid, ending.signal);
  else process.exitCode = ending ? ending.code : 0;
}
