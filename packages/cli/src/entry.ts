#!/usr/bin/env node
// The program `shelf`. Ctrl+C ends the command in an orderly way; a second time ends it at once.
import { run } from "./run.js";

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => interrupted.abort(new Error("Interrupted.")));
// `shelf list | head` closes the pipe early, which is no failure.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => process.exit(code === "EPIPE" ? 0 : 1));

void run(process.argv.slice(2), {
  ...{ input: process.stdin, output: process.stdout, errors: process.stderr },
  ...{ env: process.env, signal: interrupted.signal },
}).then((code) => {
  process.exitCode = code;
});
