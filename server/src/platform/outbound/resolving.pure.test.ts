// Names resolved by a real name server on loopback, whose answers the test defines.
import { createSocket, type Socket } from "node:dgram";
import { createServer } from "node:http";
import { type AddressInfo, isIPv4 } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { post } from "./client.js";
import { resolveBySystem, resolveThrough } from "./resolving.js";

/** All received questions, and the addresses by name; other names get no answer. */
const asked: string[] = [];
const records: Record<string, readonly string[]> = {
  "loop.site.dev": ["127.0.0.1"],
  "loop6.site.dev": ["::1"],
  "mixed.site.dev": ["93.184.216.34", "10.0.0.1"],
  "none.site.dev": [],
};

const bytesOf = (address: string): Buffer =>
  isIPv4(address) ? Buffer.from(address.split(".").map(Number)) : Buffer.from(`${"0".repeat(31)}1`, "hex");

/** RFC 1035: the question, and a record for each address of the requested kind. */
function answer(question: Buffer): Buffer | undefined {
  const labels: string[] = [];
  let at = 12;
  while (question[at]! > 0) {
    labels.push(question.toString("latin1", at + 1, at + 1 + question[at]!));
    at += question[at]! + 1;
  }
  const name = labels.join(".");
  const type = question.readUInt16BE(at + 1);
  asked.push(name);
  const found = records[name]?.filter((address) => type === (isIPv4(address) ? 1 : 28));
  if (!found) return undefined;
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(found.length === 0 ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(found.length, 6);
  head.writeUInt32BE(0, 8);
  const answers = found.map((address) => {
    const bytes = bytesOf(address);
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length]);
    return Buffer.concat([record, bytes]);
  });
  return Buffer.concat([head, question.subarray(12, at + 5), ...answers]);
}

const socket: Socket = createSocket("udp4");
socket.on("message", (question, { port, address }) => {
  const reply = answer(question);
  if (reply) socket.send(reply, port, address);
});
await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
afterAll(() => void socket.close());

const resolve = resolveThrough([`127.0.0.1:${socket.address().port}`]);
const signal = () => AbortSignal.timeout(5000);

describe("a name", () => {
  test("resolves to all its addresses of both kinds, and to none if it does not exist", async () => {
    expect(await resolve("loop.site.dev", signal())).toEqual(["127.0.0.1"]);
    expect(await resolve("loop6.site.dev", signal())).toEqual(["::1"]);
    expect(await resolve("mixed.site.dev", signal())).toEqual(["93.184.216.34", "10.0.0.1"]);
    expect(await resolve("none.site.dev", signal())).toEqual([]);
  });

  test("times out with the request if its servers do not answer", async () => {
    expect(await resolve("silent.site.dev", AbortSignal.timeout(100))).toEqual([]);
    expect(asked).toContain("silent.site.dev");
  });

  test.each(["loop.site.dev", "loop6.site.dev", "mixed.site.dev"])(
    "that resolves to a private network is not called: %s",
    async (host) => {
      let connections = 0;
      const server = createServer().on("connection", () => connections++);
      await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
      const url = `https://${host}:${(server.address() as AddressInfo).port}/`;
      const call = post({ url, headers: {}, body: "{}" }, { allowPrivate: false, resolve });
      await expect(call).rejects.toThrow("The host name resolves to a private address");
      expect(connections).toBe(0);
      server.close();
    },
  );

  test("for this machine is resolved by the system", async () => {
    const found = await resolveBySystem("localhost", signal());
    expect(found.some((address) => ["127.0.0.1", "::1"].includes(address))).toBe(true);
  });
});
