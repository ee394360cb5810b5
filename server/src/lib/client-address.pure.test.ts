import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "#test/callers/any-character.js";
import { clientAddress, limitKey, parseTrustedProxies, truncatedAddress } from "./client-address.js";

const nobody = parseTrustedProxies([]);
const proxies = parseTrustedProxies(["loopback", "10.0.0.0/8", "192.0.2.7", "fd00::/8"]);

describe("the caller's address", () => {
  test("is the peer's when no proxy is trusted, and the header is ignored", () => {
    expect(clientAddress("127.0.0.1", "203.0.113.9", nobody)).toBe("127.0.0.1");
    expect(clientAddress("198.51.100.1", "203.0.113.9", proxies)).toBe("198.51.100.1");
  });

  test.each([
    ["one proxy", "127.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["a chain of proxies", "10.1.2.3", "203.0.113.9, 192.0.2.7,10.9.9.9", "203.0.113.9"],
    ["an invented hop on the left", "127.0.0.1", "1.1.1.1, 203.0.113.9", "203.0.113.9"],
    ["an invented hop between trusted ones", "127.0.0.1", "10.0.0.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"],
    ["a proxy on IPv6", "fd12::1", "2001:DB8:0:0::9", "2001:db8::9"],
    ["a mapped peer and a mapped hop", "::ffff:127.0.0.1", "::FFFF:cb00:7109", "203.0.113.9"],
    ["ports", "127.0.0.1", "203.0.113.9:4711", "203.0.113.9"],
    ["brackets and a port", "127.0.0.1", "[2001:db8::9]:4711", "2001:db8::9"],
    ["a zone", "127.0.0.1", "fe80::9%eth0", "fe80::9"],
    ["blanks and tabs", "127.0.0.1", " \t203.0.113.9\t ", "203.0.113.9"],
    ["trusted hops only", "127.0.0.1", "10.0.0.5, 10.0.0.6", "10.0.0.5"],
  ])("is the right-most untrusted address with %s", (_, peer, header, client) => {
    expect(clientAddress(peer, header, proxies)).toBe(client);
  });

  test.each([
    "",
    ",",
    "unknown",
    "_hidden",
    "203.0.113.9,",
    "203.0.113.9, unknown",
    "203.0.113.9; 10.0.0.1",
    "203.0.113.9 10.0.0.1",
    "203.0.113.256",
    "0203.0.113.9",
    "203.0.113",
    "3405803785",
    "0xcb007109",
    "203.0.113.9:",
    "203.0.113.9:123456",
    "[203.0.113.9",
    "[[2001:db8::9]]",
    "2001:db8::9]:80",
    "[2001:db8::9]80",
    "2001:db8::9::1",
    "2001:db8::g",
    ":::",
    "%eth0",
    "for=203.0.113.9",
    "203.0.113.9\u0000",
    "２０３.0.113.9",
    "__proto__",
    `fe80::1%${"z".repeat(10_000)}`,
    "9".repeat(10_000),
    "[".repeat(10_000),
    ":".repeat(10_000),
    ",".repeat(10_000),
    " ".repeat(10_000),
  ])("is the proxy's when the header is malformed (%#)", (header) => {
    expect(clientAddress("127.0.0.1", header, proxies)).toBe("127.0.0.1");
  });

  test("ignores everything to the left of a malformed entry", () => {
    expect(clientAddress("127.0.0.1", "203.0.113.9, nonsense, 10.0.0.8", proxies)).toBe("10.0.0.8");
  });

  test("cannot be changed by entries that a client puts before those of the proxy", () => {
    const hostile = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc.ipV4(),
      fc.ipV6(),
      fc.constant("127.0.0.1"),
    );
    fc.assert(
      fc.property(fc.array(hostile), (hops) => {
        expect(clientAddress("127.0.0.1", [...hops, "203.0.113.9"].join(","), proxies)).toBe("203.0.113.9");
      }),
    );
  });

  test("is found without an error for any header and any peer", () => {
    const text = fc.oneof(fc.string({ unit: anyCharacter }), fc.stringMatching(/^[\d.:,[\]%a-f ]*$/));
    fc.assert(
      fc.property(text, text, (peer, header) => {
        const client = clientAddress(peer, header, proxies);
        expect(limitKey(client)).not.toBe("");
        expect(truncatedAddress(client)).not.toBe("");
        expect(clientAddress("127.0.0.1", header, proxies)).toMatch(/^[\da-f.:]+$/);
      }),
    );
  });

  test("is the same for every peer without an address", () => {
    for (const peer of ["", "/run/modshelf.sock", "localhost"]) {
      expect(clientAddress(peer, "203.0.113.9", proxies)).toBe("unknown");
    }
    expect(limitKey("unknown")).toBe("unknown");
    expect(truncatedAddress("unknown")).toBe("unknown");
  });

  test("has one spelling, the same as in URLs", () => {
    const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }));
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), ([first = 0, ...rest]) => {
        // Not an IPv4-mapped address, which would become IPv4.
        const groups = [first || 1, ...rest];
        const longest = groups.map((value) => value.toString(16).toUpperCase().padStart(4, "0")).join(":");
        expect(`[${clientAddress(longest, undefined, nobody)}]`).toBe(new URL(`http://[${longest}]`).hostname);
      }),
    );
  });
});

