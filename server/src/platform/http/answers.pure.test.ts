import { describe, expect, test } from "vitest";
import { chooseEncoding, isUnchanged } from "./answers.js";

describe("the encoding", () => {
  test.each([
    [undefined, undefined],
    ["", undefined],
    ["identity", undefined],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["br", "br"],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip;q=1.0, br;q=0.5", "gzip"],
    ["gzip;q=0.5, br;q=0.5", "br"],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0, gzip;q=0", undefined],
    ["br ; q=0.000 , gzip ; q=0.001", "gzip"],
    ["*", "br"],
    ["*;q=0", undefined],
    ["br;q=0, *", "gzip"],
    ["gzip, *;q=0", "gzip"],
    ["deflate", undefined],
    ["gzip;q=abc", "gzip"],
    ["gzip;q=", "gzip"],
    [`${"x,".repeat(5000)}gzip`, "gzip"],
  ])("for Accept-Encoding: %s is %s", (header, encoding) => {
    expect(chooseEncoding(header).best).toBe(encoding);
  });

  test.each([
    ["gzip, br", "gzip"],
    ["br;q=1, gzip;q=0.1", "gzip"],
    ["br", undefined],
    ["zstd", undefined],
    ["br, identity;q=0", "br"],
    ["br, *;q=0", "br"],
    ["br, identity;q=0.5, *;q=0", undefined],
  ])("for prepared pieces and Accept-Encoding: %s is %s", (header, encoding) => {
    expect(chooseEncoding(header).ofPieces).toBe(encoding);
  });
});

describe("If-None-Match", () => {
  test.each([
    ['"abc"', true],
    ['W/"abc"', true],
    ['"x", "abc"', true],
    ['"x",W/"abc","y"', true],
    ["*", true],
    [" * ", true],
    ["abc", false],
    ['"ABC"', false],
    ['"abc-br"', false],
    ['"xabc"', false],
    ['"a", "b"', false],
    ["", false],
    ['"', false],
    [undefined, false],
  ])("%s against the tag abc: %s", (header, unchanged) => {
    expect(isUnchanged(header, "abc")).toBe(unchanged);
  });
});
