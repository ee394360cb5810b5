import { describe, expect, test } from "vitest";
import { parseTrustedProxies } from "#lib/client-address.js";
import { clientCountry } from "./client-country.js";

const proxies = parseTrustedProxies(["loopback", "fd00::/8"]);

describe("the country of a request", () => {
  test("is taken from a trusted proxy, in capital letters", () => {
    expect(clientCountry("127.0.0.1", "de", proxies)).toBe("DE");
    expect(clientCountry("::ffff:127.0.0.1", "US", proxies)).toBe("US");
    expect(clientCountry("fd00::1", "Jp", proxies)).toBe("JP");
  });

  test("is not taken from any other sender", () => {
    expect(clientCountry("203.0.113.9", "DE", proxies)).toBe("");
    expect(clientCountry("", "DE", proxies)).toBe("");
    expect(clientCountry("127.0.0.1", "DE", parseTrustedProxies([]))).toBe("");
  });

  test.each([undefined, "", "D", "DEU", "T1", "DE, US", "D\u0130", "=1", "ＤＥ", "XX", "zz", " DE"])(
    "is unknown if the header is %j",
    (header) => {
      expect(clientCountry("127.0.0.1", header, proxies)).toBe("");
    },
  );

  test("is unknown if there are several headers", () => {
    expect(clientCountry("127.0.0.1", ["DE", "US"], proxies)).toBe("");
  });
});
