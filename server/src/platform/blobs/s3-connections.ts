// Asks for objects over connections that read into given buffers. node:http makes a new buffer for each chunk, and
// collecting these takes longer than sending their bytes.
import * as net from "node:net";
import * as tls from "node:tls";

export interface ObjectHead {
  /** Where the bytes of the answer start in the object. */
  start: number;
  length: number;
  /** The number of bytes of the whole object. */
  size: number;
}

/** Takes the bytes of one answer. */
export interface Receiver {
  begin(head: ObjectHead, connection: { resume(): void; destroy(): void }): void;
  /** Where the next bytes go. Asked for after `begin`, and each time that bytes have arrived. */
  space(): Buffer;
  /** So many bytes are in the space. Returns whether more may follow at once, or only after `resume`. */
  arrived(count: number): boolean;
  /** The connection was closed before the last byte. */
  lose(): void;
}

interface Server {
  host: string;
  port: number;
  isSecure: boolean;
}

/** Most heads are shorter than 1 KB; small objects arrive with them. */
const headBytes = 32 * 1024;
const mostFree = 64;
const longestFreeMs = 30_000;

export class ObjectConnections {
  readonly #server: Server;
  readonly #idleMs: number;
  readonly #free: Connection[] = [];
  readonly #all = new Set<Connection>();

  constructor(server: Server, idleMs: number) {
    this.#server = server;
    this.#idleMs = idleMs;
  }

  /**
   * Returns whether the answer is a plain success, whose bytes the receiver gets. After all other answers the caller asks
   * with the client of s3-client.ts, which says what is wrong.
   */
  async ask(request: string, receiver: Receiver): Promise<boolean> {
    for (let free = this.#free.pop(); free; free = this.#free.pop()) {
      const outcome = await free.ask(request, receiver);
      // The server may close a connection while it is not in use, and it may do so just now.
      if (outcome !== "closed") return outcome === "begun";
    }
    return (await this.#connect().ask(request, receiver)) === "begun";
  }

  #connect(): Connection {
    const connection: Connection = new Connection(this.#server, this.#idleMs, {
      onFree: () => {
        if (this.#free.length < mostFree) this.#free.push(connection);
        else connection.destroy();
      },
      onClose: () => {
        this.#all.delete(connection);
        const at = this.#free.indexOf(connection);
        if (at >= 0) this.#free.splice(at, 1);
      },
    });
    this.#all.add(connection);
    return connection;
  }

  close(): void {
    for (const connection of this.#all) connection.destroy();
  }
}

type Outcome = "begun" | "other" | "closed";

class Connection {
  readonly #socket: net.Socket;
  readonly #idleMs: number;
  readonly #onFree: () => void;
  readonly #head = Buffer.allocUnsafeSlow(headBytes);
  /** The number of bytes of the head that have arrived. */
  #headLength = 0;
  /** Where the next bytes go. */
  #space: Buffer = this.#head;
  #receiver: Receiver | undefined;
  /** Ends the wait for the head. */
  #settle: ((outcome: Outcome) => void) | undefined;
  /** Bytes of the object that have not arrived. */
  #missing = 0;
  #isLast = false;

  constructor(
    { host, port, isSecure }: Server,
    idleMs: number,
    { onFree, onClose }: { onFree(): void; onClose(): void },
  ) {
    this.#idleMs = idleMs;
    this.#onFree = onFree;
    const options = {
      ...{ host, port, noDelay: true },
      onread: { buffer: () => this.#space, callback: (count: number) => this.#take(count) },
    };
    // The name of an address is not sent.
    const name = net.isIP(host) ? {} : { servername: host };
    this.#socket = isSecure ? tls.connect({ ...options, ...name, ALPNProtocols: ["http/1.1"] }) : net.connect(options);
    this.#socket.on("timeout", () => this.#refuse("other"));
    // The close that follows says enough.
    this.#socket.on("error", () => {});
    this.#socket.on("close", () => {
      onClose();
      this.#end(this.#headLength === 0 ? "closed" : "other");
      this.#receiver?.lose();
    });
  }

  ask(request: string, receiver: Receiver): Promise<Outcome> {
    if (this.#socket.destroyed) return Promise.resolve("closed");
    this.#receiver = undefined;
    this.#headLength = 0;
    return new Promise((resolve) => {
      this.#settle = (outcome) => {
        if (outcome === "begun") this.#receiver = receiver;
        resolve(outcome);
      };
      this.#socket.ref().setTimeout(this.#idleMs);
      this.#socket.write(request, "latin1");
    });
  }

  resume(): void {
    this.#socket.setTimeout(this.#idleMs).resume();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #end(outcome: Outcome): void {
    this.#settle?.(outcome);
    this.#settle = undefined;
  }

  /** Returns whether reading goes on. */
  #take(count: number): boolean {
    if (this.#receiver && this.#missing > 0) return this.#takeBytes(this.#receiver, count);
    // Nothing was asked for.
    if (!this.#settle) return this.#refuse("closed");
    this.#headLength += count;
    const end = this.#head.subarray(0, this.#headLength).indexOf("\r\n\r\n") + 4;
    if (end < 4 && this.#headLength === headBytes) return this.#refuse("other");
    this.#space = this.#head.subarray(this.#headLength);
    if (end < 4) return true;
    const answer = parseHead(this.#head.toString("latin1", 0, end));
    const early = this.#headLength - end;
    if (!answer || early > answer.length) return this.#refuse("other");
    return this.#begin(answer, this.#head.subarray(end, this.#headLength));
  }

  #begin(answer: ObjectHead & { isLast: boolean }, early: Buffer): boolean {
    this.#isLast = answer.isLast;
    this.#missing = answer.length;
    this.#end("begun");
    const receiver = this.#receiver!;
    receiver.begin(answer, this);
    if (answer.length === 0) return this.#free();
    if (early.length > 0) {
      early.copy(receiver.space());
      return this.#takeBytes(receiver, early.length);
    }
    this.#space = receiver.space().subarray(0, this.#missing);
    return true;
  }

  #takeBytes(receiver: Receiver, count: number): boolean {
    this.#missing -= count;
    const goesOn = receiver.arrived(count);
    if (this.#missing === 0) return this.#free();
    this.#space = receiver.space().subarray(0, this.#missing);
    // While nothing is read, the server need not send anything.
    if (!goesOn) this.#socket.setTimeout(0);
    return goesOn;
  }

  #free(): boolean {
    this.#receiver = undefined;
    this.#space = this.#head;
    if (this.#isLast) return this.#refuse("closed");
    this.#socket.unref().setTimeout(longestFreeMs);
    this.#onFree();
    return true;
  }

  #refuse(outcome: Outcome): false {
    this.#end(outcome);
    this.destroy();
    return false;
  }
}

/** Undefined unless it is a success with a length, without any encoding. */
function parseHead(head: string): (ObjectHead & { isLast: boolean }) | undefined {
  const status = /^HTTP\/1\.1 (200|206)[ \r]/.exec(head)?.[1];
  if (!status || /\r\n(?:transfer|content)-encoding:/i.test(head)) return undefined;
  const length = Number(/\r\ncontent-length: *(\d{1,15}) *\r\n/i.exec(head)?.[1] ?? Number.NaN);
  if (Number.isNaN(length)) return undefined;
  const isLast = /\r\nconnection: *close/i.test(head);
  if (status === "200") return { start: 0, length, size: length, isLast };
  const [, first, last, size] = /\r\ncontent-range: *bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}) *\r\n/i.exec(head) ?? [];
  const start = Number(first);
  return Number(last) + 1 - start === length ? { start, length, size: Number(size), isLast } : undefined;
}
