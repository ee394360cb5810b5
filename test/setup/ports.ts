// Ports for programs that cannot take port 0 and report the port they got: PostgreSQL, and sites whose URL must name
// the port.
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

const tries = 10;

/** A port that is free at this moment. Another program may take it before it is used, so callers retry on a clash. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

/** Retries with another port if another program was faster. */
export async function onFreePort<T>(use: (port: number) => Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await use(await freePort());
    } catch (error) {
      if (left === 0 || !/EADDRINUSE|Another program listens there|could not bind/.test(String(error))) throw error;
    }
  }
}
