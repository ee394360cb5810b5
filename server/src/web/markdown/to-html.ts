// Markdown as safe HTML, in this thread: rendered, then cut down to an allow-list on the parsed tree as the very last
// step, so that nothing before it has to be trusted. Pages use render.ts, which does this in a thread of its own.
import MarkdownIt from "markdown-it";
import { createHighlighter } from "./highlight.js";
import { sanitize } from "./sanitize.js";
import { limitTables } from "./table-limits.js";
import { taskLists } from "./task-lists.js";

/** As long as the longest text that the service takes. */
const mostLetters = 65_256;
/** Larger pages would be a burden for browsers; the longest honest texts stay below half of it. */
const mostHtmlLetters = 1024 * 1024;
/** Each heading takes three, each item of a list five; a text of the greatest length with 8 letters in a line has fewer. */
const mostBlockTokens = 40_000;

const parser = new MarkdownIt({ html: true, linkify: true, typographer: false });
parser.use(taskLists);
parser.use(limitTables);
// "example.rs" is a file, not a site: only what begins like an address is one.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// Twelve lists inside each other; what is nested further is left out. The parser looks this far ahead at every "[" that
// is never closed, so the limit also decides how long a text of brackets takes.
parser.options.maxNesting = 24;

parser.core.ruler.after("block", "limit-blocks", ({ tokens }) => {
  if (tokens.length > mostBlockTokens) throw new TextTooLarge();
});

/** Of what the text would become. */
export class TextTooLarge extends Error {}

/** Throws where the text cannot be rendered. */
export function toHtml(markdown: string, cdnUrl: string): string {
  parser.options.highlight = createHighlighter();
  const html = parser.render(markdown.slice(0, mostLetters));
  if (html.length > mostHtmlLetters) throw new TextTooLarge();
  const safe = sanitize(html, cdnUrl);
  if (safe.length > mostHtmlLetters) throw new TextTooLarge();
  return safe;
}
