// Starting other programs: signals reach them, and how they ended is reported.
import { spawn } from "node:child_process";
import { constants } from "node:os";

const parentAtStart = process.ppid;

/** Progress goes to stderr: stdout belongs to the command that is being prepared. */
export function say(line) {
  process.stderr.write(`modshelf: ${line}\n`);
}

/** A failure the reader can do something about: shown as a sentence, without a stack. */
export class Failure extends Error {
  isExpected = true;
  constructor(message, ending = { code: 1 }) {
    super(message);
    this.ending = ending;
  }
}

/**
 * Runs a program to its end and returns `{ code, signal, received }`; `received` is the signal this process got
 * meanwhile. `onOutput` takes what it prints instead of the terminal.
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

/** Hands the signals that end a program on to `child` and keeps this process alive until `stop()`. */
export function forwardSignals(child) {
  // A terminal sends these to all programs in it: a second one from here would read as "stop at once".
  const isTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  const isDelivered = { SIGINT: isTerminal, SIGHUP: isTerminal, SIGTERM: false };
  let received = null;
  const forward = (signal) => {
    received = signal;
    // On Windows kill() ends the child without asking it, and the console has told it already.
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
 * Ends this process, by SIGTERM, after its parent: npm passes on SIGTERM and SIGINT but dies of every other signal, and
 * other commands than `npm start` have a shell in between that passes on none. Without npm a parent may leave.
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
