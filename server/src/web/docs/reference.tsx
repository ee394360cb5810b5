// The API reference: an index and a page for each part, because all of it would be too much for a phone. All of it except
// for the conventions is generated from the OpenAPI document.

import { type Element, rawHtml, renderToString } from "#lib/jsx-runtime.js";
import type { OpenApiDocument } from "#platform/http/openapi.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { getApiReference } from "./contract.js";
import { Conventions } from "./conventions.js";
import { FieldTable, toRows, toSentence } from "./fields.js";
import { Index, listEntries, listParts, Navigation, type Part, pathOf, shapeId } from "./navigation.js";
import { OperationSection } from "./operation.js";

/** The content of a part, which is the same in all languages and themes. */
export interface Chapter extends Part {
  html: string;
}

interface Props {
  document: OpenApiDocument;
  chapters: readonly Chapter[];
  /** The part that is shown; undefined for the index. */
  shown: Chapter | undefined;
}

export const Reference = ({ document, chapters, shown }: Props) => {
  const { url } = document.servers[0]!;
  const t = useTexts(texts.docs.reference);
  return (
    <div class="docs">
      <Navigation parts={chapters} current={shown} />
      <article>
        <header class="stack">
          {shown && (
            <p>
              <a href={getApiReference.path}>{t.title}</a>
            </p>
          )}
          <h1 lang={shown && "en"}>{shown?.title ?? t.title}</h1>
          {!shown && (
            <>
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
            </>
          )}
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
        {shown ? (
          <section id={shown.id} class="chapter" lang="en">
            {rawHtml(shown.html)}
          </section>
        ) : (
          <Index parts={chapters} />
        )}
      </article>
    </div>
  );
};

/** The cost of one operation or shape, in the steps of slices.ts. */
const stepsPerPiece = 1000;

/** Renders tens of thousands of elements, one operation at a time, so that other requests are answered in between. */
export function* renderChapters(document: OpenApiDocument): Generator<number, Chapter[]> {
  const parts = listParts(document);
  const places = new Map(parts.flatMap((part) => [part.id, ...part.items.map(({ id }) => id)].map((id) => [id, part])));
  const chapters: Chapter[] = [];
  for (const part of parts) {
    let html = "";
    for (const piece of piecesOf(document, part)) {
      html += renderToString(piece).replaceAll(/ href="#([\w-]+)"/g, (link, id: string) => {
        const other = places.get(id);
        return other && other !== part ? ` href="${pathOf(other)}#${id}"` : link;
      });
      yield stepsPerPiece;
    }
    chapters.push({ ...part, html });
  }
  return chapters;
}

function piecesOf(document: OpenApiDocument, { id, title, items }: Part): Element[] {
  if (id === "conventions") return [<Conventions url={document.servers[0]!.url} />];
  const shapes = Object.entries(document.components.schemas).filter(([name]) =>
    items.some((item) => item.id === shapeId(name)),
  );
  if (shapes.length > 0) return shapes.map(([name, schema]) => <Shape name={name} schema={schema} />);
  const description = document.tags.find(({ name }) => name === title)?.description;
  return [
    ...(description ? [<p>{description}</p>] : []),
    ...listEntries(document, title).map(({ path, method }) => (
      <OperationSection document={document} path={path} method={method} />
    )),
  ];
}

const Shape = ({ name, schema }: { name: string; schema: OpenApiDocument["components"]["schemas"][string] }) => (
  <section class="operation" id={`shape-${name}`}>
    <h3>
      <a href={`#shape-${name}`}>{name}</a>
    </h3>
    {schema.description && <p>{toSentence(schema.description)}</p>}
    <FieldTable label={name} rows={toRows(schema)} />
  </section>
);
