// A place to try markdown out, and the preview for every editor: both show exactly what pages will show.

import Type from "typebox";
import { lengths } from "#lib/lengths.js";
import { needs, open } from "#platform/http/access.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";
import { formFields, withPlainLines } from "#web/context/form.js";
import { localeOf } from "#web/context/preferences.js";
import { useTexts } from "#web/context/texts.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { previewMarkdown, renderMarkdown, type SafeHtml } from "#web/markdown/render.js";
import { Button } from "#web/parts/button.js";
import { EditorField } from "#web/parts/editor-field.js";
import { Form } from "#web/parts/form.js";
import { Markdown } from "#web/parts/markdown.js";
import type { Locale } from "#words/languages.js";
import { texts, textsIn } from "#words/texts.js";

const path = "/tools/markdown";

const previewEndpoint = endpoint({
  id: "previewMarkdown",
  method: "POST",
  path: "/api/markdown",
  access: needs("user_read"),
  rate: "preview",
  tag: "Website",
  summary: "Markdown as this site shows it",
  body: Type.Object({ text: Type.String({ maxLength: lengths.projectDescription[1] }) }),
  answer: Type.Object({ html: Type.String() }),
  cacheControl: "no-store",
  errors: ["unavailable"],
  internal: true,
});

export const markdownRoutes: Route[] = [
  route(previewEndpoint, async ({ body }, { config }) => ({ html: await previewMarkdown(body.text, config.http) })),

  pageRoute(
    { id: "getMarkdownPage", path, access: open, summary: "A place to try markdown out" },
    async ({ request }, { config }) => {
      const locale = localeOf(request);
      const { sample } = textsIn(texts.publish.markdownTools, locale);
      return shown(locale, sample, await renderMarkdown(sample, config.http));
    },
  ),

  memberFormRoute(
    {
      id: "submitMarkdown",
      path,
      access: open,
      rate: "preview",
      summary: "Show how markdown looks",
      body: formFields("text"),
      files: {},
    },
    async ({ request, body }, { config }) => {
      const text = withPlainLines(body.text).slice(0, lengths.projectDescription[1]);
      return shown(localeOf(request), text, await previewMarkdown(text, config.http));
    },
    { guestLead: (locale) => textsIn(texts.publish.markdownTools, locale).needsSignIn },
  ),
];

function shown(locale: Locale, text: string, html: SafeHtml) {
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
