import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "#test/callers/any-character.js";
import { element, escapeXml, textElement } from "./xml.js";

describe("text in XML", () => {
  test("cannot end its element or attribute", () => {
    expect(textElement("a", `</a><b x="1" y='2'>&amp;`)).toBe(
      "<a>&lt;/a&gt;&lt;b x=&quot;1&quot; y=&#39;2&#39;&gt;&amp;amp;</a>",
    );
    expect(element("a", { href: `"><script>` })).toBe('<a href="&quot;&gt;&lt;script&gt;"/>');
  });

  test("loses the characters that XML cannot hold, and nothing else", () => {
    expect(escapeXml("a\0b\x1bc\x7fd\ud800e\ufffef\t\n\r😀")).toBe("abc\x7fdef\t\n\r😀");
  });

  test("contains only allowed characters after escaping", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const written = escapeXml(text);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them
        return !/[<>"'\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(written) && written.isWellFormed();
      }),
    );
  });

  test("is omitted with an attribute that has no value", () => {
    expect(element("a", { x: undefined, y: 0 }, ["<b/>"])).toBe('<a y="0"><b/></a>');
  });
});
