// Labels end where the parser's own function finds their end.
import MarkdownIt from "markdown-it";
import { expect, test } from "vitest";
import { rememberOpenBrackets } from "./link-labels.js";

const pieces =
  "[|]|![|](b)|[a]|(b)|`|*|_|\\|<b>|a| |\n|](|[[|]]|\n\n[a]: /x\n\n|~~|<https://c.example>|https://d.example".split(
    "|",
  );

/** Texts of a few kinds of pieces each. A fixed sequence of numbers chooses them, so that every run tests the same. */
function* textsOfBrackets(count: number): Generator<string> {
  let last = 1;
  const below = (limit: number) => {
    last = (Math.imul(last, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((last / 2 ** 32) * limit);
  };
  for (let made = 0; made < count; made++) {
    const first = below(pieces.length);
    const kinds = 2 + below(pieces.length - 2);
    yield Array.from({ length: 1 + below(40) }, () => pieces[(first + below(kinds)) % pieces.length]).join("");
  }
}

test.each([3, 6, 24, 100])("with %i levels, random texts become the same HTML", (maxNesting) => {
  const create = () => new MarkdownIt({ html: true, linkify: true }).set({ maxNesting });
  const [plain, ours] = [create(), create().use(rememberOpenBrackets)];
  let links = 0;
  for (const text of textsOfBrackets(3_000)) {
    const expected = plain.render(text);
    expect(ours.render(text), JSON.stringify(text)).toBe(expected);
    if (expected.includes("<a ")) links++;
  }
  expect(links).toBeGreaterThan(300);
});
