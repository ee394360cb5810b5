// The URL of a request as the client saw it: it is shown to an operator, so it may contain anything.
import { expect, test } from "vitest";
import { findSeenAddress } from "./seen-address.js";

test("the proxy's headers take precedence over the request's host", () => {
  const seen = findSeenAddress(
    { host: "127.0.0.1:3000", "x-forwarded-host": "mods.example.org, inner", "x-forwarded-proto": "https" },
    false,
  );
  expect(seen?.origin).toBe("https://mods.example.org");
  expect(seen?.headers.map(({ name }) => name)).toEqual(["x-forwarded-proto", "x-forwarded-host", "host"]);
});

test("without a proxy it is the requested host", () => {
  expect(findSeenAddress({ host: "localhost:3000" }, false)?.origin).toBe("http://localhost:3000");
  expect(findSeenAddress({ host: "localhost" }, true)?.origin).toBe("https://localhost");
});

test.each([{}, { host: "a b" }, { host: "x", "x-forwarded-proto": "javascript" }, { host: "" }])(
  "%o says nothing",
  (headers) => {
    expect(findSeenAddress(headers, false)).toBeUndefined();
  },
);

test("long headers are cut", () => {
  const seen = findSeenAddress({ host: "a.example", forwarded: "x".repeat(5000) }, false);
  expect(seen?.headers.every(({ value }) => value.length <= 200)).toBe(true);
});
