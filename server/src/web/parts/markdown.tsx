// Text of authors as HTML, which has passed the allow-list (markdown/sanitize.ts).
import { rawHtml } from "#lib/jsx-runtime.js";
import type { SafeHtml } from "#platform/markdown/render.js";

export const Markdown = ({ html }: { html: SafeHtml }) => (
  <div class="markdown" dir="auto">
    {rawHtml(html)}
  </div>
);
