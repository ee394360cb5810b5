// A proxy between a server and its database, so that a test can cut the connection, or let it hang, and restore it.
import { connect, createServer, type Socket } from "node:net";

export interface TcpProxy {
  /** The given address with the proxy's port. */
  url: string;
  /** The number of connections that were refused while the proxy was cut. */
  readonly refused: number;
  /** Ends all connections and refuses new ones. */
  cut(): void;
  /** Keeps all connections open but forwards nothing. */
  silence(): void;
  /** New connections, and silenced ones, work again. */
  mend(): void;
  close(): Promise<void>;
}

export async function openTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let refused = 0;
  let mode: "open" | "cut" | "silent" = "open";
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // Only the effect on the other end matters; here the error is expected.
    socket.on("error", () => undefined);
    return socket;
  };
  const server = createServer((near) => {
    track(near);
    if (mode === "cut") {
      refused++;
      return void near.destroy();
    }
    const far = track(connect(Number(port), hostname));
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
    near.pipe(far);
    far.pipe(near);
    if (mode === "silent") near.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxied = new URL(target);
  proxied.hostname = "127.0.0.1";
  proxied.port = String((server.address() as { port: number }).port);
  return {
    url: proxied.href,
    get refused() {
      return refused;
    },
    cut() {
      mode = "cut";
      for (const socket of sockets) socket.destroy();
    },
    silence() {
      mode = "silent";
      for (const socket of sockets) socket.pause();
    },
    mend() {
      mode = "open";
      for (const socket of sockets) socket.resume();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
