// The API reference: everything in it comes from the OpenAPI document, but for the conventions.
import type { OpenApiDocument } from "../../http/openapi.js";
import { useTexts } from "../texts.js";
import { Conventions } from "./conventions.js";
import { docsTexts } from "./docs-texts.js";
import { FieldTable, toRows, toSentence } from "./fields.js";
import { listEntries, Navigation, tagId } from "./navigation.js";
import { OperationSection } from "./operation.js";

export const Reference = ({ document }: { document: OpenApiDocument }) => {
  const { url } = document.servers[0]!;
  const t = useTexts(docsTexts);
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
        <section id="conventions" class="chapter" lang="en">
          <h2>Conventions</h2>
          <Conventions url={url} />
        </section>
        {document.tags.map(({ name, description }) => (
          <section key={name} id={tagId(name)} class="chapter" lang="en">
            <h2>{name}</h2>
            {description && <p>{description}</p>}
            {listEntries(document, name).map(({ path, method }) => (
              <OperationSection key={`${method} ${path}`} document={document} path={path} method={method} />
            ))}
          </section>
        ))}
        <section id="shapes" class="chapter" lang="en">
          <h2>Shapes</h2>
          <Shapes document={document} />
        </section>
      </article>
    </div>
  );
};

const Shapes = ({ document }: { document: OpenApiDocument }) =>
  Object.entries(document.components.schemas).map(([name, schema]) => (
    <section key={name} class="operation" id={`shape-${name}`}>
      <h3>
        <a href={`#shape-${name}`}>{name}</a>
      </h3>
      {schema.description && <p>{toSentence(schema.description)}</p>}
      <FieldTable label={name} rows={toRows(schema)} />
    </section>
  ));
