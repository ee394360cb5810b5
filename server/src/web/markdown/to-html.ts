// Markdown as safe HTML, in this thread: rendered, then cut down to an allow-list on the parsed tree as the very last
// step, so that nothing before it has to be trusted. Pages use render.ts, which does this where nobody waits for it.
import MarkdownIt from "markdown-it";
import { highlight } from "./highlight.js";
import { sanitize } from "./sanitize.js";
import { taskLists } from "./task-lists.js";

/** As long as the longest text that the service takes. */
const mostLetters = 65_256;

const parser = new MarkdownIt({ html: true, linkify: true, typographer: false, highlight });
parser.use(taskLists);
// "example.rs" is a file, not a site: only what begins like an address is one.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// Deeper than anybody writes; what is nested further is left out.
parser.options.maxNesting = 100;

export const toHtml = (markdown: string, cdnUrl: string): string =>
  sanitize(parser.render(markdown.slice(0, mostLetters)), cdnUrl);
