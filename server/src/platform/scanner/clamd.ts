// Speaks the protocol of ClamAV's daemon over TCP or a Unix socket. Each command has its own connection: clamd closes it
// after an INSTREAM. The bytes are sent in pieces as they are read, and the next piece waits until the socket has taken
// the one before.
import { connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { ScannerPlace } from "#config/addresses.js";
import { hasErrorCode } from "#lib/file-system.js";
import { reasonOf } from "#lib/reason-of.js";
import { ScannerTrouble, type Trouble, type Verdict } from "./scanner.js";

/** For a connection, and for silence on both sides. */
const silentMs = 30_000;
/** Longer replies are not from clamd. */
const longestReply = 4096;
const end = Buffer.alloc(4);
/** clamd may close the connection at the moment of a write, which loses its answer. */
const mostTries = 3;

/** Commands and replies end with a zero byte. */
const toCommand = (name: string): Buffer => Buffer.from(`z${name}\0`, "latin1");

const troubles: Record<string, Trouble> = {
  ENOTFOUND: "unknownHost",
  EAI_AGAIN: "unknownHost",
  ECONNREFUSED: "refused",
  EHOSTUNREACH: "refused",
  ENETUNREACH: "refused",
  ENOENT: "refused",
  EACCES: "refused",
  ENOTSOCK: "refused",
  ECONNRESET: "closed",
  EPIPE: "closed",
  ETIMEDOUT: "silent",
};

export async function readClamdVersion(place: ScannerPlace, signal: AbortSignal): Promise<string> {
  const reply = await ask(place, "VERSION", signal);
  if (!/^ClamAV [\w.+~-]/.test(reply)) throw new ScannerTrouble("strange", "not the version of ClamAV");
  return reply.slice(0, 200);
}

export async function scanWithClamd(
  place: ScannerPlace,
  open: () => AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<Verdict> {
  for (let tries = 1; ; tries++) {
    try {
      return toVerdict(await ask(place, "INSTREAM", signal, open));
    } catch (error) {
      const isClosed = error instanceof ScannerTrouble && error.trouble === "closed";
      if (!isClosed || tries === mostTries || signal.aborted) throw error;
    }
  }
}

export function toVerdict(reply: string): Verdict {
  if (reply === "stream: OK") return { kind: "clean" };
  const signature = /^stream: (.{1,300}) FOUND$/.exec(reply)?.[1];
  // clamd reports these if AlertExceedsMax is on: it has seen only a part of the file.
  if (signature?.startsWith("Heuristics.Limits.Exceeded")) return { kind: "tooLarge" };
  if (signature !== undefined) return { kind: "infected", signature };
  if (/size limit exceeded/i.test(reply)) return { kind: "tooLarge" };
  if (/ ERROR$/.test(reply)) throw new ScannerTrouble("failed", reply.slice(0, 200));
  throw new ScannerTrouble("strange", "not an answer of clamd");
}

async function ask(
  place: ScannerPlace,
  command: string,
  signal: AbortSignal,
  open?: () => AsyncIterable<Uint8Array>,
): Promise<string> {
  if (signal.aborted) throw new ScannerTrouble("silent", "the time is over");
  const socket = connect("path" in place ? { path: place.path } : { ...place });
  const reply = readReply(socket, signal);
  // Both are awaited below; an error before or after that must not end the process.
  reply.catch(() => {});
  try {
    socket.write(toCommand(command));
    // The reply may come before the last byte, if the file is too large.
    if (open) {
      const sent = send(socket, open());
      sent.catch(() => {});
      await Promise.race([sent, reply]);
    }
    return await reply;
  } finally {
    socket.destroy();
  }
}

/** Ends without an error if the socket is closed: the reply says what happened. */
async function send(socket: Socket, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of bytes) {
    if (piece.length === 0) continue;
    const size = Buffer.alloc(4);
    size.writeUInt32BE(piece.length);
    const { promise: taken, resolve } = Promise.withResolvers<void>();
    socket.cork();
    socket.write(size);
    socket.write(piece, () => resolve());
    socket.uncork();
    await taken;
    // clamd answers and closes in the middle if the file is too large. The answer must be read before the next piece is
    // written: a write to a closed socket discards it.
    await setImmediate();
    if (!socket.writable) return;
  }
  if (socket.writable) socket.write(end);
}

function readReply(socket: Socket, signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = "";
  const give = (trouble: Trouble, reason: string) => {
    reject(new ScannerTrouble(trouble, reason));
    socket.destroy();
  };
  const onAbort = () => give("silent", "the time is over");
  signal.addEventListener("abort", onAbort, { once: true });
  socket
    .setTimeout(silentMs, () => give("silent", "no byte was sent or received"))
    .on("data", (data: Buffer) => {
      text += data.toString("latin1");
      const at = text.indexOf("\0");
      if (at >= 0) resolve(text.slice(0, at).trim());
      else if (text.length > longestReply) give("strange", "a reply without an end");
    })
    .on("error", (error) => {
      const code = Object.keys(troubles).find((each) => hasErrorCode(error, each));
      give(code === undefined ? "closed" : troubles[code]!, reasonOf(error));
    })
    .on("close", () => {
      signal.removeEventListener("abort", onAbort);
      give("closed", "the connection ended");
    });
  return promise;
}
