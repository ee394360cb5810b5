// Text of authors as HTML, which has passed the allow-list (markdown/sanitize.ts).
import { rawHtml } from "#lib/jsx-runtime.js";
import type { SafeHtml } from "#platform/markdown/render.js";
import { showHtml } from "#platform/markdown/show.js";
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";

export const Markdown = ({ html, below }: { html: SafeHtml; below?: number }) => {
  const { callouts } = useTexts(texts.parts.markdown);
  const { pictures } = useFrame();
  return (
    <div class="markdown" dir="auto">
      {rawHtml(showHtml(html, { ...pictures, calloutTitles: callouts, below }))}
    </div>
  );
};
