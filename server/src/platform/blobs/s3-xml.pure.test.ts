import { describe, expect, test } from "vitest";
import { escapeXml, findText, listElements, unescapeXml } from "./s3-xml.js";

describe("the XML of S3", () => {
  test("finds elements by their whole name", () => {
    const xml = '<R xmlns="x"><KeyCount>2</KeyCount><Key>a</Key><Key attr="1">b</Key><Key/><Keys>no</Keys></R>';
    expect([...listElements(xml, "Key")]).toEqual(["a", "b", ""]);
    expect(findText(xml, "KeyCount")).toBe("2");
    expect(findText(xml, "Absent")).toBeUndefined();
  });

  test("decodes entities once and leaves everything else", () => {
    expect(unescapeXml("&lt;a&gt; &amp;amp; &quot;&apos; &#34;&#x41; &nope; &#x110000; & ;")).toBe(
      `<a> &amp; "' "A &nope; &#x110000; & ;`,
    );
  });

  test("decodes an escaped text to the original", () => {
    const text = `"etag" <&> 'x' é`;
    expect(unescapeXml(escapeXml(text))).toBe(text);
    expect(escapeXml(text)).not.toMatch(/[<>"']/);
  });

  test("finds nothing in malformed XML", () => {
    for (const xml of ["", "<Key", "<Key>", "<Key>a</Ke", "</Key>", "<Key".repeat(1000)]) {
      expect([...listElements(xml, "Key")]).toEqual([]);
    }
  });

  test("takes linear time for hostile answers", () => {
    // Code that is not linear would take minutes.
    expect([...listElements("<Key><Keyx>".repeat(100_000), "Key")]).toEqual([]);
    unescapeXml("&#".repeat(500_000));
  });
});
