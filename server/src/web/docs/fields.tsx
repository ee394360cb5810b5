// Schemas as tables: one row for each field, with inner objects expanded and links to named shapes.

import { capitalized } from "#lib/capitalized.js";
import type { Children } from "#lib/jsx-runtime.js";
import { enumDescriptions, type JsonSchema, referencedName } from "#platform/http/openapi-schemas.js";

export interface FieldRow {
  name: string;
  schema: JsonSchema;
  isRequired: boolean;
  /** Shown beside the name, such as the location of a parameter. */
  place?: string;
  description?: string;
}

/** The fields of an object; those of inner objects have a path such as "issues[].message". */
export function toRows(schema: JsonSchema, prefix = ""): FieldRow[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = prefix + key;
    const row = { name, schema: property, isRequired: required.has(key), description: property.description };
    const inner = property.items?.properties ? property.items : property;
    return [row, ...(inner.properties ? toRows(inner, inner === property ? `${name}.` : `${name}[].`) : [])];
  });
}

export const FieldTable = ({ label, rows }: { label: string; rows: FieldRow[] }) => (
  <table class="fields" aria-label={label}>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Type</th>
        <th scope="col">Meaning</th>
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={row.name}>
          <th scope="row">
            <span class="field-name">
              <code>{row.name}</code>
              {row.place && <span class="tag">{row.place}</span>}
              {!row.isRequired && <span class="tag">optional</span>}
            </span>
          </th>
          <td>
            <TypeName schema={row.schema} />
          </td>
          <td>
            <Meaning {...row} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** A type in words: "string or null", "list of User". */
export const TypeName = ({ schema }: { schema: JsonSchema }): Children => {
  const name = referencedName(schema);
  if (name !== undefined) return <a href={`#shape-${name}`}>{name}</a>;
  if (schema.anyOf)
    return schema.anyOf.map((option, index) => [index > 0 && " or ", <TypeName key={index} schema={option} />]);
  if (schema.type === "array" && schema.items) return ["list of ", <TypeName key="items" schema={schema.items} />];
  if (schema.patternProperties)
    return ["map of ", ...Object.values(schema.patternProperties).map((value) => <TypeName key="of" schema={value} />)];
  if ("const" in schema) return <code>{JSON.stringify(schema.const)}</code>;
  if (schema.format === "binary") return "file";
  return schema.type ?? "anything";
};

const Meaning = ({ description, schema }: FieldRow) => {
  const notes = notesOn(schema);
  return (
    <>
      {description && `${toSentence(description)} `}
      {notes.length > 0 && <span class="muted">{toSentence(capitalized(notes.join("; ")))} </span>}
      <Values schema={schema} />
    </>
  );
};

export const toSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

/** The constraints of a value in words. */
function notesOn(schema: JsonSchema): string[] {
  const { minLength, maxLength, minimum, maximum, maxItems, default: fallback } = schema;
  return [
    range(minLength, maxLength, "characters"),
    range(minimum, maximum, ""),
    range(undefined, maxItems, "entries"),
    fallback === undefined ? "" : `default ${JSON.stringify(fallback)}`,
    ...(schema.anyOf ?? []).flatMap(notesOn),
    ...(schema.items ? notesOn(schema.items).map((note) => `each ${note}`) : []),
  ].filter(Boolean);
}

function range(min: unknown, max: unknown, unit: string): string {
  if (min === undefined && max === undefined) return "";
  if (max === undefined) return `at least ${min} ${unit}`.trim();
  return `${min === undefined || min === 0 ? "at most" : `${min} to`} ${max} ${unit}`.trim();
}

const manyValues = 8;

/** The values of an enum with their meanings; a long list is collapsed. */
const Values = ({ schema }: { schema: JsonSchema }) => {
  const { enum: values, [enumDescriptions]: meanings } = enumIn(schema) ?? {};
  if (!values) return null;
  const list = (
    <dl class="values">
      {values.map((value, index) => [
        <dt key={`${value}`}>
          <code>{String(value)}</code>
        </dt>,
        <dd key={`${value} meaning`}>{(meanings as string[] | undefined)?.[index]}</dd>,
      ])}
    </dl>
  );
  if (values.length <= manyValues) return list;
  return (
    <details>
      <summary>{values.length} values</summary>
      {list}
    </details>
  );
};

/** The enum of a value, of the items of a list, or of a nullable value. */
const enumIn = (schema: JsonSchema): JsonSchema | undefined => {
  if (schema.enum) return schema;
  const inner = [schema.items ?? [], schema.anyOf ?? []].flat();
  return inner.map(enumIn).find((found) => found !== undefined);
};
