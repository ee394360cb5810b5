// Limits the connections per address: each costs memory and a descriptor, even without any requests. Trusted proxies
// are not limited, because their clients share them. The workers of a server count together.
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { isTrusted, limitKey, type TrustedProxies } from "#lib/client-address.js";
import type { Resources } from "./resources.js";

const quietMs = 60_000;

export function limitConnections(
  server: Server,
  { config, clock, log, peers }: Resources,
  trusted: TrustedProxies,
): void {
  let nextWarning = 0;
  const admit = async (socket: Socket, key: string) => {
    const giveBack = await peers.takePlace(`connections of ${key}`, config.limits.connectionsPerAddress);
    if (giveBack) {
      if (socket.destroyed) giveBack();
      else socket.once("close", giveBack);
      return;
    }
    socket.destroy();
    if (clock.now() < nextWarning) return;
    nextWarning = clock.now() + quietMs;
    log.warn(
      { address: key },
      "An address has too many connections. If it is your proxy, add it to MODSHELF_TRUSTED_PROXIES",
    );
  };
  server.on("connection", (socket: Socket) => {
    const peer = socket.remoteAddress ?? "";
    if (config.limits.rates && !isTrusted(peer, trusted)) void admit(socket, limitKey(peer));
  });
}
