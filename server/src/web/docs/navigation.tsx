// The parts of the reference: their pages, the index of everything in them, and the navigation beside a part.

import type { OpenApiDocument, Operation } from "#platform/http/openapi.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { getApiReference } from "./contract.js";
import { conventions } from "./conventions.js";
import { MethodTag } from "./operation.js";

export interface Entry {
  path: string;
  method: string;
  operation: Operation;
}

export const listEntries = ({ paths }: OpenApiDocument, tag: string): Entry[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation.tags[0] === tag ? [{ path, method, operation }] : [],
    ),
  );

/** "Personal access tokens" → "personal-access-tokens" */
export const slugOf = (tag: string): string => tag.toLowerCase().replace(/[^a-z0-9]+/g, "-");

/** A part of the reference with a page of its own. */
export interface Part {
  /** The last part of its path. */
  slug: string;
  /** Its anchor. */
  id: string;
  title: string;
  items: readonly { id: string; title: string; method?: string; path?: string }[];
}

export const listParts = (document: OpenApiDocument): Part[] => [
  { slug: "conventions", id: "conventions", title: "Conventions", items: conventions },
  ...document.tags.map(({ name }) => ({
    slug: slugOf(name),
    id: `tag-${slugOf(name)}`,
    title: name,
    items: listEntries(document, name).map(({ path, method, operation }) => ({
      ...{ id: operation.operationId, title: operation.summary, path, method },
    })),
  })),
  ...listShapes(document),
];

/** All shapes would make the largest page by far. */
const shapePages = 3;

function listShapes({ components }: OpenApiDocument): Part[] {
  const names = Object.keys(components.schemas).sort();
  const most = Math.max(1, Math.ceil(names.length / shapePages));
  return Array.from({ length: Math.ceil(names.length / most) }, (_, at) => {
    const members = names.slice(at * most, (at + 1) * most);
    const slug = at === 0 ? "shapes" : `shapes-${at + 1}`;
    return {
      ...{ slug, id: slug, title: `Shapes: ${members[0]} to ${members.at(-1)}` },
      items: members.map((name) => ({ id: shapeId(name), title: name })),
    };
  });
}

export const shapeId = (name: string): string => `shape-${name}`;

export const pathOf = ({ slug }: Pick<Part, "slug">): string => `${getApiReference.path}/${slug}`;

/**
 * Everything in the reference, by its name. The anchors are those of the single page that the reference once was: they lead
 * to the entry, and the script goes on from there (scripts/docs.ts).
 */
export const Index = ({ parts }: { parts: readonly Part[] }) => (
  <>
    {parts.map((part) => (
      <section key={part.id} id={part.id} class="chapter" lang="en">
        <h2>
          <a href={`${pathOf(part)}#${part.id}`}>{part.title}</a>
        </h2>
        <ul class="docs-index">
          {part.items.map(({ id, title, method, path }) => (
            <li key={id} id={id} class="docs-entry">
              <a href={`${pathOf(part)}#${id}`}>
                {method && <MethodTag method={method} />}
                <span>{title}</span>
                {path && <code>{path}</code>}
              </a>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </>
);

export const Navigation = ({ parts, current }: { parts: readonly Part[]; current: Part | undefined }) => (
  <nav class="docs-nav" aria-label={useTexts(texts.docs.reference).contents}>
    <ul lang="en">
      {parts.map((part) => (
        <li key={part.id}>
          <a class="group" href={part === current ? `#${part.id}` : pathOf(part)}>
            {part.title}
          </a>
          {part === current && (
            <ul>
              {part.items.map(({ id, title, method }) => (
                <li key={id}>
                  <a href={`#${id}`}>
                    {method && <MethodTag method={method} />}
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  </nav>
);
