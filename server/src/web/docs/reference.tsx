// The API reference. All of it except for the conventions is generated from the OpenAPI document.

import { type Element, rawHtml, renderToString } from "#lib/jsx-runtime.js";
import type { OpenApiDocument } from "#platform/http/openapi.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { Conventions } from "./conventions.js";
import { FieldTable, toRows, toSentence } from "./fields.js";
import { listEntries, Navigation, tagId } from "./navigation.js";
import { OperationSection } from "./operation.js";

/** A part of the page that is the same in all languages and themes. */
export interface Chapter {
  id: string;
  html: string;
}

export const Reference = ({ document, chapters }: { document: OpenApiDocument; chapters: readonly Chapter[] }) => {
  const { url } = document.servers[0]!;
  const t = useTexts(texts.docs.reference);
  return (
    <div class="docs">
      <Navigation document={document} />
      <article>
        <header class="stack">
          <h1>{t.title}</h1>
          <p class="lead">
            {t.lead} <a href="/api/docs/openapi.json">OpenAPI 3.1</a>.
          </p>
          <dl class="facts">
            <dt>{t.address}</dt>
            <dd>
              <code>{url}</code>
            </dd>
            <dt>{t.version}</dt>
            <dd>{document.info.version}</dd>
          </dl>
        </header>
        <search class="docs-find" data-docs-find hidden>
          <div class="field">
            <input
              type="search"
              aria-label={t.find}
              placeholder={t.find}
              aria-keyshortcuts="/"
              autocomplete="off"
              spellcheck={false}
            />
            <kbd>/</kbd>
          </div>
          <output class="small muted" data-found={t.found} data-not-found={t.notFound} />
        </search>
        {chapters.map(({ id, html }) => (
          <section key={id} id={id} class="chapter" lang="en">
            {rawHtml(html)}
          </section>
        ))}
      </article>
    </div>
  );
};

/** The cost of one operation or shape, in the steps of slices.ts. */
const stepsPerPiece = 1000;

/** Renders tens of thousands of elements, one operation at a time, so that other requests are answered in between. */
export function* renderChapters(document: OpenApiDocument): Generator<number, Chapter[]> {
  const chapters: Chapter[] = [];
  for (const { id, pieces } of listChapters(document)) {
    let html = "";
    for (const piece of pieces) {
      html += renderToString(piece);
      yield stepsPerPiece;
    }
    chapters.push({ id, html });
  }
  return chapters;
}

const listChapters = (document: OpenApiDocument): { id: string; pieces: Element[] }[] => [
  { id: "conventions", pieces: [<h2>Conventions</h2>, <Conventions url={document.servers[0]!.url} />] },
  ...document.tags.map(({ name, description }) => ({
    id: tagId(name),
    pieces: [
      <h2>{name}</h2>,
      ...(description ? [<p>{description}</p>] : []),
      ...listEntries(document, name).map(({ path, method }) => (
        <OperationSection document={document} path={path} method={method} />
      )),
    ],
  })),
  {
    id: "shapes",
    pieces: [
      <h2>Shapes</h2>,
      ...Object.entries(document.components.schemas).map(([name, schema]) => <Shape name={name} schema={schema} />),
    ],
  },
];

const Shape = ({ name, schema }: { name: string; schema: OpenApiDocument["components"]["schemas"][string] }) => (
  <section class="operation" id={`shape-${name}`}>
    <h3>
      <a href={`#shape-${name}`}>{name}</a>
    </h3>
    {schema.description && <p>{toSentence(schema.description)}</p>}
    <FieldTable label={name} rows={toRows(schema)} />
  </section>
);
