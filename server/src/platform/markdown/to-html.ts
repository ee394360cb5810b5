// Renders markdown as safe HTML in this thread. Sanitizing with the allow-list is the last step, so that no earlier
// step has to be trusted. Pages use render.ts, which does this in a thread of its own.
import MarkdownIt from "markdown-it";
import { calloutQuotes } from "./callouts.js";
import { createHighlighter } from "./highlight.js";
import { rememberOpenBrackets } from "./link-labels.js";
import { sanitize } from "./sanitize.js";
import { limitTables } from "./table-limits.js";
import { taskLists } from "./task-lists.js";

/** The longest text that the service accepts. */
const mostLetters = 65_256;
/** Larger pages would slow down browsers. The longest ordinary texts need less than half of it. */
const mostHtmlLetters = 1024 * 1024;
/**
 * Each heading takes three, each list item five. A text of the maximum length with 8 characters in each line has fewer.
 */
const mostBlockTokens = 40_000;

const parser = new MarkdownIt({ html: true, linkify: true, typographer: false });
parser.use(taskLists);
parser.use(calloutQuotes);
parser.use(limitTables);
parser.use(rememberOpenBrackets);
// "example.rs" is a file name: only text that starts like a URL becomes a link.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// Twelve nested lists; deeper levels are left out.
parser.options.maxNesting = 24;

parser.core.ruler.after("block", "limit-blocks", ({ tokens }) => {
  if (tokens.length > mostBlockTokens) throw new TextTooLarge();
});

/** The HTML of the text would be too large. */
export class TextTooLarge extends Error {}

/** Throws if the text cannot be rendered. */
export function toHtml(markdown: string, cdnUrl: string): string {
  parser.options.highlight = createHighlighter();
  const html = parser.render(markdown.slice(0, mostLetters));
  if (html.length > mostHtmlLetters) throw new TextTooLarge();
  const safe = sanitize(html, cdnUrl);
  if (safe.length > mostHtmlLetters) throw new TextTooLarge();
  return safe;
}
