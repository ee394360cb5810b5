import { describe, expect, test } from "vitest";
import { RawConnection } from "#test/process/raw-connection.js";
import { FrameControl, frameRoutes } from "#test/server/frame-routes.js";
import { testApp } from "#test/server/harness.js";

const routes = frameRoutes(new FrameControl());
const settings = { MODSHELF_RATE_LIMITS: "on", MODSHELF_CONNECTIONS_PER_ADDRESS: "8" };
const limited = await testApp({ routes, settings });
const behindProxy = await testApp({ routes, settings: { ...settings, MODSHELF_TRUSTED_PROXIES: "loopback" } });

const openMany = (origin: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => RawConnection.open(Number(new URL(origin).port))));
const ask = async (connection: RawConnection) => {
  connection.send("GET /frame/text HTTP/1.1\r\nhost: modshelf.test\r\n\r\n");
  await connection.heard(/^HTTP\/1\.1 200/);
};

describe("the connections of one address", () => {
  test("are limited, and closing one allows another", async () => {
    const held = await openMany(limited.origin, 8);
    await Promise.all(held.map(ask));
    const [refused] = await openMany(limited.origin, 1);
    await refused!.closed;
    expect(refused!.received).toBe("");
    held[0]!.end();
    await expect
      .poll(async () => {
        const [next] = await openMany(limited.origin, 1);
        return ask(next!).then(
          () => next!.received.slice(0, 12),
          () => "closed",
        );
      })
      .toBe("HTTP/1.1 200");
    for (const connection of held) connection.end();
  });

  test("are not limited for a trusted proxy", async () => {
    const held = await openMany(behindProxy.origin, 20);
    await Promise.all(held.map(ask));
    expect(held.filter(({ received }) => received.startsWith("HTTP/1.1 200"))).toHaveLength(20);
    for (const connection of held) connection.end();
  });
});