describe("the list of trusted proxies", () => {
  test.each([
    ["loopback", "127.8.9.1", "128.0.0.1"],
    ["loopback", "::1", "::2"],
    ["linklocal", "fe80::1%eth1", "fec0::1"],
    ["uniquelocal", "172.31.0.1", "172.32.0.1"],
    ["uniquelocal", "fdff::1", "fe00::1"],
    ["192.0.2.7", "192.0.2.7", "192.0.2.8"],
    ["192.0.2.7", "::ffff:192.0.2.7", "::ffff:192.0.2.8"],
    ["192.0.2.0/25", "192.0.2.127", "192.0.2.128"],
    ["192.0.2.99/25", "192.0.2.1", "192.0.2.128"],
    ["::ffff:192.0.2.0/121", "192.0.2.127", "192.0.2.128"],
    ["2001:db8::/33", "2001:db8:7fff::1", "2001:db8:8000::1"],
  ])("holds %s", (entry, inside, outside) => {
    const trusted = parseTrustedProxies([entry]);
    expect(clientAddress(inside, "203.0.113.9", trusted)).toBe("203.0.113.9");
    expect(clientAddress(outside, "203.0.113.9", trusted)).not.toBe("203.0.113.9");
  });

  test.each([
    "",
    "proxy.example.org",
    "constructor",
    "192.0.2.0/33",
    "192.0.2.0/-1",
    "192.0.2.0/",
    "192.0.2.0/8/8",
    "192.0.2.0/1e1",
    "192.0.2.7:80",
    "[::1]",
    "2001:db8::/129",
    "::ffff:192.0.2.0/24",
  ])("refuses %j and names it", (entry) => {
    expect(() => parseTrustedProxies(["loopback", entry])).toThrow(`"${entry}" is not`);
  });

  test.each(["0.0.0.0/0", "::/0", "::ffff:0.0.0.0/96"])("refuses %s, which would trust every client", (entry) => {
    expect(() => parseTrustedProxies([entry])).toThrow("would trust every client");
  });
});

describe("the key of a limit", () => {
  test("is a whole IPv4 address, mapped or not", () => {
    expect(limitKey("203.0.113.9")).toBe("203.0.113.9");
    expect(limitKey("::ffff:203.0.113.9")).toBe("203.0.113.9");
    expect(limitKey("203.0.113.10")).not.toBe(limitKey("203.0.113.9"));
  });

  test("is the same for all addresses of one IPv6 /64, and different in the next /64", () => {
    const suffix = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(suffix, (groups) => {
        const tail = groups.map((group) => group.toString(16)).join(":");
        expect(limitKey(`2001:db8:0:42:${tail}`)).toBe("2001:db8:0:42::/64");
        expect(limitKey(`2001:db8:0:43:${tail}`)).toBe("2001:db8:0:43::/64");
      }),
    );
  });

  test("does not depend on how an address is written", () => {
    for (const spelling of ["2001:db8::1", "2001:0DB8:0000::0001", "[2001:db8::1]:80", "2001:db8::0.0.0.1%en0"]) {
      expect(limitKey(spelling)).toBe("2001:db8::/64");
    }
  });
});

test("an audit row holds the network of an address, not the address", () => {
  expect(truncatedAddress("203.0.113.9")).toBe("203.0.113.0/24");
  expect(truncatedAddress("::ffff:203.0.113.9")).toBe("203.0.113.0/24");
  expect(truncatedAddress("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
  expect(truncatedAddress("::1")).toBe("::/64");
});
