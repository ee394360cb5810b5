// One connection whose bytes a test sends piece by piece, and whose end it can observe.
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export class RawConnection {
  readonly closed: Promise<void>;
  received = "";
  readonly #socket: Socket;
  #isClosed = false;
  #wake: () => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding("utf8").on("data", (text: string) => {
      this.received += text;
      this.#wake();
    });
    // A reset also closes the connection.
    socket.on("error", () => {});
    this.closed = new Promise((resolve) => {
      socket.once("close", () => {
        this.#isClosed = true;
        this.#wake();
        resolve();
      });
    });
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new RawConnection(socket);
  }

  send(text: string | Buffer): void {
    this.#socket.write(text);
  }

  /** Waits until the text has arrived; fails if the connection is closed before. */
  async heard(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.received)) {
      if (this.#isClosed) throw new Error(`The connection was closed before ${pattern} came; it said ${this.received}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.received;
  }

  end(): void {
    this.#socket.destroy();
  }
}

/** Whether no process listens on the port any more. */
export async function isRefused(port: number): Promise<boolean> {
  try {
    (await RawConnection.open(port)).end();
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ECONNREFUSED";
  }
}
