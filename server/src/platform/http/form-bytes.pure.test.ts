import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEndFinder } from "./form-bytes.js";

/** Reports what the finder knows after these bytes, sent in pieces that end at these offsets. */
function look(text: string, cuts: readonly number[] = []): [isFound: boolean, isFollowed: boolean] {
  const bytes = Buffer.from(text, "latin1");
  const finder = createEndFinder("b-1");
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let at = 0;
  for (const place of [...places, bytes.length]) {
    finder.see(bytes.subarray(at, place));
    at = place;
  }
  return [finder.isFound(), finder.isFollowed()];
}

const part = '--b-1\r\ncontent-disposition: form-data; name="a"\r\n\r\nvalue';

describe("the end of a form", () => {
  test.each<[string, string, [boolean, boolean]]>([
    ["is its closing delimiter", `${part}\r\n--b-1--\r\n`, [true, false]],
    ["may be the last thing", `${part}\r\n--b-1--`, [true, false]],
    ["may be the first", "--b-1--\r\n", [true, false]],
    ["may be followed by blanks", `${part}\r\n--b-1--\t \r\n\r\n`, [true, false]],
    ["is no other delimiter", `${part}\r\n--b-1\r\n\r\n`, [false, false]],
    ["is not one in the middle of a line", `${part} --b-1--\r\n`, [false, false]],
    ["is not one after a bare line feed", `${part}\n--b-1--\r\n`, [false, false]],
    ["is not another form's", `${part}\r\n--b-2--\r\n`, [false, false]],
    ["must be the end", `${part}\r\n--b-1--\r\nx`, [true, true]],
    ["comes once", `${part}\r\n--b-1--\r\n${part}\r\n--b-1--\r\n`, [true, true]],
    ["is nowhere in nothing", "", [false, false]],
  ])("%s", (_what, text, expected) => {
    expect(look(text)).toEqual(expected);
    for (let cut = 0; cut <= text.length; cut++) expect(look(text, [cut]), `cut at ${cut}`).toEqual(expected);
  });

  test("is found with any division into pieces", () => {
    const pieces = fc.constantFrom("\r\n", "--b-1", "--b-1--", "--", "-", "x", "\r", "\n", " ");
    const texts = fc.array(pieces, { maxLength: 12 }).map((list) => list.join(""));
    fc.assert(
      fc.property(texts, fc.array(fc.nat(100), { maxLength: 30 }), (text, cuts) => {
        expect(look(text, cuts)).toEqual(look(text));
      }),
      { numRuns: 2000 },
    );
  });
});
