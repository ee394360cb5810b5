// The routes of the page in markdown-tools.tsx.
import Type from "typebox";
import { lengths } from "#lib/lengths.js";
import { needs, open } from "#platform/http/access.js";
import { endpoint, type Route, route } from "#platform/http/endpoint.js";
import { previewMarkdown, renderMarkdown } from "#platform/markdown/render.js";
import { showHtml } from "#platform/markdown/show.js";
import { picturesInTexts } from "#platform/pictures/in-texts.js";
import { formFields, withPlainLines } from "#web/context/form.js";
import { localeOf } from "#web/context/preferences.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { texts, textsIn } from "#words/texts.js";
import { path, shown } from "./markdown-tools.js";

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
  route(previewEndpoint, async ({ body, request }, resources) => {
    const { callouts } = textsIn(texts.parts.markdown, localeOf(request));
    const html = await previewMarkdown(body.text, resources.config.http);
    return { html: showHtml(html, { ...picturesInTexts(resources), calloutTitles: callouts }) };
  }),

  pageRoute(
    { id: "getMarkdownPage", path, access: open, summary: "A page to try markdown" },
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
      summary: "Render markdown",
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
