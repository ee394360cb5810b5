// Text of authors. This is the only place where HTML is put on a page unescaped: it has passed the allow-list
// (markdown/sanitize.ts).
import type { SafeHtml } from "#platform/markdown/render.js";

export const Markdown = ({ html }: { html: SafeHtml }) => (
  <div class="markdown" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
);
