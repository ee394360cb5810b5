// Text of authors. The only place where HTML goes onto a page as it is: it has passed the allow-list (markdown/sanitize.ts).
import type { SafeHtml } from "#web/markdown/render.js";

export const Markdown = ({ html }: { html: SafeHtml }) => (
  <div class="markdown" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
);
