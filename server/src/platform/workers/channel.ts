// Calls between the primary process and a worker: requests with an answer, and messages without one. Both sides use it.
// Values are packed here and not by Node.js, which would do the same with the messages that hand connections over: as JSON,
// these cost 8 % less of the CPU time of a connection.
import { deserialize, serialize } from "node:v8";

/** The part of a child process, or of this process, that carries messages. */
export interface Port {
  send(message: unknown, onSent: (error: Error | null) => void): unknown;
  on(event: "message", listener: (message: unknown) => void): unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: any function can be called through a channel.
export type Calls<T> = { [K in keyof T]: (...input: any[]) => unknown };

type Input<T, K extends keyof T> = T[K] extends (...input: infer I) => unknown ? I : never;
type Output<T, K extends keyof T> = T[K] extends (...input: never[]) => infer O ? Awaited<O> : never;

interface Message {
  /** Absent: no answer is expected. */
  id?: number;
  name: string;
  input: unknown[];
}

interface Reply {
  replyTo: number;
  value?: unknown;
  error?: string;
}

interface Packed {
  packed: string;
}

const isPacked = (message: unknown): message is Packed =>
  typeof message === "object" && message !== null && "packed" in message;

export class ChannelClosed extends Error {
  constructor() {
    super("The other process has ended");
  }
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** `Theirs` are the functions of the other side; ours are given to `answer`. */
export class Channel<Theirs extends Calls<Theirs>> {
  readonly #port: Port;
  readonly #waiting = new Map<number, Waiting>();
  #functions: Calls<unknown> | undefined;
  #requests = 0;
  #isClosed = false;

  constructor(port: Port) {
    this.#port = port;
    port.on("message", (message) => {
      if (isPacked(message)) this.#hear(deserialize(Buffer.from(message.packed, "base64")));
    });
  }

  /** From now on these functions answer. Messages that arrive before are ignored. */
  answer<Ours extends Calls<Ours>>(functions: Ours): void {
    this.#functions = functions as Calls<unknown>;
  }

  /** Rejects if the other side fails or has ended. */
  request<K extends keyof Theirs & string>(name: K, ...input: Input<Theirs, K>): Promise<Output<Theirs, K>> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    if (this.#isClosed) reject(new ChannelClosed());
    else {
      const id = this.#requests++;
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, name, input });
    }
    return promise as Promise<Output<Theirs, K>>;
  }

  /** A message to a process that has ended is lost. */
  tell<K extends keyof Theirs & string>(name: K, ...input: Input<Theirs, K>): void {
    if (!this.#isClosed) this.#send({ name, input });
  }

  /** To be called when the other process has ended. */
  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.values()) reject(new ChannelClosed());
    this.#waiting.clear();
  }

  #send(message: Message | Reply): void {
    // If it fails, the other process is ending, and the event of its end follows.
    this.#port.send({ packed: serialize(message).toString("base64") } satisfies Packed, () => {});
  }

  #hear(message: Message | Reply): void {
    if ("replyTo" in message) {
      const waiting = this.#waiting.get(message.replyTo);
      this.#waiting.delete(message.replyTo);
      if (message.error === undefined) waiting?.resolve(message.value);
      else waiting?.reject(new Error(message.error));
    } else if ("name" in message) void this.#perform(message);
  }

  async #perform({ id, name, input }: Message): Promise<void> {
    const work = (this.#functions as Record<string, (...input: unknown[]) => unknown> | undefined)?.[name];
    if (!work) return;
    try {
      const value = await work(...input);
      if (id !== undefined) this.#send({ replyTo: id, value });
    } catch (error) {
      if (id !== undefined) this.#send({ replyTo: id, error: (error as Error).message });
    }
  }
}
