// Every spelling of a URL with a private address is refused before a connection is made.
import { describe, expect, test } from "vitest";
import { isPublicAddress } from "./addresses.js";
import { parseTarget } from "./targets.js";

const strict = { allowPrivate: false };
const lax = { allowPrivate: true };

describe("an address", () => {
  test.each([
    ["this host", "0.0.0.0", "0.1.2.3", "::"],
    ["loopback", "127.0.0.1", "127.255.255.254", "::1"],
    ["private use", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fdff:ffff::1"],
    ["carrier networks", "100.64.0.1", "100.127.255.255"],
    ["link-local, where clouds keep their secrets", "169.254.169.254", "fe80::1", "febf::1", "fe80::1%eth0"],
    ["protocols", "192.0.0.170", "2001::1", "2001:10::1", "2001:1ff::1"],
    ["documentation", "192.0.2.1", "198.51.100.7", "203.0.113.9", "2001:db8::1", "3fff::1"],
    ["benchmarks", "198.18.0.1", "198.19.255.255"],
    ["many receivers", "224.0.0.1", "239.255.255.255", "ff02::1"],
    ["the future and broadcast", "240.0.0.1", "255.255.255.255", "4000::1", "e000::1"],
    ["IPv4 inside IPv6", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:7f00:1", "::127.0.0.1", "::ffff:0:127.0.0.1"],
    ["tunnels and translation", "2002:7f00:1::", "64:ff9b::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::8.8.8.8"],
    ["no address at all", "", "localhost", "1.2.3", "2130706433", "0x7f.1", "8.8.8.8 ", "[::1]"],
  ])("for %s is not public", (_what, ...addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });

  test("on the internet is public", () => {
    const addresses = [
      ...["1.1.1.1", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1", "126.255.255.255", "128.0.0.1"],
      ...["169.253.1.1", "172.15.0.1", "172.32.0.1", "192.167.1.1", "198.17.1.1", "198.20.0.1", "223.255.255.255"],
      ...["2606:4700::1111", "2a00:1450::8a", "2001:200::1", "2001:4860:4860::8888", "64:ff9b::8.8.8.8"],
    ];
    expect(addresses.filter((address) => !isPublicAddress(address))).toEqual([]);
  });
});

const problemOf = (text: string, rules = strict): string => {
  try {
    parseTarget(text, rules);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};

describe("a target", () => {
  test.each([
    ...["https://hooks.site.dev", "https://hooks.site.dev/a/b?c=d", "HTTPS://Hooks.Site.dev:443/", "https://a.b:8443/"],
    ...["https://1.1.1.1/", "https://[2606:4700::1111]/", "https://bücher.site.dev/", "https://a.b:65535/x"],
  ])("%s is accepted", (text) => {
    expect(problemOf(text)).toBe("");
  });

  test.each([
    ["loopback", "https://127.0.0.1/"],
    ["loopback as one number", "https://2130706433/"],
    ["loopback in hex", "https://0x7f000001/"],
    ["loopback in hex and parts", "https://0x7f.0.0.0x1/"],
    ["loopback in octal", "https://0177.0.0.01/"],
    ["loopback, shortened", "https://127.1/"],
    ["loopback with encoded letters", "https://%31%32%37.0.0.1/"],
    ["loopback in wide digits", "https://１２７.０.０.１/"],
    ["loopback with a dot at its end", "https://127.0.0.1./"],
    ["IPv6 loopback", "https://[::1]/"],
    ["IPv6 loopback, written out", "https://[0000:0:0:0:0:0:0:1]/"],
    ["IPv4 inside IPv6", "https://[::ffff:127.0.0.1]/"],
    ["IPv4 inside IPv6, in hex", "https://[::ffff:a00:1]/"],
    ["all addresses", "https://0.0.0.0/"],
    ["zero", "https://0/"],
    ["link-local", "https://169.254.169.254/latest/meta-data/"],
    ["unique local", "https://[fd00::1]/"],
    ["carrier network", "https://100.64.1.1/"],
    ["this machine by name", "https://localhost/"],
    ["this machine with a dot", "https://LocalHost./"],
    ["below localhost", "https://a.localhost/"],
    ["a name without a dot", "https://intranet/"],
    ["a name of the local network", "https://printer.local/"],
    ["a cloud's own name", "https://metadata.google.internal/"],
  ])("that is %s is refused as private: %s", (_what, text) => {
    expect(problemOf(text)).toContain("public internet");
  });

  test.each([
    ["http", "http://hooks.site.dev/", "https://"],
    ["another scheme", "ftp://hooks.site.dev/", "https://"],
    ["a file", "file:///etc/passwd", "https://"],
    ["data", "data:text/plain,x", "https://"],
    ["a script", "javascript:alert(1)", "https://"],
    ["no address", "hooks.site.dev", "https://"],
    ["nothing", "", "https://"],
    ["no slashes", "https:hooks.site.dev", "https://"],
    ["backslashes", "https:\\\\hooks.site.dev", "https://"],
    ["a backslash in its path", "https://hooks.site.dev\\@127.0.0.1/", "https://"],
    ["a line break", "https://hooks.si\nte.dev/", "https://"],
    ["a tab", "https://hooks.site.dev/\tx", "https://"],
    ["a space before it", " https://hooks.site.dev/", "https://"],
    ["NUL", "https://hooks.site.dev/\0", "https://"],
    ["a host that is none", "https://999.1.1.1/", "https://"],
    ["a username", "https://user@hooks.site.dev/", "username"],
    ["a password", "https://:secret@hooks.site.dev/", "username"],
    ["something that looks like a host before the real one", "https://hooks.site.dev@127.0.0.1/", "username"],
    ["a fragment", "https://hooks.site.dev/#x", "#"],
    ["an empty fragment", "https://hooks.site.dev/#", "#"],
    ["the port of mail", "https://hooks.site.dev:25/", "port"],
    ["the port of shells", "https://hooks.site.dev:22/", "port"],
    ["port 0", "https://hooks.site.dev:0/", "port"],
    ["port 80", "https://hooks.site.dev:80/", "port"],
  ])("with %s is refused", (_what, text, hint) => {
    expect(problemOf(text)).toContain(hint);
  });

  test("may be private and use http if the operator allows it, but nothing else changes", () => {
    for (const text of ["http://127.0.0.1:1/", "https://intranet/x", "http://[::1]:81/"])
      expect(problemOf(text, lax)).toBe("");
    for (const text of ["file:///etc/passwd", "http://user@intranet/", "http://intranet/#x", "http://in\ntranet/"])
      expect(problemOf(text, lax)).not.toBe("");
  });
});
