// A small speaker of clamd's protocol on loopback, which can misbehave in the ways that real ones and other programs do.
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

export type ClamdMood =
  | "well"
  /** Answers that it cannot scan. */
  | "failing"
  /** Accepts at most a thousand bytes. */
  | "strict"
  | "silent"
  /** Closes the connection in the middle of the bytes. */
  | "closing"
  | "garbage"
  /** Sends an answer without an end. */
  | "chatter"
  /** Reads, but answers only when it is released. */
  | "slow";

export interface FakeClamd {
  /** For MODSHELF_SCANNER. */
  place: string;
  port: number;
  mood: ClamdMood;
  version: string;
  /** The contents that were scanned. */
  scanned: Buffer[];
  /** How many scans were running at the same time. */
  mostAtOnce: number;
  /** Lets slow scans end. */
  release(): void;
  stop(): Promise<void>;
}

/** Contents with this text are infected. */
export const marker = "MODSHELF-MALWARE";
const limit = 1000;

export async function startClamd(): Promise<FakeClamd> {
  const sockets = new Set<Socket>();
  let released = Promise.withResolvers<void>();
  let running = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    void converse(socket).catch(() => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  async function converse(socket: Socket): Promise<void> {
    let buffer = Buffer.alloc(0);
    const say = (text: string) => socket.end(`${text}\0`);
    let isStream = false;
    const pieces: Buffer[] = [];
    for await (const data of socket) {
      buffer = Buffer.concat([buffer, data as Buffer]);
      if (!isStream) {
        const at = buffer.indexOf(0);
        if (at < 0) continue;
        const command = buffer.subarray(0, at).toString();
        buffer = buffer.subarray(at + 1);
        if (clamd.mood === "silent") continue;
        if (clamd.mood === "garbage") {
          // It reads on, as web servers do: otherwise the operating system may discard the answer.
          if (socket.writable) say("HTTP/1.1 400 Bad Request");
          buffer = Buffer.alloc(0);
          continue;
        }
        if (clamd.mood === "chatter") {
          while (socket.writable) if (!socket.write("x".repeat(1000))) await once(socket, "drain");
          return;
        }
        if (command === "zVERSION") return void say(clamd.version);
        if (command !== "zINSTREAM") return void say("UNKNOWN COMMAND");
        isStream = true;
        running++;
        socket.once("close", () => running--);
        clamd.mostAtOnce = Math.max(clamd.mostAtOnce, running);
      }
      if (clamd.mood === "closing") return void socket.destroy();
      for (let size = 0; buffer.length >= 4; buffer = buffer.subarray(4 + size)) {
        size = buffer.readUInt32BE(0);
        if (size === 0) {
          if (clamd.mood === "slow") await released.promise;
          return void say(judge(Buffer.concat(pieces)));
        }
        if (buffer.length < 4 + size) break;
        pieces.push(buffer.subarray(4, 4 + size));
        if (clamd.mood === "strict" && pieces.reduce((sum, { length }) => sum + length, 0) > limit)
          return void say("INSTREAM size limit exceeded. ERROR");
      }
    }
  }

  function judge(content: Buffer): string {
    clamd.scanned.push(content);
    if (clamd.mood === "failing") return "stream: Can't allocate memory ERROR";
    if (content.includes(marker)) return "stream: Test.Malware FOUND";
    return content.includes("EICAR-STANDARD-ANTIVIRUS") ? "stream: Eicar-Test-Signature FOUND" : "stream: OK";
  }

  const clamd: FakeClamd = {
    place: `127.0.0.1:${port}`,
    port,
    mood: "well",
    version: "ClamAV 1.4.6/27800/Mon Nov 16 09:00:00 2026",
    scanned: [],
    mostAtOnce: 0,
    release() {
      released.resolve();
      released = Promise.withResolvers<void>();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  return clamd;
}
