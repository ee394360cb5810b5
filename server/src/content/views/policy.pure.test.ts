import { describe, expect, test } from "vitest";
import { isVisit, referrerOf, type VisitHeaders } from "./policy.js";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const visit = (headers: Partial<VisitHeaders>): VisitHeaders => ({
  ...{ userAgent: firefox, fetchDest: "document", purpose: undefined, referer: undefined, asksForPrivacy: false },
  ...headers,
});

describe("a view", () => {
  test.each([
    firefox,
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Linux; Android 10; CUBOT X30) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)",
  ])("is made by a browser: %s", (userAgent) => {
    expect(isVisit(visit({ userAgent }))).toBe(true);
    expect(isVisit(visit({ userAgent, fetchDest: undefined }))).toBe(true);
  });

  test.each([
    undefined,
    "",
    "curl/8.5.0",
    "python-requests/2.32",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0 Safari/537.36",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/600.2.5 (KHTML, like Gecko) Version/8.0.2 Safari/600.2.5 (Applebot/0.1)",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  ])("is not made by a robot or a program: %s", (userAgent) => {
    expect(isVisit(visit({ userAgent }))).toBe(false);
  });

  test("is neither a prefetch nor a picture nor a frame", () => {
    for (const purpose of ["prefetch", "prefetch;prerender", "preview"])
      expect(isVisit(visit({ purpose }))).toBe(false);
    for (const fetchDest of ["image", "iframe", "script"]) expect(isVisit(visit({ fetchDest }))).toBe(false);
  });
});

describe("the referrer", () => {
  const own = new Set(["mods.example"]);

  test.each([
    ["https://forum.example.org/threads/1?secret=1#x", "forum.example.org"],
    ["http://WWW.Example.com:8080/", "example.com"],
    ["https://xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["https://192.0.2.1/", "192.0.2.1"],
    ["https://mods.example/mods", "self"],
    ["https://www.mods.example:443/", "self"],
    ["http://intranet/", "other"],
    ["https://a..b/", "other"],
    ["https://.example/", "other"],
  ])("named by %s is %s", (referer, expected) => {
    expect(referrerOf(referer, own)).toBe(expected);
  });

  test.each([
    undefined,
    "",
    "about:blank",
    "android-app://com.example.app/",
    "https://user:password@example.org/",
    "https://exa mple.org/",
    "https://=cmd|x/",
    "https://ex\u00e4mple.org/",
    "https://[2001:db8::1]/",
    `https://${"a.".repeat(51)}org/`,
    `https://${"a".repeat(100_000)}`,
    "x".repeat(100_000),
  ])("is unknown for anything else: %#", (referer) => {
    expect(referrerOf(referer, own)).toBe("direct");
  });
});
