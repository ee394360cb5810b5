// The navigation of the reference, by tag.

import type { Children } from "#lib/jsx-runtime.js";
import type { OpenApiDocument, Operation } from "#platform/http/openapi.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
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

/** "Personal access tokens" → "tag-personal-access-tokens" */
export const tagId = (tag: string): string => `tag-${tag.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;

export const Navigation = ({ document }: { document: OpenApiDocument }) => (
  <nav class="docs-nav" aria-label={useTexts(texts.docs.reference).contents}>
    <ul lang="en">
      <Group href="#conventions" title="Conventions">
        {conventions.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </Group>
      {document.tags.map(({ name }) => (
        <Group key={name} href={`#${tagId(name)}`} title={name}>
          {listEntries(document, name).map(({ method, operation }) => (
            <li key={operation.operationId}>
              <a href={`#${operation.operationId}`}>
                <MethodTag method={method} />
                {operation.summary}
              </a>
            </li>
          ))}
        </Group>
      ))}
      <Group href="#shapes" title="Shapes">
        {Object.keys(document.components.schemas).map((name) => (
          <li key={name}>
            <a href={`#shape-${name}`}>{name}</a>
          </li>
        ))}
      </Group>
    </ul>
  </nav>
);

const Group = ({ href, title, children }: { href: string; title: string; children: Children }) => (
  <li>
    <a class="group" href={href}>
      {title}
    </a>
    <ul>{children}</ul>
  </li>
);
