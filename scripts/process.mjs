// Starts other programs, forwards signals to them, and reports how they ended.
import { spawn } from "node:child_process";
import { constants } from "node:os";

const parentAtStart = process.ppid;

/** Progress goes to stderr: stdout belongs to the command that is prepared. */
export function say(line) {
  process.stderr.write(`modshelf: ${line}\n`);
}

/** An error that the user can fix: shown as a sentence without a stack. */
export class Failure extends Error {
  isExpected = true;
  constructor(message, ending = { code: 1 }) {
    super(message);
    this.ending = ending;
  }
}

/**
 * Runs a program to its end and returns `{ code, signal, received }`; `received` is the signal that this process got
 * while it ran. `onOutput` gets its output instead of the terminal.
 */
export function run(command, args, { onOutput, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: onOutput ? ["ignore", "pipe", "pipe"] : "inherit", ...options });
    if (onOutput) for (const stream of [child.stdout, child.stderr]) stream.on("data", onOutput);
    const forwarding = forwardSignals(child);
    const parent = watchParent();
    const stop = () => {
      parent.stop();
      return forwarding.stop();
    };
    child.once("error", (error) => {
      stop();
      reject(error);
    });
    child.once("close", (code, signal) =>
      resolve({ code: code ?? 128 + constants.signals[signal], signal, received: stop() }),
    );
  });
}

/** Forwards terminating signals to `child` and keeps this process alive until `stop()`. */
export function forwardSignals(child) {
  // A terminal sends these to all of its programs: a second one from here would mean "stop at once".
  const isTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  const isDelivered = { SIGINT: isTerminal, SIGHUP: isTerminal, SIGTERM: false };
  let received = null;
  const forward = (signal) => {
    received = signal;
    // On Windows kill() ends the child without a chance to clean up, and the console has notified it already.
    if (!isDelivered[signal] && process.platform !== "win32") child.kill(signal);
  };
  for (const signal of Object.keys(isDelivered)) process.on(signal, forward);
  return {
    stop() {
      for (const signal of Object.keys(isDelivered)) process.off(signal, forward);
      return received;
    },
  };
}

/**
 * Ends this process with SIGTERM after its parent: npm forwards only SIGTERM and SIGINT and dies of every other signal,
 * and commands other than `npm start` have a shell in between that forwards none. Without npm, a parent may exit.
 */
export function watchParent() {
  const look = () => {
    if (process.ppid === parentAtStart) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  };
  const timer = process.env.npm_lifecycle_event ? setInterval(look, 500).unref() : undefined;
  return { stop: () => clearInterval(timer) };
}
