// Limits the connections per address: each costs memory and a descriptor, even without any requests. Trusted proxies
// are not limited, because their clients share them.
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { isTrusted, limitKey, type TrustedProxies } from "#lib/client-address.js";
import type { Resources } from "./resources.js";

const quietMs = 60_000;

export function limitConnections(server: Server, { config, clock, log }: Resources, trusted: TrustedProxies): void {
  const open = new Map<string, number>();
  let nextWarning = 0;
  server.on("connection", (socket: Socket) => {
    const peer = socket.remoteAddress ?? "";
    if (!config.rateLimits || isTrusted(peer, trusted)) return;
    const key = limitKey(peer);
    const count = (open.get(key) ?? 0) + 1;
    if (count > config.http.connectionsPerAddress) {
      socket.destroy();
      if (clock.now() < nextWarning) return;
      nextWarning = clock.now() + quietMs;
      log.warn(
        { address: key },
        "An address has too many connections. If it is your proxy, add it to MODSHELF_TRUSTED_PROXIES",
      );
      return;
    }
    open.set(key, count);
    socket.once("close", () => {
      const left = open.get(key)! - 1;
      if (left === 0) open.delete(key);
      else open.set(key, left);
    });
  });
}
