// SVG pictures of other sites: what draws stays, everything else goes.
import { expect, test } from "vitest";
import { isVectorLike } from "./sniff.js";
import { cleanVector } from "./vector.js";

const open = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">';
const clean = (inside: string, before = "") => {
  const bytes = Buffer.from(`${before}${open}${inside}</svg>`);
  expect(isVectorLike(bytes)).toBe(true);
  return cleanVector(bytes)?.toString();
};

test.each([
  [
    "gradients and their use",
    '<linearGradient id="a" gradientUnits="userSpaceOnUse"></linearGradient><rect fill="url(#a)"></rect>',
  ],
  ["a logo inside", '<image href="data:image/svg+xml;base64,PHN2Zy8+"></image>'],
  ["a reference inside", '<use xlink:href="#a"></use>'],
  ["styles of an element", '<rect style="fill:#fff;stroke:url(#a)"></rect>'],
])("keeps %s", (_what, drawn) => {
  expect(clean(drawn)).toBe(`${open}${drawn}</svg>`);
});

test.each([
  ["scripts", "<script>alert(1)</script>"],
  ["style sheets", "<style>a{}</style>"],
  ["HTML", "<foreignObject><iframe src='https://evil.site/'></iframe></foreignObject>"],
  ["animations that set a link", '<set attributeName="href" to="javascript:alert(1)"/>'],
])("removes %s", (_what, removed) => {
  expect(clean(removed)).toBe(`${open}</svg>`);
});

test.each([
  ["handlers", 'onclick="alert(1)"'],
  ["pictures of other sites", 'href="https://evil.site/x.png"'],
  ["scripts as links", 'xlink:href="javascript:alert(1)"'],
  ["relative files", 'href="other.svg#a"'],
  ["fills of other sites", 'fill="url(https://evil.site/x#a)"'],
  ["styles that load", 'style="background:url(//evil.site/x)"'],
  ["styles with escapes", 'style="background:\\75rl(//evil.site/x)"'],
])("removes attributes with %s", (_what, attribute) => {
  expect(clean(`<image ${attribute}/>`)).toBe(`${open}<image></image></svg>`);
});

test("declarations and comments before it are allowed, entities and other documents are not", () => {
  const before =
    '\uFEFF<?xml version="1.0"?>\n<!-- a --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x">\n<!-- b -->';
  expect(clean("", before)).toBe(`${open}</svg>`);
  expect(cleanVector(Buffer.from(`<!DOCTYPE svg [<!ENTITY a "a">]>${open}&a;</svg>`))).toBeUndefined();
  expect(cleanVector(Buffer.from("<svg onload=x><p>"))).toBeUndefined();
  expect(cleanVector(Buffer.from("<!-- a --><html><svg></svg></html>"))).toBeUndefined();
  for (const text of ["<html><svg ", "text <svg ", ""]) expect(isVectorLike(Buffer.from(text))).toBe(false);
});
