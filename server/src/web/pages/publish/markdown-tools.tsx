// A page to try markdown, and the preview of every editor: both show exactly what pages will show.
import { lengths } from "#lib/lengths.js";
import type { SafeHtml } from "#platform/markdown/render.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { EditorField } from "#web/parts/editor-field.js";
import { Form } from "#web/parts/form.js";
import { Markdown } from "#web/parts/markdown.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";

export const path = "/tools/markdown";

export function shown(locale: Locale, text: string, html: SafeHtml) {
  const { title, lead } = textsIn(texts.publish.markdownTools, locale);
  return { title, description: lead, scripts: ["editor"] as const, content: <Scratch text={text} html={html} /> };
}

const Scratch = ({ text, html }: { text: string; html: SafeHtml }) => {
  const t = useTexts(texts.publish.markdownTools);
  return (
    <div class="stack loose author-page">
      <div class="stack">
        <h1>{t.title}</h1>
        <p class="lead">{t.lead}</p>
      </div>
      <Form class="form" action={path} hasFiles>
        <EditorField name="text" label={t.text} value={text} lengths={lengths.projectDescription} />
        <Button>{t.show}</Button>
      </Form>
      <section class="card stack">
        <h2>{t.shown}</h2>
        <Markdown html={html} />
      </section>
    </div>
  );
};
